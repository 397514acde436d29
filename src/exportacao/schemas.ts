import { DO_TOKEN, ERROS_AUTORIZACAO } from '../autorizacao/errors.ts';
import { ERROS_CONTAS } from '../contas/errors.ts';
import { MOTIVO_DO_FALTANTE } from '../documentos/read/faltantes.ts';
import { lerChave } from '../fiscal/chave.ts';
import { parseCpfCnpj } from '../fiscal/cpf-cnpj.ts';
import { FINALIDADE_AQUISICAO } from '../fiscal/finalidade.ts';
import { MODELOS, PROVAS } from '../fiscal/tipos.ts';
import { ERROS_HTTP } from '../platform/http/catalogo.ts';
import { ouNulo, Type } from '../platform/http/esquema.ts';
import { booleanParameter, integerParameter, paginacao, parameter } from '../platform/http/parametros.ts';
import { answersOf, DO_CORPO, errorResponses } from '../platform/http/respostas.ts';
import { ERROS_EXPORTACAO } from './errors.ts';
import { readData } from './listing/datas.ts';
import { type FiltroDeStatus, readFiltro, TIPOS } from './listing/filtros.ts';

/** An NF-e has at most 990 items. @fonte MOC 7.0, det nItem */
const ITENS_MAX = 990;

const escopo = {
  codigoCrm: parameter<string>({
    codigo: 'crm_invalido',
    mensagem: 'codigoCrm deve ter de 1 a 6 dígitos.',
    schema: {
      type: 'string',
      pattern: '^[0-9]{1,6}$',
      description: 'Código CRM do contador: 6 dígitos; zeros à esquerda podem faltar.',
      examples: ['000123'],
      'x-variavel': 'CRM',
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
      examples: ['11222333000181'],
      'x-variavel': 'CNPJ',
    },
    // The text itself is kept: of several readings of a short number the registered one is meant.
    read: (text) => (parseCpfCnpj(text) ? text : undefined),
  }),
};

const NSU = 'Número sequencial único do cliente.';

const nsu = integerParameter({
  codigo: 'nsu_invalido',
  mensagem: 'nsu deve ser um inteiro (int64) maior ou igual a 0.',
  minimum: 0,
  examples: [0],
  description: `${NSU} Com 0, desde o início.`,
});

const chave = parameter<string>({
  codigo: 'chave_invalida',
  mensagem:
    'chave deve ser uma chave de acesso inteira, como no campo chave: de NF-e, 44 caracteres; de NFS-e nacional, 50.',
  schema: {
    type: 'string',
    description: 'Chave de acesso do documento; também com o prefixo do Id (NFe, CTe, CFe, NFS) e em grupos.',
    examples: ['35260311222333000181550010000000011000000017'],
    'x-variavel': 'CHAVE',
  },
  read: (text) => lerChave(text) ?? undefined,
});

const xml = {
  Xml: booleanParameter({ name: 'Xml', description: 'Com true, `xml` traz o texto do documento.' }),
};

const data = (name: string, description: string, example: string) =>
  parameter({
    codigo: 'data_invalida',
    mensagem: `${name} deve ser AAAA-MM-DD, DD/MM/AAAA ou AAAAMMDD, com ou sem hora.`,
    schema: { type: 'string', description, examples: [example] },
    read: readData,
  });

const CrmParams = Type.Object({ codigoCrm: escopo.codigoCrm });
export const PaginaQuery = Type.Object(paginacao);
export const EscopoParams = Type.Object(escopo);
export const NsuParams = Type.Object({ ...escopo, nsu });
/** The documentation of `NsuParams` where an entry of that number is meant. */
const NsuDoRegistro = Type.Object({ ...escopo, nsu: { ...nsu, examples: [1], description: NSU } });
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
    DataInicial: data('DataInicial', 'Primeiro dia (ou instante) da emissão.', '2026-03-01'),
    DataFinal: Type.Optional(
      data('DataFinal', 'Último dia (ou instante) da emissão, inclusive.', '2026-03-31'),
    ),
    Status: word('Status', 'status_invalido', status, (text) => readFiltro(text, status)),
    ...paginacao,
  });
}

