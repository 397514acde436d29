/** Pages out of what is prepared: bytes are joined, nothing is made into objects or text. */
import { UsedAgain } from '../../platform/bytes/used-again.ts';
import { membroDe, type Parte, type Segmento } from '../../platform/gzip/membro.ts';
import { type Paginacao, toPagina } from '../paginas.ts';
import { EMPTY_TEXT_CHARACTERS, REGISTROS_DO_GRUPO, type TrechoPreparado } from './preparar-trechos.ts';

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

interface Fatia extends Pick<TrechoPreparado, 'bytes' | 'registros' | 'grupos'> {
  /** How many records of its stretch stand before these. */
  antes: number;
}

/** The records of a range, stretch by stretch. */
export function fatiasDe(trechos: readonly TrechoPreparado[], de: number, ate: number): Fatia[] {
  return trechos.flatMap(({ bytes, registros, grupos }) => {
    const first = registros[0]?.nsu;
    if (first === undefined) return [];
    // Numbers are dense.
    const antes = Math.max(0, de - first);
    const inside = registros.slice(antes, Math.max(0, ate - first + 1));
    return inside.length > 0 ? [{ bytes, registros: inside, grupos, antes }] : [];
  });
}

/** Bytes of records without texts. */
export function bytesDe(fatias: readonly Fatia[]): number {
  return fatias.reduce(
    (sum, { registros }) => sum + (registros.at(-1)?.fim ?? 0) - (registros[0]?.inicio ?? 0),
    0,
  );
}

/** The page object as JSON, without texts. */
export function paginaSemXml(paginacao: Paginacao, fatias: readonly Fatia[]): Buffer {
  const pieces: Uint8Array[] = [beginOf(paginacao)];
  for (const [at, { bytes, registros }] of fatias.entries()) {
    if (at > 0) pieces.push(COMMA);
    pieces.push(bytes.subarray(registros[0]?.inicio, registros.at(-1)?.fim));
  }
  pieces.push(END);
  return Buffer.concat(pieces);
}

/** The page object without texts, as one gzip member. */
export function paginaSemXmlEmGzip(paginacao: Paginacao, fatias: readonly Fatia[]): Buffer {
  const partes = fatias.flatMap(gruposEResto).flatMap((parte, at) => (at > 0 ? [COMMA, parte] : [parte]));
  return membroDe(joined([beginOf(paginacao), ...partes, END]));
}

/** Groups that are inside as a whole, and the records that are not in one of those. */
function gruposEResto({ bytes, registros, grupos, antes }: Fatia): Parte[] {
  const partes: Parte[] = [];
  let next = 0;
  for (let at = 0; at < registros.length; at = next) {
    const place = antes + at;
    const rest = REGISTROS_DO_GRUPO - (place % REGISTROS_DO_GRUPO);
    next = Math.min(registros.length, at + rest);
    const grupo = next - at === REGISTROS_DO_GRUPO ? grupos?.[place / REGISTROS_DO_GRUPO] : undefined;
    partes.push(grupo ?? bytes.subarray(registros[at]?.inicio, registros[next - 1]?.fim));
  }
  return partes;
}

/** The page object with texts, as one gzip member. @returns null when a text is missing */
export function paginaComXml(
  paginacao: Paginacao,
  fatias: readonly Fatia[],
  segmentos: ReadonlyMap<number, Segmento>,
): Buffer | null {
  const partes: Parte[] = [beginOf(paginacao)];
  for (const [at, { bytes, registros }] of fatias.entries()) {
    if (at > 0) partes.push(COMMA);
    let from = registros[0]?.inicio ?? 0;
    for (const { lugar, versaoId } of registros.flatMap(({ textos }) => textos)) {
      const segmento = segmentos.get(versaoId);
      if (!segmento) return null;
      partes.push(bytes.subarray(from, lugar), segmento);
      from = lugar + EMPTY_TEXT_CHARACTERS;
    }
    partes.push(bytes.subarray(from, registros.at(-1)?.fim));
  }
  partes.push(END);
  return membroDe(joined(partes), (bytes) => memory.take(bytes));
}

/** As many pages of a hundred records with texts as are sent at once. */
const memory = new UsedAgain(8 * 1024 * 1024);

/** A page that was sent, or will not be: its memory is for the next one. */
export function giveBackPagina(body: Buffer): void {
  memory.giveBack(body);
}

/** Plain bytes that stand side by side make one stored block. */
function joined(partes: readonly Parte[]): Parte[] {
  const found: Parte[] = [];
  const plain: Uint8Array[] = [];
  const close = () => {
    const [first, ...others] = plain.splice(0);
    if (first) found.push(others.length > 0 ? Buffer.concat([first, ...others]) : first);
  };
  for (const parte of partes) {
    if (parte instanceof Uint8Array) {
      plain.push(parte);
      continue;
    }
    close();
    found.push(parte);
  }
  close();
  return found;
}

function beginOf(paginacao: Paginacao): Buffer {
  return Buffer.from(JSON.stringify(toPagina(paginacao, [])).slice(0, -']}'.length));
}
