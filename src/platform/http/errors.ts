import type { ErroDeCampo } from '../errors.ts';
import { ERROS_HTTP, errorsOf } from './catalogo.ts';

const erro = errorsOf(ERROS_HTTP);

export const rotaNaoEncontrada = () =>
  erro('rota_nao_encontrada', 'Este endereço não existe. Confira o caminho em /docs.');

export const metodoNaoPermitido = (method: string, allowed: readonly string[]) =>
  erro(
    'metodo_nao_permitido',
    `Este endereço não aceita ${method}. Métodos aceitos: ${allowed.join(', ')}.`,
    { headers: { allow: allowed.join(', ') } },
  );

export const caminhoInvalido = () =>
  erro(
    'caminho_invalido',
    'O caminho tem uma sequência % que não se decodifica em UTF-8. Codifique-o em UTF-8 e envie de novo.',
  );

export const requisicaoMalformada = (detail: string) => erro('requisicao_malformada', detail);

export const corpoInvalido = (detail: string) => erro('corpo_invalido', detail);

export const jsonInvalido = () =>
  corpoInvalido('O corpo não é JSON válido. Confira aspas, vírgulas e chaves, e envie de novo.');

/** What a caller is told first where several fields are wrong. */
export const variosCampos = (quantos: number) =>
  `${quantos} campos têm valor inválido. Confira cada um na lista erros.`;

export const dadosInvalidos = (erros: readonly ErroDeCampo[]) =>
  erro('dados_invalidos', erros.length === 1 && erros[0] ? erros[0].mensagem : variosCampos(erros.length), {
    erros,
  });

/** The same of one field. */
export const dadoInvalido = (campo: string, mensagem: string, codigo = 'valor_invalido') =>
  dadosInvalidos([{ campo, codigo, mensagem }]);

export const corpoGrandeDemais = (limitBytes: number) =>
  erro(
    'corpo_grande_demais',
    `O corpo passa do limite de ${limitBytes.toLocaleString('pt-BR')} bytes. Envie um menor.`,
  );

export const tipoDeConteudoInvalido = (accepted: string) =>
  erro('tipo_de_conteudo_invalido', `Content-Type não aceito. Envie ${accepted}.`);

/** RFC 9110, 15.5.16: the header tells what would be taken. */
export const codificacaoInvalida = () =>
  erro(
    'tipo_de_conteudo_invalido',
    'Content-Encoding não aceito. Envie o JSON sem codificação, ou em gzip.',
    { headers: { 'accept-encoding': 'gzip, identity' } },
  );

export const limiteExcedido = (retryAfterSeconds: number) =>
  erro('limite_excedido', `Limite de requisições por minuto excedido. Repita em ${retryAfterSeconds} s.`, {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });

/** The cause of an `indisponivel` that is no fault: a process that starts or stops. Nobody need look into it. */
export class NotNow extends Error {}

export const indisponivel = (retryAfterSeconds: number, cause?: unknown) =>
  erro('indisponivel', `O serviço não consegue atender agora. Repita em ${retryAfterSeconds} s.`, {
    headers: { 'retry-after': String(retryAfterSeconds) },
    cause,
  });

export const erroInterno = (cause: unknown) =>
  erro('erro_interno', 'Erro interno. Informe o requestId a quem opera o serviço.', { cause });
