/** What becomes of a deletion whose step fails: it is tried again after ever longer pauses, and then a person is told. */
import { ACAO, auditar } from '../auditoria/auditar.ts';
import type { Deps } from '../deps.ts';
import { type FaltaDoEntorno, faltaDoEntorno } from '../platform/surroundings.ts';
import * as queries from './queries-exclusoes.ts';

/** Tries of one process. With the pauses between them they take about twenty minutes. */
export const TENTATIVAS = 12;
const PAUSA_MS = 1_000;
const PAUSA_MAIS_LONGA_MS = 5 * 60_000;

/** How often the steps of deletions have failed here. Of one process: a restart, and another process, try as often. */
export class Falhas {
  readonly #porId = new Map<string, { vezes: number; antesDe: number }>();

  /** Whether it is too early for the next try. A pause longer than any was reckoned by a clock that was wrong. */
  pausada(id: string, agora: number): boolean {
    const restam = (this.#porId.get(id)?.antesDe ?? agora) - agora;
    return restam > 0 && restam <= PAUSA_MAIS_LONGA_MS;
  }

  /** One more. @returns true when it was the last try; whoever has it done again has all of them */
  conta(id: string, agora: number): boolean {
    const vezes = (this.#porId.get(id)?.vezes ?? 0) + 1;
    if (vezes >= TENTATIVAS) {
      this.#porId.delete(id);
      return true;
    }
    const pausa = Math.min(PAUSA_MS * 2 ** (vezes - 1), PAUSA_MAIS_LONGA_MS);
    this.#porId.set(id, { vezes, antesDe: agora + pausa });
    return false;
  }

  /** Forgets all others: they went on, were given up, or are another process'. */
  esqueceMenos(ids: ReadonlySet<string>): void {
    for (const id of this.#porId.keys()) if (!ids.has(id)) this.#porId.delete(id);
  }
}

/** Tells that a step cannot be done, unless another process has the deletion, or somebody cancelled it. */
export async function takeForFailure(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: { exclusao: queries.Exclusao; por: string; autor: string; error: unknown },
): Promise<void> {
  const { exclusao, por, autor } = input;
  const { id, estado, contador_id: contadorId } = exclusao;
  const erro = motivoDe(input.error);
  await deps.db.write.transaction().execute(async (trx) => {
    const agora = deps.clock.now();
    if (!(await queries.leaseExclusao(trx, { id, por, agora, ate: agora }))) return;
    const mudanca = { estado: 'falhou', erro, tomada_por: null, tomada_ate: null } as const;
    if (!(await queries.moveExclusao(trx, { id, de: [estado], mudanca }))) return;
    await auditar(trx, {
      em: agora,
      acao: ACAO.exclusaoFalhou,
      contadorId,
      autor,
      alvo: `exclusao/${id}`,
      detalhe: { passo: estado, motivo: erro },
    });
  });
}

const DO_ENTORNO: Readonly<Record<FaltaDoEntorno, string>> = {
  disco_cheio: 'Não há espaço para gravar os arquivos.',
  banco_cheio: 'Não há espaço no disco do banco de dados.',
  armazenamento: 'O armazenamento dos arquivos não responde, ou recusa.',
  banco: 'O banco de dados não responde, ou recusa.',
};
const DO_SERVICO =
  'Um erro do serviço impediu o passo. Se persistir, peça a quem opera o serviço que rode malote verificar.';

/** For people. The log of the service has the error itself. */
function motivoDe(error: unknown): string {
  const falta = faltaDoEntorno(error);
  return falta === null ? DO_SERVICO : DO_ENTORNO[falta];
}
