/**
 * The journal of the outside checker: every fact that a client could notice, one JSON line each, on disk as it
 * happens. The judge (`julgar.ts`) reads nothing else, so what it says can be checked again later.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';

/** A feed: one client of one office, as `CRM/CPF-CNPJ`. */
export type Escopo = string;

export interface EntradaVista {
  nsu: number;
  /** `chave`, and for an event its code and sequence too. */
  identidade: string;
  /** Of the XML text as it was answered. */
  sha256: string;
}

/** A document of a file, known before the file is sent. */
export interface DocumentoEnviado {
  identidade: string;
  sha256: string;
  /** Feeds that it belongs to. */
  escopos: Escopo[];
}

export type Fato =
  | { fato: 'arquivo'; nome: string; crm: string; sha256: string; documentos: DocumentoEnviado[] }
  | { fato: 'ticket'; id: string; arquivo: string }
  /** The 200 of a PUT was seen. */
  | { fato: 'aceito'; id: string; em: number }
  /** A status that somebody saw; only changes are noted. */
  | { fato: 'status'; id: string; status: string; em: number; quem: string }
  /** `log` of a file, where it is not empty. */
  | { fato: 'log'; id: string; log: string }
  | ({ fato: 'visto'; escopo: Escopo; quem: string } & EntradaVista)
  /** A whole process (or the database) was killed, and everything works again. Milliseconds of the epoch. */
  | { fato: 'queda'; alvo: string; em: number }
  | { fato: 'no_ar'; em: number; levouMs: number }
  /** An answer that must not be: 5xx other than 503 and 507, 503 without `Retry-After`, a 409 to equal bytes. */
  | { fato: 'resposta_indevida'; status: number; onde: string; trecho: string }
  /** A stack or a secret where a caller or a log reader can see it. */
  | { fato: 'vazamento'; onde: string; trecho: string }
  /** What the table of a feed holds at the end. */
  | ({ fato: 'final'; escopo: Escopo } & EntradaVista)
  /** A feed was read to its end, from the beginning; without it its absence in the journal says nothing. */
  | { fato: 'feed_lido'; escopo: Escopo; quantos: number; total: number }
  /** How often each path of an imported file is told among its items, where that is not once. */
  | { fato: 'itens'; id: string; quantos: number; repetidos: string[] }
  /** Original bytes of an entry, as `url_download` gives them. */
  | { fato: 'baixado'; escopo: Escopo; identidade: string; sha256: string }
  | { fato: 'verificar'; codigo: number | null; achados: string[] };

export class Diario {
  readonly caminho: string;
  #pending: string[] = [];

  constructor(caminho: string) {
    this.caminho = caminho;
    writeFileSync(caminho, '');
  }

  anotar(...fatos: Fato[]): void {
    appendFileSync(this.caminho, fatos.map((fato) => `${JSON.stringify(fato)}\n`).join(''));
  }

  /** For facts that come by the thousand: written with the next call, or by `descarregar`. */
  noteLater(fato: Fato): void {
    this.#pending.push(`${JSON.stringify(fato)}\n`);
    if (this.#pending.length >= 500) this.descarregar();
  }

  descarregar(): void {
    const lines = this.#pending.splice(0).join('');
    if (lines !== '') appendFileSync(this.caminho, lines);
  }

  ler(): Fato[] {
    this.descarregar();
    return readDiario(this.caminho);
  }
}

function readDiario(caminho: string): Fato[] {
  return readFileSync(caminho, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Fato);
}
