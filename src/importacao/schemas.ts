import { DO_TOKEN, ERROS_AUTORIZACAO } from '../autorizacao/errors.ts';
import { RESULTADO } from '../documentos/tipos.ts';
import { ESPECIE } from '../fiscal/tipos.ts';
import { ERROS_HTTP } from '../platform/http/catalogo.ts';
import { ouNulo, Type } from '../platform/http/esquema.ts';
import { paginacao, parameter } from '../platform/http/parametros.ts';
import { answersOf, DO_CORPO, errorResponses } from '../platform/http/respostas.ts';
import { ARQUIVO_NAO_ENCONTRADO, ERROS_DE_IMPORTACAO } from './errors.ts';
import { IMPORT_MAX_BYTES } from './limites.ts';
import { STATUS_ARQUIVO } from './tipos.ts';

const CATALOGO = { ...ERROS_HTTP, ...ERROS_AUTORIZACAO, ...ERROS_DE_IMPORTACAO };

const text = (description: string) => Type.String({ description });

/** What an OAuth client of several offices has to say. */
const headers = Type.Object({
  'X-Codigo-Crm': Type.Optional(
    text('De qual escritório: só para o cliente OAuth que atende vários; zeros à esquerda podem faltar.'),
  ),
});
const common = { tags: ['Importacao'], security: [{ token: [] }, { oauth: [] }], headers };

const answers = answersOf(CATALOGO);

export const PedidoBody = Type.Object(
  {
    size: Type.Integer({
      minimum: 1,
      maximum: IMPORT_MAX_BYTES,
      description: 'Tamanho do arquivo em bytes.',
      examples: [6_000_000],
    }),
    extension: Type.String({
      description: '.zip ou .xml, com ou sem ponto, em maiúsculas ou minúsculas.',
      examples: ['.xml'],
    }),
  },
  { title: 'PedidoDeEnvio' },
);

export const ticketSchema = {
  ...common,
  operationId: 'pedirEndereco',
  summary: 'Pede um endereço para enviar um arquivo',
  description: 'O endereço vale 1 minuto; o arquivo vai para ele com PUT, como veio, sem Authorization.',
  // Read by `readPedido`, which knows an absent field from a faulty one.
  body: PedidoBody,
  response: answers(
    'Endereço de envio',
    Type.Object(
      {
        mensagem: text('Texto para pessoas.'),
        url: text('Endereço assinado do PUT, válido por 1 minuto; use-o como veio.'),
        id: text('Identificador do arquivo, para consultar a situação.'),
      },
      { title: 'EnderecoDeEnvio' },
    ),
    [...DO_TOKEN, ...DO_CORPO, 'parametro_obrigatorio', 'size_invalido', 'extensao_invalida'],
  ),
};

/** Ids are ours; what is not one is no file of anybody. */
const id = parameter<string>({
  codigo: 'arquivo_nao_encontrado',
  mensagem: ARQUIVO_NAO_ENCONTRADO,
  schema: {
    type: 'string',
    format: 'uuid',
    description: '`id` devolvido por POST /storage.',
    'x-variavel': 'ID',
  },
  read: (value) => value.toLowerCase(),
});

export const ArquivoParams = Type.Object({ id });

const SEM_DESLOCAMENTO = 'Hora de America/Sao_Paulo, sem deslocamento.';

export const statusSchema = {
  ...common,
  operationId: 'situacaoDoArquivo',
  summary: 'Situação da importação de um arquivo',
  description:
    'Pergunte até `status` ser `Uploaded`, `Com Erro` ou `Expirado`. Com `Com Erro`, os documentos bons do arquivo entraram mesmo assim: `log` e os itens dizem o que faltou.',
  params: ArquivoParams,
  response: answers(
    'Situação do arquivo',
    Type.Object(
      {
        tamanho: Type.Integer({ description: 'Bytes: o anunciado e, depois do envio, o real.' }),
        extensao: text('Como foi enviada em POST /storage.'),
        status: Type.String({ enum: Object.values(STATUS_ARQUIVO) }),
        dataCriacao: text('Data e hora com deslocamento.'),
        log: text('Vazio, exceto com Com Erro: um resumo e uma linha por problema, até 8 KB.'),
        dataUploaded: ouNulo(text(SEM_DESLOCAMENTO)),
        dataInicioImportacao: Type.Optional(ouNulo(text(`Só com Com Erro. ${SEM_DESLOCAMENTO}`))),
        dataFimImportacao: Type.Optional(ouNulo(text(`Só com Com Erro. ${SEM_DESLOCAMENTO}`))),
      },
      { title: 'SituacaoDoArquivo' },
    ),
    [...DO_TOKEN, 'arquivo_nao_encontrado'],
  ),
};

