/** Pages out of what is prepared: bytes are joined, nothing is made into objects or text. */
import { membroDe, type Parte, type Segmento } from '../../platform/gzip/membro.ts';
import { type Paginacao, toPagina } from '../paginas.ts';
import type { RegistroPreparado, TrechoPreparado } from './preparar-trechos.ts';

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');
const NULL_CHARACTERS = 'null'.length;

/** Gives memory of that very length. */
export type Alocar = (bytes: number) => Buffer;

interface Fatia {
  bytes: Uint8Array;
  registros: RegistroPreparado[];
}

/** The records of a range, stretch by stretch. */
export function fatiasDe(trechos: readonly TrechoPreparado[], de: number, ate: number): Fatia[] {
  return trechos.flatMap(({ bytes, registros }) => {
    const first = registros[0]?.nsu;
    if (first === undefined) return [];
    // Numbers are dense.
    const inside = registros.slice(Math.max(0, de - first), Math.max(0, ate - first + 1));
    return inside.length > 0 ? [{ bytes, registros: inside }] : [];
  });
}

/** The page object as JSON, without texts. */
export function paginaSemXml(
  paginacao: Paginacao,
  fatias: readonly Fatia[],
  allocate: Alocar = Buffer.allocUnsafe,
): Buffer {
  const pieces: Uint8Array[] = [beginOf(paginacao)];
  for (const [at, { bytes, registros }] of fatias.entries()) {
    if (at > 0) pieces.push(COMMA);
    pieces.push(bytes.subarray(registros[0]?.inicio, registros.at(-1)?.fim));
  }
  pieces.push(END);
  const page = allocate(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    page.set(piece, at);
    at += piece.length;
  }
  return page;
}

/** The page object with texts, as one gzip member. @returns null when a text is missing */
export function paginaComXml(
  paginacao: Paginacao,
  fatias: readonly Fatia[],
  segmentos: ReadonlyMap<number, Segmento>,
  allocate: Alocar = Buffer.allocUnsafe,
): Buffer | null {
  const partes: Parte[] = [];
  const plain: Uint8Array[] = [beginOf(paginacao)];
  for (const [at, { bytes, registros }] of fatias.entries()) {
    if (at > 0) plain.push(COMMA);
    let from = registros[0]?.inicio ?? 0;
    for (const { versaoId, xml } of registros) {
      if (versaoId === null) continue;
      const segmento = segmentos.get(versaoId);
      if (!segmento) return null;
      plain.push(bytes.subarray(from, xml));
      partes.push(...joined(plain), segmento);
      plain.length = 0;
      from = xml + NULL_CHARACTERS;
    }
    plain.push(bytes.subarray(from, registros.at(-1)?.fim));
  }
  plain.push(END);
  partes.push(...joined(plain));
  return membroDe(partes, allocate);
}

/** Plain bytes that stand side by side make one stored block. */
function joined(plain: readonly Uint8Array[]): Uint8Array[] {
  const [only] = plain;
  if (plain.length === 1 && only) return [only];
  return plain.length === 0 ? [] : [Buffer.concat(plain)];
}

function beginOf(paginacao: Paginacao): Buffer {
  return Buffer.from(JSON.stringify(toPagina(paginacao, [])).slice(0, -']}'.length));
}
