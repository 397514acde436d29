import type { Ambiente } from '../banco/tabelas-captura.ts';
import type { Deps } from '../deps.ts';
import type { Relogio } from './relogio.ts';

/** What acts of people and programs need, who only write down what is wanted. */
export interface DepsDaCaptura extends Pick<Deps, 'db'> {
  relogio: Pick<Relogio, 'agora' | 'parede' | 'naParede'>;
  ambiente: Ambiente;
}
