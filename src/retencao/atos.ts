/** Everything that can be done about retention, bound to a process' database and store. */
import type { Deps } from '../deps.ts';
import * as exclusoes from './exclusoes.ts';
import * as guardas from './guardas.ts';
import { previaDe } from './previa.ts';
import { setPrazo } from './regras.ts';

type First<F extends (deps: never, input: never) => unknown> = Parameters<F>[1];

/** Binds the acts, for who may not import this folder. */
export function atosDaRetencao(deps: Pick<Deps, 'db' | 'clock' | 'storage'>) {
  return {
    previa: (input: First<typeof previaDe>) => previaDe(deps, input),
    setPrazo: (input: First<typeof setPrazo>) => setPrazo(deps, input),
    guardas: (contadorId: number) => guardas.listGuardas(deps.db.read, contadorId),
    guardar: (input: First<typeof guardas.guardar>) => guardas.guardar(deps, input),
    levantar: (input: First<typeof guardas.levantar>) => guardas.levantar(deps, input),
    exclusoes: (contadorId: number) => exclusoes.listExclusoes(deps.db.read, contadorId),
    exclusao: (input: First<typeof exclusoes.exclusaoDe>) => exclusoes.exclusaoDe(deps.db.read, input),
    pedir: (input: First<typeof exclusoes.askForExclusao>) => exclusoes.askForExclusao(deps, input),
    confirmar: (input: First<typeof exclusoes.confirmarExclusao>) => exclusoes.confirmarExclusao(deps, input),
    cancelar: (input: First<typeof exclusoes.cancelarExclusao>) => exclusoes.cancelarExclusao(deps, input),
    retomar: (input: First<typeof exclusoes.retomarExclusao>) => exclusoes.retomarExclusao(deps, input),
    baixar: (
      input: First<typeof exclusoes.downloadPacote>,
      entregar?: Parameters<typeof exclusoes.downloadPacote>[2],
    ) => exclusoes.downloadPacote(deps, input, entregar),
  };
}
