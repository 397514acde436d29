/** Errors of manifestação. */
import { type CatalogoDeErros, errorsOf } from '../../platform/http/catalogo.ts';
import type { Impedimento } from './prazos.ts';

export const ERROS_DE_MANIFESTACAO = {
  manifestacao_nao_se_aplica: {
    status: 409,
    titulo: 'Manifestação não se aplica',
    significado: 'O documento não é do modelo da manifestação, ou foi cancelado ou denegado.',
    acao: 'Nada foi enviado. Confira a chave e o tipo.',
  },
  manifestacao_de_terceiro: {
    status: 409,
    titulo: 'Cliente não pode manifestar',
    significado: 'O cliente não é o destinatário da NF-e, nem o tomador do CT-e.',
    acao: 'Nada foi enviado. Use o CNPJ ou CPF do destinatário no caminho.',
  },
  manifestacao_ja_registrada: {
    status: 409,
    titulo: 'Manifestação já registrada',
    significado: 'A SEFAZ já tem esta manifestação, ou já tem as duas conclusivas que aceita.',
    acao: 'Nada foi enviado, e nada precisa ser.',
  },
  manifestacao_fora_do_prazo: {
    status: 409,
    titulo: 'Manifestação fora do prazo',
    significado:
      'Acabou o prazo: 10 dias da autorização para a Ciência, 90 para as conclusivas, 45 para o CT-e.',
    acao: 'Nada foi enviado. Sem manifestação conclusiva, a operação é considerada confirmada.',
  },
  manifestacao_em_andamento: {
    status: 409,
    titulo: 'Manifestação em andamento',
    significado: 'A mesma manifestação já foi pedida e espera a resposta da SEFAZ.',
    acao: 'Espere o desfecho; ele aparece no documento.',
  },
  manifestacao_recusada: {
    status: 409,
    titulo: 'Manifestação recusada antes',
    significado: 'A SEFAZ recusou esta manifestação por um motivo que não muda, ou já três vezes.',
    acao: 'A mensagem diz o motivo. Ela não é enviada de novo: repetir uma recusa bloqueia o CNPJ.',
  },
} as const satisfies CatalogoDeErros;

const erro = errorsOf(ERROS_DE_MANIFESTACAO);

export type CodigoDeImpedimento = keyof typeof ERROS_DE_MANIFESTACAO;

export const impedido = ({
  codigo,
  mensagem,
}: Pick<Impedimento, 'mensagem'> & { codigo: CodigoDeImpedimento }) => erro(codigo, mensagem);
