/** Wire shapes of the export area: one object validates, types and documents each of them. */
import { type TObject, type TSchema, Type } from 'typebox';
import { ERROS_AUTORIZACAO } from '../autorizacao/errors.ts';
import { ERROS_CONTAS } from '../contas/errors.ts';
import { MOTIVO_DO_FALTANTE } from '../documentos/faltantes.ts';
import { lerChave } from '../fiscal/chave.ts';
import { parseCpfCnpj } from '../fiscal/cpf-cnpj.ts';
import { FINALIDADE_AQUISICAO } from '../fiscal/finalidade.ts';
import { MODELOS, PROVAS } from '../fiscal/tipos.ts';
import { ERROS_HTTP } from '../platform/http/catalogo.ts';
import { booleanParameter, integerParameter, paginacao, parameter } from '../platform/http/parametros.ts';
import { errorResponses, jsonResponse } from '../platform/http/respostas.ts';
import { readData } from './datas.ts';
import { ERROS_EXPORTACAO } from './errors.ts';
import { type FiltroDeStatus, readFiltro, TIPOS } from './filtros.ts';

/** An NF-e has at most 990 items. @fonte MOC 7.0, det nItem */
const ITENS_MAX = 990;

const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);

const escopo = {
  codigoCrm: parameter<string>({
    codigo: 'crm_invalido',
    mensagem: 'codigoCrm deve ter de 1 a 6 dígitos.',
    schema: {
      type: 'string',
      pattern: '^[0-9]{1,6}$',
      description: 'Código CRM do contador: 6 dígitos; zeros à esquerda podem faltar.',
    },
    // Judged by the guard, before anything else of the path.
    read: (text) => text,
  }),
  cpfCnpj: parameter<string>({
    codigo: 'cpf_cnpj_invalido',
    mensagem: 'cpfCnpj deve ser um CPF ou CNPJ com dígitos verificadores válidos.',
    schema: {
      type: 'string',
      description: 'CPF ou CNPJ do cliente, com ou sem máscara; o CNPJ pode ter letras.',
    },
    // The text itself is kept: of several readings of a short number the registered one is meant.
    read: (text) => (parseCpfCnpj(text) ? text : undefined),
  }),
};

const nsu = integerParameter({
  codigo: 'nsu_invalido',
  mensagem: 'nsu deve ser um inteiro (int64) maior ou igual a 0.',
  minimum: 0,
  description: 'Número sequencial único do cliente.',
});

const chave = parameter<string>({
  codigo: 'chave_invalida',
  mensagem: 'chave deve ser uma chave de acesso.',
  schema: {
    type: 'string',
    description: 'Chave de acesso do documento; também com o prefixo do Id (NFe, CTe, CFe, NFS) e em grupos.',
  },
  read: (text) => lerChave(text) ?? undefined,
});

const xml = {
  Xml: booleanParameter({ name: 'Xml', description: 'Com true, `xml` traz o texto do documento.' }),
};

const data = (name: string, description: string) =>
  parameter({
    codigo: 'data_invalida',
    mensagem: `${name} deve ser AAAA-MM-DD, DD/MM/AAAA ou AAAAMMDD, com ou sem hora.`,
    schema: { type: 'string', description, examples: ['2026-03-01'] },
    read: readData,
  });

export const EscopoParams = Type.Object(escopo);
export const NsuParams = Type.Object({ ...escopo, nsu });
export const ChaveParams = Type.Object({ ...escopo, chave });
export const NovosQuery = Type.Object({ ...paginacao, ...xml });
export const RegistroQuery = Type.Object(xml);
export const FinalidadeQuery = Type.Object({
  ...paginacao,
  Finalidade: booleanParameter({
    name: 'Finalidade',
    description: 'Com true, `url_finalidade` é preenchida.',
  }),
});

/** Query of a listing; the valid words of Status differ between nfe and nfce. */
export function listagemQuery(status: readonly FiltroDeStatus[]) {
  const word = <T extends string>(
    name: string,
    codigo: string,
    valid: readonly T[],
    read: (text: string) => T | undefined,
  ) =>
    parameter<T>({
      codigo,
      mensagem: `${name} deve ser um destes valores: ${valid.join(', ')}.`,
      schema: {
        type: 'string',
        examples: [...valid],
        default: 'Todas',
        description: `${valid.join(', ')}.`,
      },
      read,
    });
  return Type.Object({
    Tipo: word('Tipo', 'tipo_invalido', TIPOS, (text) => readFiltro(text, TIPOS)),
    DataInicial: data('DataInicial', 'Primeiro dia (ou instante) da emissão.'),
    DataFinal: Type.Optional(data('DataFinal', 'Último dia (ou instante) da emissão, inclusive.')),
    Status: word('Status', 'status_invalido', status, (text) => readFiltro(text, status)),
    ...paginacao,
  });
}

