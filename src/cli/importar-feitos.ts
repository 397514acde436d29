import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { gravarEstado, lerEstado } from './estado.ts';
import { describeError, FalhaDoComando } from './saida.ts';

/** What was sent to a service before, by SHA-256 of the content: a renamed file is not sent again, a changed one is. */
export class Feitos {
  readonly #path: string | null;
  readonly #servidor: string;
  readonly #done: Set<string>;
  readonly #others: Record<string, unknown>;

  private constructor(path: string | null, servidor: string, state: Record<string, unknown>) {
    this.#path = path;
    this.#servidor = servidor;
    const { [servidor]: mine, ...others } = state;
    this.#others = others;
    this.#done = new Set(Array.isArray(mine) ? mine.map(String) : []);
  }

  static async open(path: string | null, servidor: string): Promise<Feitos> {
    const state = path === null ? null : await lerEstado(path);
    if (path !== null) await requireWritable(path);
    return new Feitos(path, servidor, (state?.servidores as Record<string, unknown> | undefined) ?? {});
  }

  has(sha256: string): boolean {
    return this.#done.has(sha256);
  }

  async add(hashes: readonly string[]): Promise<void> {
    for (const sha256 of hashes) this.#done.add(sha256);
    if (this.#path === null || hashes.length === 0) return;
    const servidores = { ...this.#others, [this.#servidor]: [...this.#done] };
    await gravarEstado(this.#path, { versao: 1, servidores });
  }
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
