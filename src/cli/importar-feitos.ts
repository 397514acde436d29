import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { estadoInvalido, isObjeto, readEstado, storeEstado } from './estado.ts';
import { describeError, FalhaDoComando } from './saida.ts';

/** What was sent to a service before, by SHA-256 of the content: a renamed file is not sent again, a changed one is. */
export class Feitos {
  readonly #path: string | null;
  readonly #servidor: string;
  readonly #done: Set<string>;
  readonly #others: Record<string, unknown>;

  private constructor(lugar: { path: string | null; servidor: string }, servidores: Record<string, unknown>) {
    this.#path = lugar.path;
    this.#servidor = lugar.servidor;
    const { [lugar.servidor]: mine, ...others } = servidores;
    this.#others = others;
    this.#done = new Set(Array.isArray(mine) ? mine.map(String) : []);
  }

  /**
   * @param path of the file that remembers it; null: nothing is remembered
   * @param servidor address of the service
   * @throws FalhaDoComando `estado_invalido`, `estado_nao_gravavel`
   */
  static async open(path: string | null, servidor: string): Promise<Feitos> {
    if (path === null) return new Feitos({ path, servidor }, {});
    const servidores = servidoresDe(await readEstado(path));
    if (servidores === null) throw estadoInvalido(path);
    await requireWritable(path);
    return new Feitos({ path, servidor }, servidores);
  }

  has(sha256: string): boolean {
    return this.#done.has(sha256);
  }

  async add(hashes: readonly string[]): Promise<void> {
    for (const sha256 of hashes) this.#done.add(sha256);
    if (this.#path === null || hashes.length === 0) return;
    const servidores = { ...this.#others, [this.#servidor]: [...this.#done] };
    await storeEstado(this.#path, { versao: 1, servidores });
  }
}

/** By service, the list of what it was sent; null where the file says something else. */
function servidoresDe(state: Record<string, unknown> | null): Record<string, unknown> | null {
  const servidores = state === null ? {} : state.servidores;
  if (!isObjeto(servidores)) return null;
  return Object.values(servidores).every(Array.isArray) ? servidores : null;
}

/** Told before anything is sent: what was sent and could not be noted would be sent again each time. */
async function requireWritable(path: string): Promise<void> {
  try {
    await access(dirname(path), constants.W_OK);
  } catch (cause) {
    throw new FalhaDoComando(
      'estado_nao_gravavel',
      `Não é possível anotar em ${path} o que já foi enviado (${describeError(cause).mensagem}). Escolha outro lugar com --estado <arquivo>; nada foi enviado.`,
    );
  }
}