const finalidadeAquisicao = Type.Enum(Object.values(FINALIDADE_AQUISICAO), {
  type: 'string',
  examples: [FINALIDADE_AQUISICAO.revenda],
  'x-mensagem': `finalidade_aquisicao deve ser ${Object.values(FINALIDADE_AQUISICAO).join(', ')}.`,
});

export const FinalidadeBody = Type.Object(
  {
    finalidade_aquisicao: Type.Optional(finalidadeAquisicao),
    itens: Type.Optional(
      Type.Array(
        Type.Object(
          {
            numero: Type.Integer({ minimum: 1, maximum: ITENS_MAX, description: 'nItem do item na nota.' }),
            finalidade_aquisicao: finalidadeAquisicao,
          },
          { title: 'FinalidadeInformadaDoItem' },
        ),
        { maxItems: ITENS_MAX, description: 'Só os itens que diferem.' },
      ),
    ),
  },
  { 'x-codigo': 'dados_invalidos', 'x-tolerante': true, title: 'FinalidadeInformada' },
);

const palavraDaProva = Type.String({
  enum: [...PROVAS],
  description:
    'Quanto está provado o que o registro mostra: `sefaz` (buscado pelo próprio Malote), `assinada` (assinatura, titular, cadeia ICP-Brasil e autorização conferem), `coerente` (o mesmo, mas falta como conferir a cadeia) ou `declarada` (menos que isso).',
});

const Evento = Type.Object(
  {
    codigo: Type.String({
      description:
        'Código do evento (tpEvento), ou `correcao`: nenhum evento, mas algo mudou no que o documento mostra, e `descricao` diz por quê.',
      examples: ['110111', 'correcao'],
    }),
    descricao: Type.String(),
    sequencia: Type.Integer({ description: '0 em `correcao`.' }),
    id: Type.String({
      description: '`ID`, código, chave e sequência, como o Id de um evento da NF-e; vazio em `correcao`.',
    }),
    data: Type.String({ format: 'date-time', description: 'Quando aconteceu.' }),
    prova: palavraDaProva,
    url_download: Type.String({
      description: 'Endereço dos bytes do próprio evento; vazio em `correcao` e depois da exclusão.',
    }),
    xml: Type.String({ description: 'Texto do próprio evento, com `Xml=true`; senão, vazio.' }),
  },
  {
    title: 'EventoDoDocumento',
    description:
      'O que aconteceu ao documento e deu origem a esta entrada; null na entrada do próprio documento.',
  },
);

const Registro = Type.Object(
  {
    nsu: Type.Integer({ format: 'int64', description: 'Em `Status=Faltantes`: 0.' }),
    data_emissao: ouNulo(Type.String({ format: 'date-time' })),
    data_importacao: ouNulo(Type.String({ format: 'date-time' })),
    chave: Type.String({
      description:
        'De NFS-e: a nacional, de 50 posições, ou uma composta do município, do prestador e do número. A mesma nota pode vir com as duas: são dois documentos, cada um com o seu `status`. Em `Status=Faltantes` pode ser vazia.',
    }),
    modelo: Type.String({ examples: [...MODELOS] }),
    status: Type.String({
      examples: ['Autorizada', 'Cancelada', 'Denegada', 'Pendente', 'Inutilizada', 'Evento', 'Faltante'],
      description:
        'Do documento, como está agora, também na entrada de um evento. `Evento`: só o evento chegou; o documento, ainda não.',
    }),
    tipo: Type.String({ examples: ['Emitida', 'Recebida'] }),
    url_download: Type.String({
      description:
        'Endereço dos bytes originais do documento; enquanto só o evento chegou, dos bytes do evento. Vazio depois da exclusão ao fim da guarda, e em `Status=Faltantes`.',
    }),
    xml: Type.String({
      description:
        'Texto do documento, com `Xml=true`; senão, vazio. Enquanto só o evento chegou, o texto do evento.',
    }),
    url_finalidade: Type.String({
      description: 'Com `Finalidade=true`, de documentos pelos quais o cliente adquiriu algo; senão, vazio.',
    }),
    layout_nacional: Type.Boolean({ description: 'Só de NFS-e; senão, false.' }),
    municipio_prestacao: Type.Integer({ description: 'Código IBGE, só de NFS-e; senão, 0.' }),
    evento: ouNulo(Evento),
    papel: ouNulo(Type.String()),
    serie: ouNulo(Type.String()),
    numero: ouNulo(Type.String()),
    prova: ouNulo(palavraDaProva),
    motivo: Type.Optional(
      Type.String({
        enum: Object.keys(MOTIVO_DO_FALTANTE),
        description: 'Só em `Status=Faltantes`: o que se sabe do número.',
      }),
    ),
    explicacao: Type.Optional(
      Type.String({ description: 'Só em `Status=Faltantes`: o motivo, por extenso.' }),
    ),
  },
  { title: 'Documento' },
);

