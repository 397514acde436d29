/** The queues of a service, and whom documents are being gathered for. */
import { Uso as NovoUso, type Uso } from './consumo.ts';
import { Fila, type Item } from './fila.ts';
import { DIA_MS } from './tipos.ts';

/** Documents are kept so long after they came. @fonte NT 2014.002, 3.11 */
export const GUARDA_MS = 90 * DIA_MS;
/** Without a distNSU for longer, nothing is gathered any more. @fonte NT 2014.002, 3.11 */
const SILENCIO_MS = 60 * DIA_MS;

export interface Estado {
  fila: Fila;
  uso: Uso;
}

export const baseDe = (cpfCnpj: string) => (cpfCnpj.length === 14 ? cpfCnpj.slice(0, 8) : cpfCnpj);

export class Filas {
  readonly #estados = new Map<string, Estado>();
  /** Last answered distNSU, by environment and base of the CNPJ. */
  readonly #ouvidos = new Map<string, number>();
  /** Documents are gathered only for who asks; false: for everybody, and for ever. */
  readonly #sobDemanda: boolean;

  constructor(opcoes: { sobDemanda: boolean }) {
    this.#sobDemanda = opcoes.sobDemanda;
  }

  /** State of a party. What is too old goes when somebody looks. */
  of(ambiente: string, cpfCnpj: string, agora: number): Estado {
    const id = `${ambiente}/${cpfCnpj}`;
    const known = this.#estados.get(id) ?? { fila: new Fila(), uso: new NovoUso() };
    this.#estados.set(id, known);
    if (this.#sobDemanda) known.fila.expire(agora - GUARDA_MS);
    return known;
  }

  /** Whether the party's base has asked within the last 60 days. */
  isGathering(ambiente: string, cpfCnpj: string, agora: number): boolean {
    if (!this.#sobDemanda) return true;
    if (this.of(ambiente, cpfCnpj, agora).uso.primeiraEm === null) return false;
    return !this.hasGoneSilent(ambiente, cpfCnpj, agora);
  }

  hasGoneSilent(ambiente: string, cpfCnpj: string, agora: number): boolean {
    const heard = this.#ouvidos.get(`${ambiente}/${baseDe(cpfCnpj)}`);
    return heard !== undefined && agora - heard > SILENCIO_MS;
  }

  hear(ambiente: string, cpfCnpj: string, agora: number): void {
    this.#ouvidos.set(`${ambiente}/${baseDe(cpfCnpj)}`, agora);
  }

  /** @returns null where nothing is gathered for the party */
  add(ambiente: string, cpfCnpj: string, item: Omit<Item, 'nsu'>): Item | null {
    if (!this.isGathering(ambiente, cpfCnpj, item.em)) return null;
    return this.of(ambiente, cpfCnpj, item.em).fila.add(item);
  }
}
