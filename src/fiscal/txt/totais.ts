/**
 * The total of a note in the TXT layout. Line W02 has had fields inserted in its middle by every dialect and year, and says
 * nowhere which dialect it is: that is found by what stands in its fields, of all notes of a file together.
 */
import { decimal } from './layout.ts';

/** Where the sum of the products and the total of the note stand in line W02. */
interface Dialeto {
  vProd: number;
  vNF: number;
  /** How many fields a line of it has at most, the letter included, where another has its products in the same place. */
  campos?: number;
  /** Layouts that it is of. */
  layout: RegExp;
  /** vICMSDeson is field 3. */
  desonera: boolean;
  /** Six fields of the single-phase tax in front of vProd. */
  monofasico?: true;
}

const ATE_2 = /^[12]\./;
const DESDE_3 = /^(?![12]\.)/;

/**
 * 2.00; 3.10 with vICMSDeson; SEBRAE 3.10 with what is due to the other state, with one empty field behind it too; local
 * 4.00 with FCP; SEBRAE 4.00 with both; these two again with the single-phase fields.
 */
const DIALETOS: readonly Dialeto[] = [
  { vProd: 5, vNF: 14, layout: ATE_2, desonera: false },
  { vProd: 6, vNF: 15, layout: DESDE_3, desonera: true },
  { vProd: 9, vNF: 18, campos: 20, layout: DESDE_3, desonera: true },
  { vProd: 9, vNF: 19, layout: DESDE_3, desonera: true },
  { vProd: 10, vNF: 19, layout: DESDE_3, desonera: true },
  { vProd: 11, vNF: 21, layout: DESDE_3, desonera: true },
  { vProd: 12, vNF: 22, layout: DESDE_3, desonera: true },
  { vProd: 15, vNF: 25, layout: DESDE_3, desonera: true, monofasico: true },
  { vProd: 17, vNF: 27, layout: DESDE_3, desonera: true, monofasico: true },
  { vProd: 18, vNF: 28, layout: DESDE_3, desonera: true, monofasico: true },
];

const VICMS_DESON = 3;
/** From vNF back to vProd, where vIPIDevol stands between them. */
const WITH_DEVOLUCAO = 10;

/** What of a note its total is known by. Values are decimal texts. */
export interface NotaComTotais {
  /** Of line A. */
  layout: string;
  w02: readonly string[];
  /** Field vServ of line W17. */
  vServ: string | null;
  /** Value of each item that is part of vProd: not of services (line U), which vServ is the sum of. */
  produtos: readonly (string | null)[];
}

function cents(text: string | null): number | null {
  return text === null ? null : Math.round(Number(text) * 100);
}

/** A note read by one dialect. */
interface Lido {
  vNF: string;
  /** The items of the note add up to what stands in the place of vProd. */
  soma: boolean;
  /** The parts of the total add up to what stands in the place of vNF. */
  fecha: boolean;
}

function readCom(dialeto: Dialeto, nota: NotaComTotais): Lido | null {
  const { w02, produtos } = nota;
  const { vProd, vNF, campos } = dialeto;
  const at = (index: number): number => cents(decimal(w02[index])) ?? 0;
  const told = decimal(w02[vNF]);
  if (!dialeto.layout.test(nota.layout) || told === null || decimal(w02[vProd]) === null) return null;
  const sum = produtos.reduce((total, value) => total + (cents(value) ?? 0), 0);
  const deson = dialeto.desonera ? at(VICMS_DESON) : 0;
  // A line of the other dialect without its last field is as short: there vOutro stands here, vDesc where it does.
  const isOther =
    campos !== undefined && (w02.length > campos || at(vNF) < at(vProd) - at(vProd + 3) - deson);
  if (isOther) return null;
  return {
    vNF: told,
    soma: Math.abs(at(vProd) - sum) <= produtos.length,
    fecha: addsUp({ dialeto, at, deson, vServ: cents(nota.vServ) ?? 0, folga: produtos.length }),
  };
}

/**
 * Whether vNF is what its parts make. What is relieved (vICMSDeson) and the single-phase tax that was withheld count or do
 * not, by what other fields of the note say. @fonte MOC 7.0 annex I, rule W16-10
 */
function addsUp(input: {
  dialeto: Dialeto;
  at: (index: number) => number;
  deson: number;
  vServ: number;
  folga: number;
}): boolean {
  const { dialeto, at, deson, vServ, folga } = input;
  const { vProd, vNF, monofasico } = dialeto;
  const total = at(vNF);
  if (total === 0) return false;
  const hasDevolucao = vNF - vProd === WITH_DEVOLUCAO;
  const before = vProd - (monofasico ? 6 : 0);
  const st = hasDevolucao ? at(before - 3) + at(before - 2) : at(before - 1);
  const frete = at(vProd + 1) + at(vProd + 2) - at(vProd + 3);
  const impostos = at(vProd + 4) + at(vProd + 5) + (hasDevolucao ? at(vProd + 6) : 0);
  const sum = at(vProd) + vServ + st + frete + impostos + at(vNF - 1);
  const retido = monofasico ? at(vProd - 3) : 0;
  return [0, -deson, retido, retido - deson].some((more) => Math.abs(sum + more - total) <= folga + 1);
}

/**
 * Totals (vNF) of the notes of a file. Each layout of it is written in one dialect: the one by which most of its notes add
 * up, and of those that do alike the first in which the totals are something.
 * @returns for each note its total, or null where it does not add up by that dialect in any way
 */
export function lerTotais(notas: readonly NotaComTotais[]): (string | null)[] {
  const chosen = new Map<string, Dialeto | null>();
  for (const { layout } of notas)
    if (!chosen.has(layout)) chosen.set(layout, choose(notas.filter((nota) => nota.layout === layout)));
  return notas.map((nota) => {
    const dialeto = chosen.get(nota.layout);
    const lido = dialeto ? readCom(dialeto, nota) : null;
    return lido && (lido.soma || lido.fecha) ? lido.vNF : null;
  });
}

function choose(notas: readonly NotaComTotais[]): Dialeto | null {
  let best: Dialeto | null = null;
  let most: readonly number[] = [0, 0, 0];
  for (const dialeto of DIALETOS) {
    const lidos = notas.flatMap((nota) => readCom(dialeto, nota) ?? []).filter(({ soma }) => soma);
    const count = [
      lidos.filter(({ fecha }) => fecha).length,
      lidos.filter(({ vNF }) => Number(vNF) > 0).length,
      lidos.length,
    ] as const;
    if (!isMore(count, most)) continue;
    best = dialeto;
    most = count;
  }
  return best;
}

/** By the first figure that differs. */
function isMore(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((figure, index) => figure !== b[index]);
  return at >= 0 && (a[at] as number) > (b[at] as number);
}