export const ItensQuery = Type.Object(paginacao);

const Item = Type.Object(
  {
    caminho: text('Caminho dentro do .zip; vazio quando o arquivo é o próprio documento.'),
    sha256: ouNulo(text('SHA-256 dos bytes do documento, em hexadecimal.')),
    especie: Type.String({ enum: Object.values(ESPECIE) }),
    chave: ouNulo(text('Chave de acesso.')),
    resultado: Type.String({ enum: Object.values(RESULTADO) }),
    codigo: ouNulo(text('Código estável do motivo, quando há.')),
    mensagem: ouNulo(text('Motivo para pessoas, quando há.')),
    linha: ouNulo(Type.Integer()),
    coluna: ouNulo(Type.Integer()),
    elemento: ouNulo(text('Caminho do elemento XML em que está o problema.')),
  },
  { title: 'ItemDoArquivo' },
);

export const itensSchema = {
  ...common,
  operationId: 'itensDoArquivo',
  summary: 'O que foi encontrado em um arquivo',
  description: 'Uma linha por documento, evento, chave ou arquivo encontrado, na ordem do arquivo.',
  params: ArquivoParams,
  querystring: ItensQuery,
  response: answers(
    'Página de itens',
    Type.Object(
      {
        total: Type.Integer(),
        paginas: Type.Integer(),
        tamanho: Type.Integer(),
        pagina: Type.Integer(),
        itens: Type.Array(Item),
      },
      { title: 'PaginaDeItens' },
    ),
    [...DO_TOKEN, 'parametro_repetido', 'tamanho_invalido', 'pagina_invalida', 'arquivo_nao_encontrado'],
  ),
};

const enviado = (name: string, description: string, schema: object = { type: 'string' }) =>
  parameter<string>({
    codigo: 'endereco_incompleto',
    mensagem: `${name} é obrigatório.`,
    schema: { ...schema, description },
    read: (value) => value,
  });

const ERRO_EM_XML = Type.Object(
  {
    Code: Type.String({ description: 'Como o do S3, por exemplo AccessDenied ou EntityTooLarge.' }),
    Message: text('A frase do S3 para este erro, onde há uma.'),
    Key: text('Identificador do arquivo.'),
    Resource: text('Caminho, sem a assinatura.'),
    RequestId: text('O mesmo do cabeçalho X-Request-Id.'),
    HostId: Type.String(),
  },
  { title: 'ErroDeEnvio', xml: { name: 'Error' } },
);

/** Who asks for nothing in particular gets the errors of this address as S3 gives them. */
function tambemEmXml(responses: ReturnType<typeof errorResponses>) {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { content, ...rest }]) => [
      status,
      { ...rest, content: { 'application/xml': { schema: ERRO_EM_XML }, ...content } },
    ]),
  );
}

/** Documentation only: the address is judged by `upload-address.ts`, as soon as the headers are in. */
export const envioSchema = {
  tags: ['Importacao'],
  security: [],
  operationId: 'enviarArquivo',
  'x-endereco': 'URL',
  summary: 'Envia o arquivo',
  description: [
    'Corpo: os bytes do arquivo, até 30 MB, com Content-Length ou em pedaços (Transfer-Encoding: chunked) e com qualquer Content-Type, exceto multipart.',
    'Dispensa Authorization. Os erros vêm em XML, como os do S3, ou em problem+json quando Accept pede JSON.',
    'Content-MD5 é conferido quando vem. Repetir os mesmos bytes responde 200 de novo.',
  ].join(' '),
  params: Type.Object({ id: text('Identificador do arquivo.') }),
  querystring: Type.Object({
    StorageAccessKeyId: enviado('StorageAccessKeyId', 'Chave que assinou o endereço.'),
    Expires: enviado('Expires', 'Fim da validade, em segundos desde 1970.', {
      type: 'integer',
      format: 'int64',
    }),
    Signature: enviado('Signature', 'Assinatura, em Base64.'),
  }),
  body: { content: { 'application/octet-stream': { schema: Type.String({ format: 'binary' }) } } },
  response: {
    200: { description: 'Os bytes estão guardados; ETag traz o MD5 deles.', type: 'null' },
    ...tambemEmXml(
      errorResponses(CATALOGO, [
        'endereco_incompleto',
        'endereco_invalido',
        'endereco_expirado',
        'tipo_de_conteudo_invalido',
        'corpo_grande_demais',
        'corpo_ausente',
        'corpo_incompleto',
        'md5_invalido',
        'md5_divergente',
        'arquivo_ja_recebido',
        'tempo_esgotado',
        'indisponivel',
      ]),
    ),
  },
};