const Pagina = Type.Object(
  {
    total: Type.Integer({ format: 'int64', description: 'Documentos em todas as páginas.' }),
    paginas: Type.Integer({ format: 'int64' }),
    tamanho: Type.Integer({ format: 'int64', description: 'Documentos por página.' }),
    pagina: Type.Integer({ format: 'int64', description: 'Esta página, a partir de 1.' }),
    documentos: Type.Array(Registro),
  },
  { title: 'PaginaDeDocumentos' },
);

const origem = Type.String({ enum: ['informada', 'documento', 'sugerida'] });

const Finalidade = Type.Object(
  {
    chave: Type.String(),
    finalidade_documento: ouNulo(
      Type.Object({ codigo: Type.String(), descricao: Type.String() }, { title: 'CodigoEDescricao' }),
    ),
    finalidade_aquisicao: finalidadeAquisicao,
    origem,
    itens: Type.Array(
      Type.Object(
        {
          numero: Type.Integer(),
          cfop: ouNulo(Type.String()),
          ncm: ouNulo(Type.String()),
          finalidade_aquisicao: finalidadeAquisicao,
          origem,
        },
        { title: 'FinalidadeDoItem' },
      ),
    ),
  },
  { title: 'FinalidadeDoDocumento' },
);

const CATALOGO = { ...ERROS_HTTP, ...ERROS_AUTORIZACAO, ...ERROS_CONTAS, ...ERROS_EXPORTACAO };

/** What every route under a client's path can answer. */
export const DO_CLIENTE = [...DO_TOKEN, 'cpf_cnpj_invalido', 'cliente_nao_encontrado'] as const;

const answers = answersOf(CATALOGO);

const common = { tags: ['Exportacao'], security: [{ token: [] }, { oauth: [] }] };
const NADA_MUDOU = { description: 'O mesmo que `If-None-Match` diz ter.', type: 'null' };
const PAGINACAO = ['parametro_repetido', 'tamanho_invalido', 'pagina_invalida'];

const Clientes = Type.Object(
  {
    total: Type.Integer({ format: 'int64', description: 'Clientes em todas as páginas.' }),
    paginas: Type.Integer({ format: 'int64' }),
    tamanho: Type.Integer({ format: 'int64', description: 'Clientes por página.' }),
    pagina: Type.Integer({ format: 'int64', description: 'Esta página, a partir de 1.' }),
    clientes: Type.Array(
      Type.Object(
        {
          cpf_cnpj: Type.String({ examples: ['11222333000181'] }),
          nome: Type.String(),
          nsu: Type.Integer({
            format: 'int64',
            description: 'Do registro mais novo da sua fila; 0 enquanto não há nenhum.',
          }),
        },
        { title: 'ClienteDoEscritorio' },
      ),
    ),
  },
  { title: 'PaginaDeClientes' },
);

export const clientesSchema = {
  ...common,
  operationId: 'clientesDoEscritorio',
  summary: 'Clientes do escritório',
  description:
    'Os clientes cadastrados que o token alcança, por CPF/CNPJ, com o `nsu` a que a fila de cada um chegou: quem já leu até ele não tem nada a buscar.',
  params: CrmParams,
  querystring: PaginaQuery,
  response: answers('Página de clientes', Clientes, [...DO_TOKEN, ...PAGINACAO]),
};

