/**
 * Looks once a day whether there is a newer version, where whoever runs the server allows it (`MALOTE_AVISO_DE_VERSAO`): one
 * GET of that address, which carries nothing of this installation.
 */
import type { Deps } from '../../deps.ts';

const DAY_MS = 86_400_000;
/** A start is no time to wait for anybody. */
const FIRST_MS = 60_000;
const TIMEOUT_MS = 10_000;
/** What a registry says of one version has some tens of KB. */
const BYTES_MAX = 2_000_000;

type Numeros = readonly [number, number, number];

/** `v1.2.3` or `1.2.3`; null for drafts and anything else. */
function numerosDe(versao: string): Numeros | null {
  const [, a, b, c] = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/.exec(versao.trim()) ?? [];
  return a === undefined ? null : [Number(a), Number(b), Number(c)];
}

/** Whether a version is newer than another one; a text that is no version is not. */
export function isMaisNova(outra: string, esta: string): boolean {
  const [a, b] = [numerosDe(outra), numerosDe(esta)];
  if (!a || !b) return false;
  const at = a.findIndex((number, index) => number !== b[index]);
  return at !== -1 && (a[at] ?? 0) > (b[at] ?? 0);
}

/** The version that a document of a registry, or of a list of releases, tells; null: none. */
export function versaoDita(text: string): string | null {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return null;
  const { version, tag_name: tag } = value as { version?: unknown; tag_name?: unknown };
  const said = version ?? tag;
  return typeof said === 'string' && numerosDe(said) ? said.trim().replace(/^v/, '') : null;
}

/** The daily look; one for the process. */
export class VigiaDeVersao {
  readonly #deps: Pick<Deps, 'log'> & { url: string; versao: string };
  #timer: NodeJS.Timeout | undefined;
  #nova: string | null = null;

  constructor(deps: Pick<Deps, 'log'> & { url: string; versao: string }) {
    this.#deps = deps;
  }

  /** A newer version that was told of; null: none. */
  get nova(): string | null {
    return this.#nova;
  }

  /** Nobody is asked where there is no address. */
  start(): void {
    if (this.#deps.url === '') return;
    this.#timer = setTimeout(() => {
      void this.look();
      this.#timer = setInterval(() => void this.look(), DAY_MS).unref();
    }, FIRST_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Asks now. Who cannot be reached is asked again tomorrow; never fails. */
  async look(): Promise<void> {
    const { url, versao, log } = this.#deps;
    try {
      const answer = await fetch(url, {
        headers: { accept: 'application/json', 'user-agent': 'malote' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = answer.ok ? await readUpTo(answer, BYTES_MAX) : '{}';
      const dita = versaoDita(text);
      if (dita === null)
        log.warn(
          { url, status: answer.status },
          'o endereço de MALOTE_AVISO_DE_VERSAO não diz versão alguma',
        );
      else this.#nova = isMaisNova(dita, versao) ? dita : null;
    } catch (error) {
      log.warn({ err: error, url }, 'não foi possível ver se há versão nova');
    }
  }
}

async function readUpTo(answer: Response, max: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > max) throw new Error('the document is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
