import type { IncomingHttpHeaders } from 'node:http';
import type { Enderecos } from '../../autorizacao/contexto.ts';
import type { Deps } from '../../deps.ts';
import type { Dono } from '../blob-do-envio.ts';
import { IMPORT_MAX_BYTES } from '../limites.ts';
import { findBilhete, type LinhaDeArquivo, type LinhaDeBilhete } from '../queries.ts';
import { STATUS_ARQUIVO } from '../tipos.ts';
import {
  arquivoGrandeDemais,
  assinaturaInvalida,
  chaveDesconhecida,
  corpoAusente,
  enderecoExpirado,
  enderecoIncompleto,
  md5Invalido,
  multipartNaoAceito,
  semDireitoDeEnviar,
} from './upload-errors.ts';

/** What the signature covers, besides the expiry: nothing that a client could change on the way, no header. */
export function signedParts(ticket: { id: string; extensao: string; contadorId: number }): string[] {
  return ['PUT', ticket.id, String(IMPORT_MAX_BYTES), ticket.extensao, String(ticket.contadorId)];
}

/** The address of a ticket: `{upload_url}/{id}?StorageAccessKeyId=…&Expires=…&Signature=…`. */
export function uploadAddress(input: {
  origin: string;
  id: string;
  kid: string;
  expiresAtSeconds: number;
  signature: string;
}): string {
  const kid = encodeURIComponent(input.kid);
  const signature = encodeURIComponent(input.signature);
  return `${input.origin}/${input.id}?StorageAccessKeyId=${kid}&Expires=${input.expiresAtSeconds}&Signature=${signature}`;
}

/** A request to the upload address at the moment its headers are in. */
interface Chegada {
  id: string;
  /** Request target, with its query. */
  url: string;
  headers: IncomingHttpHeaders;
  agoraMs: number;
}

/** A request that passed every check that needs no body. */
export interface EnvioAdmitido {
  arquivo: LinhaDeArquivo;
  /** The office whose it is, as the key of its bytes names it. */
  dono: Dono;
  /** Announced length, null when chunked. */
  contentLength: number | null;
  /** Hex, null when not announced. */
  md5: string | null;
  agoraMs: number;
}

interface Assinado {
  kid: string;
  expiresAtSeconds: number;
  signature: string;
}

/**
 * The checks of an upload, in S3's order, so that each fault gets the name that S3 gives it: parameters present →
 * key known → expiry a number → not expired → signature → who asked for it may still send → what the headers say of
 * the body.
 * @throws UploadError with the first fault
 * @fonte docs/arquitetura/enderecos.md
 */
export async function admitUpload(
  deps: Pick<Deps, 'db'> & { enderecos: Enderecos },
  chegada: Chegada,
): Promise<EnvioAdmitido> {
  const parametros = requireParameters(chegada.url);
  if (!deps.enderecos.knows(parametros.kid)) throw chaveDesconhecida();
  const assinado = { ...parametros, expiresAtSeconds: requireNumber(parametros.expires) };
  requireNotExpired(assinado, chegada.agoraMs);
  const arquivo = await requireSignature(deps, { id: chegada.id, assinado });
  requireRight(arquivo, chegada.agoraMs);
  refuseMultipart(chegada.headers);
  return {
    arquivo,
    dono: { codigoCrm: arquivo.dono_codigo_crm, criadoEm: arquivo.dono_criado_em },
    contentLength: requireLength(chegada.headers),
    md5: requireMd5(chegada.headers),
    agoraMs: chegada.agoraMs,
  };
}

function requireParameters(url: string): { kid: string; expires: string; signature: string } {
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length));
  const only = (name: string): string => {
    const [value, ...others] = query.getAll(name);
    if (!value || others.length > 0) throw enderecoIncompleto();
    return value;
  };
  return {
    kid: only('StorageAccessKeyId'),
    expires: only('Expires'),
    // A plus sign that a client did not encode is read as a blank; Base64 has no blanks.
    signature: only('Signature').replaceAll(' ', '+'),
  };
}

function requireNumber(expires: string): number {
  if (!/^[0-9]{1,15}$/.test(expires)) throw enderecoIncompleto();
  return Number(expires);
}

/** The second of the expiry itself still counts, as with S3. */
function requireNotExpired(assinado: Pick<Assinado, 'expiresAtSeconds'>, agoraMs: number): void {
  if (Math.floor(agoraMs / 1000) > assinado.expiresAtSeconds) {
    throw enderecoExpirado({ expiresAtSeconds: assinado.expiresAtSeconds, nowMs: agoraMs });
  }
}

async function requireSignature(
  deps: Pick<Deps, 'db'> & { enderecos: Enderecos },
  input: { id: string; assinado: Assinado },
): Promise<LinhaDeBilhete> {
  const { kid, signature, expiresAtSeconds } = input.assinado;
  const arquivo = await findBilhete(deps.db.read, input.id);
  // An unknown id is checked too, against parts that nobody signed: it takes the same way as a forged one.
  const parts = signedParts({
    id: input.id.slice(0, 36).replaceAll('\n', ''),
    extensao: arquivo?.extensao ?? '',
    contadorId: arquivo?.contador_id ?? 0,
  });
  const valid = deps.enderecos.verify({ kid, parts, expiresAtSeconds, signature });
  if (!valid || arquivo === null || arquivo.status === STATUS_ARQUIVO.expirado) throw assinaturaInvalida();
  return arquivo;
}

/** Whoever asked for the address may have lost the right to send since. */
function requireRight(bilhete: LinhaDeBilhete, agoraMs: number): void {
  const { token_id, token_revogado_em, token_expira_em, usuario_id, usuario_ativo } = bilhete;
  const isOver =
    token_id !== null &&
    (token_revogado_em !== null || (token_expira_em !== null && token_expira_em <= agoraMs));
  const isOut = usuario_id !== null && (usuario_ativo !== 1 || seesLess(bilhete));
  if (isOver || isOut) throw semDireitoDeEnviar();
}

/** The person of the console saw more of the office, or other clients, when the address was made. */
function seesLess({ alcance, usuario_papel, usuario_limitado, usuario_clientes }: LinhaDeBilhete): boolean {
  const isLimited = usuario_papel === 'cliente' || usuario_limitado === 1;
  if (!isLimited) return false;
  const then = alcance === null ? null : (JSON.parse(alcance) as number[]);
  return !then?.every((id) => usuario_clientes?.includes(id));
}

/** S3 would store the envelope with its boundaries; people who send a form are told instead. */
function refuseMultipart(headers: IncomingHttpHeaders): void {
  if (/^\s*multipart\//i.test(headers['content-type'] ?? '')) throw multipartNaoAceito();
}

function requireLength(headers: IncomingHttpHeaders): number | null {
  const text = headers['content-length'];
  if (text === undefined) {
    if (headers['transfer-encoding'] === undefined) throw corpoAusente();
    return null;
  }
  const length = Number(text);
  if (length > IMPORT_MAX_BYTES) throw arquivoGrandeDemais();
  return length;
}

function requireMd5(headers: IncomingHttpHeaders): string | null {
  const text = headers['content-md5'];
  if (text === undefined) return null;
  const bytes = Buffer.from(String(text), 'base64');
  if (bytes.length !== 16 || bytes.toString('base64') !== String(text).trim()) throw md5Invalido();
  return bytes.toString('hex');
}
