import type { Chave, CpfCnpj, Especie } from '../fiscal/tipos.ts';

/** One file of a scenario. */
export interface ItemDoCenario {
  /** Path in a zip, ASCII. */
  nome: string;
  bytes: Uint8Array;
  /** Key of the document, of the document that the event is about, or Id of the inutilização without `ID`. */
  chave: Chave;
  tipo: Especie;
  /** What the event is; null for everything else. */
  evento: { codigo: string; sequencia: number } | null;
  /** Moment of issue; ascending through the scenario. */
  emissao: Date;
  /** Clients that it concerns: issuer, recipient and whoever else takes part. */
  clientes: readonly CpfCnpj[];
}

/** Makes a file of a scenario when its moment has come. */
export type Ato = (em: Date) => ItemDoCenario;

/** Folder of a file: the month of an ISO 8601 date. */
export function folderOf(iso: string): string {
  return iso.slice(0, 7);
}
