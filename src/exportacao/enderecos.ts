/** Signed addresses of the export area: they work without Authorization, for 15 minutes. */
import type { FastifyRequest } from 'fastify';
import type { HttpContext } from '../autorizacao/contexto.ts';
import { enderecoExpirado, enderecoInvalido } from './errors.ts';

export const VALID_SECONDS = 15 * 60;
/**
 * Pages that are prepared give out their addresses for so long after they were signed. So that whoever gets one has the
 * full time, such an address works for as much longer than it says.
 */
export const ENTREGA_SECONDS = 5 * 60;
/** Stands in the signature of those, so that no other address lives longer. */
const PREPARADO = 'p';

type Signer = Pick<HttpContext, 'enderecos' | 'deps'>;
type Sign = HttpContext['enderecos']['sign'];

/** What an address gives access to; the names are those of its path. */
export type Alvo =
  | { kind: 'download'; versaoId: number | string }
  | { kind: 'finalidade'; clienteId: number | string; documentoId: number | string };

/** Makes an absolute signed address below an origin. */
export function signedAddress(ctx: Signer, input: { origin: string; alvo: Alvo }): string {
  const expiresAtSeconds = Math.floor(ctx.deps.clock.now() / 1_000) + VALID_SECONDS;
  const sign: Sign = (parts) => ctx.enderecos.sign(parts);
  return addressUntil(sign, { ...input, parts: partsOf(input.alvo), expiresAtSeconds });
}

/** One for a page that is prepared, with any signer, until an instant (Unix seconds). */
export function preparedAddress(
  sign: Sign,
  input: { origin: string; alvo: Alvo; expiresAtSeconds: number },
): string {
  return addressUntil(sign, { ...input, parts: [...partsOf(input.alvo), PREPARADO] });
}

function addressUntil(
  sign: Sign,
  input: { origin: string; alvo: Alvo; parts: readonly string[]; expiresAtSeconds: number },
): string {
  const { expiresAtSeconds, parts } = input;
  const { kid, signature } = sign({ parts, expiresAtSeconds });
  const query = `StorageAccessKeyId=${kid}&Expires=${expiresAtSeconds}&Signature=${encodeURIComponent(signature)}`;
  return `${input.origin}${pathOf(input.alvo)}?${query}`;
}

/**
 * Checks the address of a request. The signature is judged before the deadline, so that only who once held a
 * good address learns that it lapsed.
 * @throws endereco_invalido, endereco_expirado
 */
export function checkAddress(ctx: Signer, input: { request: FastifyRequest; alvo: Alvo }): void {
  const query = new URL(input.request.raw.url ?? '', 'http://localhost').searchParams;
  const expires = single(query, 'Expires');
  const kid = single(query, 'StorageAccessKeyId');
  // A client that leaves the `+` of Base64 bare sends what decodes to a blank.
  const signature = single(query, 'Signature')?.replaceAll(' ', '+');
  if (!kid || !signature || !expires || !/^[0-9]{1,12}$/.test(expires)) throw enderecoInvalido();
  const expiresAtSeconds = Number(expires);
  const parts = partsOf(input.alvo);
  const isSigned = (what: readonly string[]) =>
    ctx.enderecos.verify({ kid, parts: what, expiresAtSeconds, signature });
  const isPreparado = !isSigned(parts);
  if (isPreparado && !isSigned([...parts, PREPARADO])) throw enderecoInvalido();
  const worksUntil = expiresAtSeconds + (isPreparado ? ENTREGA_SECONDS : 0);
  if (worksUntil < Math.floor(ctx.deps.clock.now() / 1_000)) throw enderecoExpirado();
}

/** The value of a name that stands there exactly once. */
function single(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  return values.length === 1 ? values[0] : undefined;
}

function partsOf(alvo: Alvo): string[] {
  return alvo.kind === 'download'
    ? ['GET', 'download', String(alvo.versaoId)]
    : ['GET', 'finalidade', String(alvo.clienteId), String(alvo.documentoId)];
}

function pathOf(alvo: Alvo): string {
  return alvo.kind === 'download'
    ? `/download/${alvo.versaoId}`
    : `/finalidade/${alvo.clienteId}/${alvo.documentoId}`;
}
