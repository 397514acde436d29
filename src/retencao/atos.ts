/** Everything that can be done about retention, bound to a process' database and store. */
import type { Deps } from '../deps.ts';
import * as exclusoes from './exclusoes.ts';
import * as guardas from './guardas.ts';
import { previaDe } from './previa.ts';
import { definirPrazo } from './regras.ts';

type First<F extends (deps: never, input: never) => unknown> = Parameters<F>[1];

/** Binds the acts, for who may not import this folder. */
export function atosDaRetencao(deps: Pick<Deps, 'db' | 'clock' | 'storage'>) {
  return {
    previa: (input: First<typeof previaDe>) => previaDe(deps, input),
    definirPrazo: (input: First<typeof definirPrazo>) => definirPrazo(deps, input),
    guardas: (contadorId: number) => guardas.listarGuardas(deps.db.read, contadorId),
    guardar: (input: First<typeof guardas.guardar>) => guardas.guardar(deps, input),
    levantar: (input: First<typeof guardas.levantar>) => guardas.levantar(deps, input),
    exclusoes: (contadorId: number) => exclusoes.listarExclusoes(deps.db.read, contadorId),
    exclusao: (input: First<typeof exclusoes.exclusaoDe>) => exclusoes.exclusaoDe(deps.db.read, input),
    pedir: (input: First<typeof exclusoes.pedirExclusao>) => exclusoes.pedirExclusao(deps, input),
    confirmar: (input: First<typeof exclusoes.confirmarExclusao>) => exclusoes.confirmarExclusao(deps, input),
    cancelar: (input: First<typeof exclusoes.cancelarExclusao>) => exclusoes.cancelarExclusao(deps, input),
    retomar: (input: First<typeof exclusoes.retomarExclusao>) => exclusoes.retomarExclusao(deps, input),
    baixar: (
      input: First<typeof exclusoes.baixarPacote>,
      entregar?: Parameters<typeof exclusoes.baixarPacote>[2],
    ) => exclusoes.baixarPacote(deps, input, entregar),
  };
}
