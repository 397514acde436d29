/**
 * Fetches the official file of authorities because an operator asked for it. What it brings is not trusted for where it
 * comes from (the address is plain HTTP): authorities count because they lead to a root that is known already. Its published
 * digest tells a broken transfer.
 */
import { hash } from 'node:crypto';
import { FalhaDoComando } from './saida.ts';

/** ITI's own has 0.4 MB. */
const ZIP_MAX_BYTES = 20_000_000;
const RESUMO_MAX_BYTES = 100_000;
const RESUMO = 'hashsha512.txt';
const WITHIN_MS = 60_000;
const REDIRECTS = 3;

function failed(codigo: string, mensagem: string): FalhaDoComando {
  return new FalhaDoComando(codigo, mensagem);
}

/**
 * @param address of the zip; its digest lies beside it
 * @throws FalhaDoComando `icp_nao_baixou`, `icp_redirecionado`, `icp_grande_demais`, `icp_resumo_nao_confere`
 */
export async function downloadAutoridades(address: string): Promise<{ nome: string; bytes: Buffer }> {
  const zip = new URL(address);
  const nome = zip.pathname.split('/').at(-1) || zip.pathname;
  const signal = AbortSignal.timeout(WITHIN_MS);
  const published = digestsIn(
    (await get(new URL(RESUMO, zip), { maxBytes: RESUMO_MAX_BYTES, signal })).toString('latin1'),
    nome,
  );
  const bytes = await get(zip, { maxBytes: ZIP_MAX_BYTES, signal });
  if (published.includes(hash('sha512', bytes, 'hex'))) return { nome, bytes };
  throw failed(
    'icp_resumo_nao_confere',
    `O SHA-512 de ${nome} não é o publicado em ${RESUMO}; nada foi instalado. Tente de novo mais tarde.`,
  );
}

/** The digests that a text gives for a file: on lines that name it, or that name none. */
function digestsIn(text: string, nome: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [digest] = /\b[0-9a-fA-F]{128}\b/.exec(line) ?? [];
    const others = /[\w.-]+\.(?:zip|crt|pem|p7b)\b/i.exec(line);
    return digest && (others === null || line.includes(nome)) ? digest.toLowerCase() : [];
  });
}

async function get(
  first: URL,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<Buffer> {
  let url = first;
  for (let turn = 0; turn <= REDIRECTS; turn++) {
    const response = await request(url, signal);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null)
      return await body(response, { url, maxBytes });
    await response.body?.cancel();
    const next = URL.parse(location, url.href);
    if (!next || next.hostname !== first.hostname || !/^https?:$/.test(next.protocol))
      throw failed(
        'icp_redirecionado',
        `${url.href} manda buscar em outro servidor: ${location.slice(0, 200)}.`,
      );
    url = next;
  }
  throw failed('icp_redirecionado', `${first.href} manda buscar em outro endereço vezes demais.`);
}

async function request(url: URL, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url.href, { redirect: 'manual', signal });
  } catch (error) {
    throw unreachable(url, error);
  }
}

async function body(response: Response, { url, maxBytes }: { url: URL; maxBytes: number }): Promise<Buffer> {
  if (response.status !== 200) throw failed('icp_nao_baixou', `${url.href} respondeu ${response.status}.`);
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of response.body ?? []) {
      length += part.length;
      // Leaving the loop ends the transfer.
      if (length > maxBytes) break;
      parts.push(part);
    }
  } catch (error) {
    throw unreachable(url, error);
  }
  if (length <= maxBytes) return Buffer.concat(parts);
  throw failed(
    'icp_grande_demais',
    `${url.href} tem mais de ${maxBytes / 1_000_000} MB: não é o que se esperava.`,
  );
}

function unreachable(url: URL, error: unknown): FalhaDoComando {
  const { name, message, cause } = error as Error;
  const why =
    name === 'TimeoutError'
      ? `não terminou em ${WITHIN_MS / 1_000} s`
      : cause instanceof Error
        ? cause.message
        : message;
  return failed('icp_nao_baixou', `${url.href} não pôde ser buscado: ${why}.`);
}