export const novosSchema = {
  ...common,
  operationId: 'documentosNovos',
  summary: 'Documentos mais novos que um NSU',
  description:
    'A fila do cliente, em ordem crescente de `nsu` e sem lacunas: quem leu até o NSU N nunca perde nada de N para baixo. Um evento aparece como novo registro do seu documento, na situação em que este está.',
  params: NsuParams,
  querystring: NovosQuery,
  response: answers('Página de documentos', Pagina, [
    ...DO_CLIENTE,
    ...PAGINACAO,
    'nsu_invalido',
    'booleano_invalido',
  ]),
};

export const porNsuSchema = {
  ...common,
  operationId: 'documentoPorNsu',
  summary: 'Documento por NSU',
  description:
    'O registro da fila com esse número. A resposta traz `ETag`; `If-None-Match` evita baixar de novo o que não mudou.',
  params: NsuDoRegistro,
  querystring: RegistroQuery,
  response: {
    ...answers('Documento', Registro, [
      ...DO_CLIENTE,
      'parametro_repetido',
      'nsu_invalido',
      'booleano_invalido',
      'documento_nao_encontrado',
    ]),
    304: NADA_MUDOU,
  },
};

export const porChaveSchema = {
  ...common,
  operationId: 'documentoPorChave',
  summary: 'Documento por chave de acesso',
  description:
    'O documento na situação em que está; enquanto só há eventos dele, o mais novo deles. A resposta traz `ETag`.',
  params: ChaveParams,
  querystring: RegistroQuery,
  response: {
    ...answers('Documento', Registro, [
      ...DO_CLIENTE,
      'parametro_repetido',
      'chave_invalida',
      'booleano_invalido',
      'documento_nao_encontrado',
    ]),
    304: NADA_MUDOU,
  },
};

export const finalidadeSchema = {
  ...common,
  operationId: 'documentosComFinalidade',
  summary: 'Documentos mais novos que um NSU, com a finalidade',
  description:
    'A mesma página de `novos`; com `Finalidade=true`, cada documento pelo qual o cliente adquiriu bens ou serviços traz `url_finalidade`.',
  params: NsuParams,
  querystring: FinalidadeQuery,
  response: answers('Página de documentos', Pagina, [
    ...DO_CLIENTE,
    ...PAGINACAO,
    'nsu_invalido',
    'booleano_invalido',
  ]),
};

export const informarFinalidadeSchema = {
  ...common,
  operationId: 'informarFinalidade',
  summary: 'Informa a finalidade de aquisição de um documento',
  description:
    'Do documento inteiro, de itens dele, ou as duas coisas; vale no lugar da que o Malote sugere.',
  params: ChaveParams,
  body: FinalidadeBody,
  response: answers('Finalidade do documento', Finalidade, [
    ...DO_CLIENTE,
    'chave_invalida',
    ...DO_CORPO,
    'dados_invalidos',
    'documento_nao_encontrado',
    'finalidade_nao_se_aplica',
  ]),
};

/** Schema of `/nfe` or `/nfce`. */
export function listagemSchema(input: {
  caminho: string;
  especie: string;
  status: readonly FiltroDeStatus[];
}) {
  return {
    ...common,
    operationId: `listar${input.caminho === 'nfe' ? 'Nfe' : 'Nfce'}`,
    summary: `${input.especie} filtradas por data, tipo e status`,
    description:
      'Em ordem de emissão. Dias são de America/Sao_Paulo, e `DataFinal` é inclusive. `Tipo` e `Status` são lidos sem distinguir maiúsculas, acentos, número e gênero.',
    params: EscopoParams,
    querystring: listagemQuery(input.status),
    response: answers('Página de documentos', Pagina, [
      ...DO_CLIENTE,
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
  tags: ['Exportacao'],
  security: [],
  description:
    'Endereço assinado: dispensa Authorization e vale 15 minutos. Use-o exatamente como veio no registro.',
};
const ASSINADO = ['endereco_invalido', 'endereco_expirado', 'documento_nao_encontrado'];

export const downloadSchema = {
  ...assinado,
  operationId: 'baixarDocumento',
  'x-endereco': 'URL_DOWNLOAD',
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
  operationId: 'lerFinalidade',
  'x-endereco': 'URL_FINALIDADE',
  params: Type.Object({ clienteId: Type.String(), documentoId: Type.String() }),
  summary: 'Finalidade de um documento (url_finalidade)',
  response: answers('Finalidade do documento', Finalidade, ASSINADO),
};