const finalidadeAquisicao = Type.Enum(Object.values(FINALIDADE_AQUISICAO), {
  'x-mensagem': `finalidade_aquisicao deve ser ${Object.values(FINALIDADE_AQUISICAO).join(', ')}.`,
});

export const FinalidadeBody = Type.Object(
  {
    finalidade_aquisicao: Type.Optional(finalidadeAquisicao),
    itens: Type.Optional(
      Type.Array(
        Type.Object({
          numero: Type.Integer({ minimum: 1, maximum: ITENS_MAX }),
          finalidade_aquisicao: finalidadeAquisicao,
        }),
        { maxItems: ITENS_MAX },
      ),
    ),
  },
  { 'x-codigo': 'dados_invalidos', 'x-tolerante': true },
);

const palavraDaProva = Type.String({
  enum: [...PROVAS],
  description:
    'Quanto está provado o que o registro mostra: `sefaz` (buscado pelo próprio Malote), `assinada` (assinatura, titular, cadeia ICP-Brasil e autorização conferem), `coerente` (o mesmo, mas falta como conferir a cadeia) ou `declarada` (menos que isso).',
});

const Registro = Type.Object({
  nsu: nullable(Type.Integer({ format: 'int64' })),
  data_emissao: nullable(Type.String({ format: 'date-time' })),
  data_importacao: nullable(Type.String({ format: 'date-time' })),
  chave: nullable(
    Type.String({
      description:
        'De NFS-e: a nacional, de 50 posições, ou uma composta do município, do prestador e do número. A mesma nota pode vir com as duas: são dois documentos, cada um com o seu `status`.',
    }),
  ),
  modelo: Type.String({ examples: [...MODELOS] }),
  status: Type.String({
    examples: [
      'Autorizada',
      'Cancelada',
      'Denegada',
      'Pendente',
      'Inutilizada',
      'CartaCorrecao',
      'Evento',
      'Faltante',
    ],
  }),
  tipo: Type.String({ examples: ['Emitida', 'Recebida'] }),
  url_download: nullable(Type.String({ format: 'uri' })),
  xml: nullable(Type.String()),
  url_finalidade: nullable(Type.String({ format: 'uri' })),
  layout_nacional: Type.Boolean(),
  municipio_prestacao: nullable(Type.Integer()),
  evento: nullable(
    Type.Object({
      codigo: Type.String(),
      descricao: Type.String(),
      sequencia: Type.Integer(),
      prova: palavraDaProva,
    }),
  ),
  papel: nullable(Type.String()),
  serie: nullable(Type.String()),
  numero: nullable(Type.String()),
  prova: nullable(palavraDaProva),
  motivo: Type.Optional(
    Type.String({
      enum: Object.keys(MOTIVO_DO_FALTANTE),
      description: 'Só em `Status=Faltantes`: o que se sabe do número.',
    }),
  ),
  explicacao: Type.Optional(Type.String({ description: 'Só em `Status=Faltantes`: o motivo, por extenso.' })),
});

const Pagina = Type.Object({
  total: Type.Integer({ format: 'int64' }),
  paginas: Type.Integer({ format: 'int64' }),
  tamanho: Type.Integer({ format: 'int64' }),
  pagina: Type.Integer({ format: 'int64' }),
  documentos: Type.Array(Registro),
});

const origem = Type.String({ enum: ['informada', 'documento', 'sugerida'] });

const Finalidade = Type.Object({
  chave: Type.String(),
  finalidade_documento: nullable(Type.Object({ codigo: Type.String(), descricao: Type.String() })),
  finalidade_aquisicao: finalidadeAquisicao,
  origem,
  itens: Type.Array(
    Type.Object({
      numero: Type.Integer(),
      cfop: nullable(Type.String()),
      ncm: nullable(Type.String()),
      finalidade_aquisicao: finalidadeAquisicao,
      origem,
    }),
  ),
});

const CATALOGO = { ...ERROS_HTTP, ...ERROS_AUTORIZACAO, ...ERROS_CONTAS, ...ERROS_EXPORTACAO };

