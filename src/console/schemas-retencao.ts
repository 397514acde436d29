/** Wire shapes of retention: terms, preview, legal holds, deletions. */
import { Type } from '../platform/http/esquema.ts';
import { integerParameter, parameter } from '../platform/http/parametros.ts';
import { idDoCaminho, instante, ouNulo, texto } from './schemas.ts';

const idDaExclusao = parameter<string>({
  codigo: 'dados_invalidos',
  mensagem: 'id deve ser o id de uma exclusão.',
  schema: { type: 'string', description: 'Id da exclusão.' },
  read: (given) => (given.length <= 64 ? given : undefined),
});
export const EXCLUSAO_PARAMS = Type.Object({ id: idDaExclusao });
export const PACOTE_PARAMS = Type.Object({
  id: idDaExclusao,
  parte: integerParameter({
    codigo: 'dados_invalidos',
    mensagem: 'parte deve ser um número inteiro positivo.',
    minimum: 1,
    description: 'Parte da cópia, a partir de 1.',
  }),
});

const inteiro = (description: string) => Type.Integer({ description });

export const PRAZO_BODY = Type.Object({
  modelo: texto("55, 65, 57, 67, 64, 59, NFSe, ou '*' para todos os que não têm prazo próprio.", {
    maxLength: 8,
  }),
  meses: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Meses de guarda a partir da emissão (60 a 1200); null volta ao padrão.',
  }),
});

export const PREVIA = Type.Object({
  prazos: Type.Array(
    Type.Object({
      modelo: texto('Modelo.'),
      meses: inteiro('Meses de guarda.'),
      origem: texto('modelo, escritorio ou padrao: de onde vem o prazo.'),
    }),
  ),
  linhas: Type.Array(
    Type.Object({
      modelo: texto('Modelo.'),
      vencidos: inteiro('Passaram do prazo e podem ser excluídos.'),
      sobGuarda: inteiro('Passaram do prazo, mas estão sob guarda legal.'),
      em30Dias: inteiro('Vencem em 30 dias.'),
      em90Dias: inteiro('Vencem em 90 dias.'),
      em365Dias: inteiro('Vencem em um ano.'),
      maisAntigo: ouNulo(texto('Dia de emissão do mais antigo que venceu.')),
    }),
  ),
  vencidos: inteiro('Soma dos vencidos.'),
  sobGuarda: inteiro('Soma dos que estão sob guarda legal.'),
  cortes: Type.Record(Type.String(), Type.String(), {
    description: 'Por modelo, o primeiro dia de emissão que ainda é guardado.',
  }),
});

const GUARDA = Type.Object({
  id: inteiro('Número da guarda.'),
  cliente: ouNulo(Type.Object({ cpfCnpj: texto('CPF ou CNPJ.'), nome: texto('Nome.') })),
  chave: ouNulo(texto('Só o documento com esta chave.')),
  modelo: ouNulo(texto('Só este modelo.')),
  emissaoDe: ouNulo(texto('Primeiro dia de emissão.')),
  emissaoAte: ouNulo(texto('Último dia de emissão.')),
  motivo: texto('Por que os documentos são guardados.'),
  criadaEm: instante('Quando começou.'),
  criadaPor: texto('Quem a pôs.'),
  levantadaEm: instante('Quando terminou; null: em vigor.'),
  levantadaPor: ouNulo(texto('Quem a levantou.')),
  levantadaMotivo: ouNulo(texto('Por que terminou.')),
});
export const GUARDAS = Type.Object({ guardas: Type.Array(GUARDA) });

export const GUARDA_PARAMS = Type.Object({ id: idDoCaminho });
export const GUARDA_POSTA = Type.Object({ id: inteiro('Número da guarda.') });

const limite = (description: string) => Type.Optional(texto(description, { maxLength: 80 }));
export const GUARDA_BODY = Type.Object({
  cpfCnpj: limite('Só os documentos deste cliente.'),
  chave: limite('Só o documento com esta chave, e os seus eventos.'),
  modelo: limite('Só os documentos deste modelo.'),
  emissaoDe: limite('Emitidos a partir deste dia, AAAA-MM-DD.'),
  emissaoAte: limite('Emitidos até este dia, AAAA-MM-DD.'),
  motivo: texto('Por que os documentos são guardados, com 5 a 500 letras.', { maxLength: 2_000 }),
});
export const LEVANTAR_BODY = Type.Object({
  motivo: texto('Por que a guarda termina, com 5 a 500 letras.', { maxLength: 2_000 }),
});

const CAMPOS_DA_EXCLUSAO = {
  id: texto('Id da exclusão.'),
  estado: texto('preparando, preparada, confirmada, concluida, cancelada, vencida ou falhou.'),
  criadaEm: instante('Quando foi pedida.'),
  criadaPor: texto('Quem a pediu.'),
  preparadaEm: instante('Quando a cópia ficou pronta.'),
  confirmadaEm: instante('Quando foi confirmada.'),
  confirmadaPor: ouNulo(texto('Quem a confirmou.')),
  concluidaEm: instante('Quando terminou.'),
  expiraEm: instante('Até quando pode ser confirmada.'),
  documentos: inteiro('Documentos preparados.'),
  excluidos: inteiro('Documentos excluídos.'),
  mantidos: inteiro('Documentos que ficaram: guarda legal ou versão nova depois da preparação.'),
  arquivosApagados: inteiro('Arquivos enviados que foram apagados.'),
  arquivosMantidos: inteiro('Arquivos enviados que ainda têm outros documentos.'),
  erro: ouNulo(texto('Por que falhou.')),
};
export const EXCLUSOES = Type.Object({ exclusoes: Type.Array(Type.Object(CAMPOS_DA_EXCLUSAO)) });
export const EXCLUSAO = Type.Object({
  ...CAMPOS_DA_EXCLUSAO,
  pacotes: Type.Array(
    Type.Object({
      parte: inteiro('Parte, a partir de 1.'),
      sha256: texto('SHA-256 do ZIP, em hexadecimal.'),
      tamanho: inteiro('Bytes.'),
      documentos: inteiro('Documentos na parte.'),
      baixadoEm: instante('Quando foi baixada; null: ainda não.'),
    }),
  ),
});
export const EXCLUSAO_PEDIDA = Type.Object({ id: texto('Id da exclusão.') });
