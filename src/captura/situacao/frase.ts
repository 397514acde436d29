/** Who has something to do about what happened. */
export type Quem =
  /** Nobody: it is so, or Malote goes on by itself. */
  | 'ninguem'
  /** The people of the office, or their client. */
  | 'escritorio'
  /** Who runs Malote: network, machine, or a fault of the program. */
  | 'operador';

/** What a code means, for somebody who keeps books and knows neither SOAP nor TLS. */
export interface Frase {
  /** What happened (pt-BR, a sentence). */
  diz: string;
  /** What to do, or that nothing is to be done (pt-BR, a sentence). */
  fazer: string;
  quem: Quem;
}