/** What every route under a client's path can answer. */
const COMUNS = [
  'credencial_repetida',
  'token_ausente',
  'token_invalido',
  'limite_excedido',
  'escopo_insuficiente',
  'crm_invalido',
  'crm_nao_autorizado',
  'cpf_cnpj_invalido',
  'cliente_nao_encontrado',
];

const answers = (description: string, schema: TObject, codigos: readonly string[]) => ({
  ...jsonResponse(description, schema),
  ...errorResponses(CATALOGO, codigos),
});

const common = { tags: ['Exportação'], security: [{ token: [] }, { oauth: [] }] };
const PAGINACAO = ['parametro_repetido', 'tamanho_invalido', 'pagina_invalida'];

export const novosSchema = {
  ...common,
  summary: 'Documentos mais novos que um NSU',
  params: NsuParams,
  querystring: NovosQuery,
  response: answers('Página de documentos', Pagina, [
    ...COMUNS,
    ...PAGINACAO,
    'nsu_invalido',
    'booleano_invalido',
  ]),
};

export const porNsuSchema = {
  ...common,
  summary: 'Documento por NSU',
  params: NsuParams,
  querystring: RegistroQuery,
  response: answers('Documento', Registro, [
    ...COMUNS,
    'parametro_repetido',
    'nsu_invalido',
    'booleano_invalido',
    'documento_nao_encontrado',
  ]),
};

export const porChaveSchema = {
  ...common,
  summary: 'Documento por chave de acesso',
  params: ChaveParams,
  querystring: RegistroQuery,
  response: answers('Documento', Registro, [
    ...COMUNS,
    'parametro_repetido',
    'chave_invalida',
    'booleano_invalido',
    'documento_nao_encontrado',
  ]),
};

export const finalidadeSchema = {
  ...common,
  summary: 'Documentos mais novos que um NSU, com a finalidade',
  params: NsuParams,
  querystring: FinalidadeQuery,
  response: answers('Página de documentos', Pagina, [
    ...COMUNS,
    ...PAGINACAO,
    'nsu_invalido',
    'booleano_invalido',
  ]),
};

export const informarFinalidadeSchema = {
  ...common,
  summary: 'Informa a finalidade de aquisição de um documento',
  params: ChaveParams,
  body: FinalidadeBody,
  response: answers('Finalidade do documento', Finalidade, [
    ...COMUNS,
    'chave_invalida',
    'corpo_invalido',
    'corpo_grande_demais',
    'tipo_de_conteudo_invalido',
    'dados_invalidos',
    'documento_nao_encontrado',
  ]),
};

/** Schema of `/nfe` or `/nfce`. */
export function listagemSchema(input: { especie: string; status: readonly FiltroDeStatus[] }) {
  return {
    ...common,
    summary: `${input.especie} filtradas por data, tipo e status`,
    params: EscopoParams,
    querystring: listagemQuery(input.status),
    response: answers('Página de documentos', Pagina, [
      ...COMUNS,
      ...PAGINACAO,
      'parametro_obrigatorio',
      'data_invalida',
      'periodo_invalido',
      'tipo_invalido',
      'status_invalido',
    ]),
  };
}

/** Documentation only: signed addresses are judged by `enderecos.ts`, before anything else of the request. */
const assinado = {
  querystring: Type.Object({
    StorageAccessKeyId: Type.String({ description: 'Chave que assinou o endereço.' }),
    Expires: Type.Integer({ format: 'int64', description: 'Fim da validade, em segundos desde 1970.' }),
    Signature: Type.String({ description: 'Assinatura, em Base64.' }),
  }),
  tags: ['Exportação'],
  description:
    'Endereço assinado: dispensa Authorization e vale 15 minutos. Use-o exatamente como veio no registro.',
};
const ASSINADO = ['endereco_invalido', 'endereco_expirado', 'documento_nao_encontrado'];

export const downloadSchema = {
  ...assinado,
  params: Type.Object({ versaoId: Type.String() }),
  summary: 'Bytes originais de um documento (url_download)',
  response: {
    200: {
      description: 'O documento, byte por byte como foi recebido',
      content: { 'application/xml': { schema: Type.String() } },
    },
    ...errorResponses(CATALOGO, ASSINADO),
  },
};

export const enderecoFinalidadeSchema = {
  ...assinado,
  params: Type.Object({ clienteId: Type.String(), documentoId: Type.String() }),
  summary: 'Finalidade de um documento (url_finalidade)',
  response: answers('Finalidade do documento', Finalidade, ASSINADO),
};
