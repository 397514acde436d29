import { AppError } from '../../platform/errors.ts';
import { ESPERE_SEGUNDOS, IMPORT_MAX_BYTES } from '../limites.ts';

/**
 * A refusal of the upload address. It has two faces: S3-style XML, which upload libraries know, and problem+json
 * for who asks for JSON. `Code` is S3's, for programs; the sentence is ours in both, for people.
 * @fonte Amazon S3, Error responses
 */
export class UploadError extends AppError {
  readonly s3Code: string;
  /** Further XML elements, such as `Expires`. */
  readonly s3Extra: Readonly<Record<string, string>>;

  constructor(fields: {
    codigo: string;
    status: number;
    mensagem: string;
    s3Code: string;
    s3Extra?: Readonly<Record<string, string>>;
    headers?: Readonly<Record<string, string>>;
    cause?: unknown;
  }) {
    super(fields);
    this.s3Code = fields.s3Code;
    this.s3Extra = fields.s3Extra ?? {};
  }
}

export const enderecoIncompleto = () =>
  new UploadError({
    codigo: 'endereco_incompleto',
    status: 403,
    mensagem:
      'O endereço precisa dos parâmetros StorageAccessKeyId, Expires e Signature, uma vez cada. Use a url de POST /storage como veio.',
    s3Code: 'AccessDenied',
  });

export const enderecoExpirado = (input: { expiresAtSeconds: number; nowMs: number }) =>
  new UploadError({
    codigo: 'endereco_expirado',
    status: 403,
    mensagem: 'O endereço de envio expirou. Peça outro a POST /storage e envie em até 1 minuto.',
    s3Code: 'AccessDenied',
    s3Extra: { Expires: isoSeconds(input.expiresAtSeconds * 1000), ServerTime: isoSeconds(input.nowMs) },
  });

/** The address itself is good; who asked for it is not allowed to send any more. */
export const semDireitoDeEnviar = () =>
  new UploadError({
    codigo: 'endereco_expirado',
    status: 403,
    mensagem:
      'O endereço de envio não vale mais: o token que o pediu foi revogado, ou o usuário não envia mais arquivos.',
    s3Code: 'AccessDenied',
  });

export const chaveDesconhecida = () =>
  new UploadError({
    codigo: 'endereco_invalido',
    status: 403,
    mensagem: 'O StorageAccessKeyId do endereço não existe. Use a url de POST /storage como veio.',
    s3Code: 'InvalidAccessKeyId',
  });

/** Also for an unknown or purged id, which must not differ from a forged one. */
export const assinaturaInvalida = () =>
  new UploadError({
    codigo: 'endereco_invalido',
    status: 403,
    mensagem: 'A assinatura não confere com o endereço. Use a url de POST /storage como veio.',
    s3Code: 'SignatureDoesNotMatch',
  });

export const multipartNaoAceito = () =>
  new UploadError({
    codigo: 'tipo_de_conteudo_invalido',
    status: 415,
    mensagem:
      'Envie os bytes do arquivo como corpo da requisição (curl --data-binary @arquivo), não um formulário multipart.',
    s3Code: 'UnsupportedMediaType',
  });

export const arquivoGrandeDemais = () =>
  new UploadError({
    codigo: 'corpo_grande_demais',
    status: 413,
    mensagem: `O arquivo passa do limite de ${IMPORT_MAX_BYTES.toLocaleString('pt-BR')} bytes. Divida-o e envie em partes.`,
    s3Code: 'EntityTooLarge',
    s3Extra: { MaxSizeAllowed: String(IMPORT_MAX_BYTES) },
  });

/** Not an empty file, which says that it has 0 bytes: a tool that was given no file, or one that never says how much it sends. */
export const corpoAusente = () =>
  new UploadError({
    codigo: 'corpo_ausente',
    status: 411,
    mensagem:
      'O pedido veio sem corpo: falta Content-Length ou Transfer-Encoding. Envie os bytes do arquivo como corpo da requisição (curl -T arquivo).',
    s3Code: 'MissingContentLength',
    // Bytes that come all the same belong to no request.
    headers: { connection: 'close' },
  });

export const md5Invalido = () =>
  new UploadError({
    codigo: 'md5_invalido',
    status: 400,
    mensagem: 'Content-MD5 deve ser o Base64 dos 16 bytes do MD5 do arquivo.',
    s3Code: 'InvalidDigest',
  });

export const md5Divergente = () =>
  new UploadError({
    codigo: 'md5_divergente',
    status: 400,
    mensagem: 'Os bytes recebidos não têm o MD5 de Content-MD5. Nada foi guardado; repita o envio.',
    s3Code: 'BadDigest',
  });

export const corpoIncompleto = () =>
  new UploadError({
    codigo: 'corpo_incompleto',
    status: 400,
    mensagem: 'Chegaram menos bytes do que o Content-Length anuncia. Nada foi guardado; repita o envio.',
    s3Code: 'IncompleteBody',
  });

export const envioLento = () =>
  new UploadError({
    codigo: 'tempo_esgotado',
    status: 408,
    mensagem:
      'O corpo chegou devagar demais (mínimo de 8 KiB/s, até 120 s). Nada foi guardado; repita o envio.',
    s3Code: 'RequestTimeout',
    headers: { connection: 'close' },
  });

export const arquivoJaRecebido = () =>
  new UploadError({
    codigo: 'arquivo_ja_recebido',
    status: 409,
    mensagem: 'Outros bytes já foram aceitos neste endereço. Peça outro a POST /storage.',
    s3Code: 'InvalidObjectState',
  });

export const metodoDeEnvioNaoPermitido = (method: string) =>
  new UploadError({
    codigo: 'metodo_nao_permitido',
    status: 405,
    mensagem: `Este endereço não aceita ${method}. Envie o arquivo com PUT.`,
    s3Code: 'MethodNotAllowed',
    headers: { allow: 'PUT, OPTIONS' },
  });

export const envioIndisponivel = (cause?: unknown) =>
  new UploadError({
    codigo: 'indisponivel',
    status: 503,
    mensagem: `O serviço não consegue guardar o arquivo agora. Repita em ${ESPERE_SEGUNDOS} s.`,
    s3Code: 'SlowDown',
    headers: { 'retry-after': String(ESPERE_SEGUNDOS) },
    cause,
  });

export const erroInternoDeEnvio = (cause: unknown) =>
  new UploadError({
    codigo: 'erro_interno',
    status: 500,
    mensagem: 'Erro interno. Informe o requestId a quem opera o serviço.',
    s3Code: 'InternalError',
    cause,
  });

/** The body of S3's errors. `path` is without the query, which carries the signature. */
export function toS3Xml(error: UploadError, input: { key: string; path: string; requestId: string }): string {
  const elements: Record<string, string> = {
    Code: error.s3Code,
    Message: error.message,
    Key: input.key,
    Resource: input.path,
    ...error.s3Extra,
    RequestId: input.requestId,
    HostId: 'malote',
  };
  const inner = Object.entries(elements).map(([name, text]) => `<${name}>${escapeXml(text)}</${name}>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner.join('')}</Error>`;
}

/** Characters that XML 1.0 cannot hold are dropped: the path is the sender's. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function isoSeconds(ms: number): string {
  const date = new Date(Math.min(ms, MAX_DATE_MS));
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Last second of the year 9999: `Expires` is the sender's number. */
const MAX_DATE_MS = 253_402_300_799_000;

/** Whether the sender prefers problem+json to XML. */
export function wantsJson(accept: string | undefined): boolean {
  return /application\/(?:problem\+)?json/i.test(accept ?? '');
}
