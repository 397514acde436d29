/** Room for texts in one answer: a document may have a thousand texts of megabytes, and a page is read by a browser. */

/** Longer texts are cut on the screen; the XML has them whole. */
const TEXTO_MAX = 5_000;
/** Longest name or label; those of the layouts have some 50 characters. */
const NOME_MAX = 80;

const CORTE = '…';

/** Cuts texts to their length, and to what is left of the room; a `…` at the end says so. */
export class Espaco {
  #livre: number;

  /** @param caracteres of all texts together */
  constructor(caracteres: number) {
    this.#livre = caracteres;
  }

  /** Nothing more has room. */
  get cheio(): boolean {
    return this.#livre <= 0;
  }

  texto(texto: string): string {
    const room = Math.max(0, Math.min(TEXTO_MAX, this.#livre));
    const cut = texto.length <= room ? texto : `${texto.slice(0, room)}${CORTE}`.toWellFormed();
    this.#livre -= cut.length;
    return cut;
  }

  /** Cuts the name of an element or attribute before it is put into words. */
  nome(nome: string): string {
    return nome.length <= NOME_MAX ? nome : `${nome.slice(0, NOME_MAX)}${CORTE}`.toWellFormed();
  }
}
