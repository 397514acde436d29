/** Makes the n-th hostile file of a campaign: always the same for the same seed and files. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { Aleatorio } from '../../src/gerador/aleatorio.ts';
import type { Semente } from '../sementes/todas.ts';
import { ASSINATURAS } from './assinaturas.ts';
import { BYTES } from './bytes.ts';
import { CODIFICACAO } from './codificacao.ts';
import { ESTRUTURA } from './estrutura.ts';

/** Changes a text in which one character is one byte. Where there is nothing to change it stays as it is. */
export type Mutador = (text: string, tools: { random: Aleatorio; outra: string }) => string;

const GRUPOS: Readonly<Record<string, Readonly<Record<string, Mutador>>>> = {
  bytes: BYTES,
  estrutura: ESTRUTURA,
  codificacao: CODIFICACAO,
  assinaturas: ASSINATURAS,
};

/** Encodings come last: what was changed in them is no text any more. */
const WEIGHTS = [
  ['bytes', 25],
  ['estrutura', 35],
  ['assinaturas', 30],
  ['codificacao', 10],
] as const;

const MOST_CHANGES = 3;
/** No larger than a large document of the real world. */
const LARGEST = 4_000_000;

export interface Mutante {
  nome: string;
  bytes: Buffer;
  familia: string;
  /** What was done, in order: `group.name`. */
  feito: string[];
}

/** Changes what a docZip or a field of JSON holds compressed, and compresses it again. */
function insideCompressed(text: string, change: (inner: string) => string): string {
  return text.replace(/H4sI[A-Za-z0-9+/=]+/, (base64) => {
    const inner = gunzipSync(Buffer.from(base64, 'base64')).toString('latin1');
    return gzipSync(Buffer.from(change(inner), 'latin1')).toString('base64');
  });
}

function isCompressed(text: string): boolean {
  return text.includes('H4sI');
}

export function mutante(input: { semente: string; n: number; sementes: readonly Semente[] }): Mutante {
  const random = new Aleatorio(`hostis/${input.semente}/${input.n}`);
  const families = [...new Set(input.sementes.map(({ familia }) => familia))];
  const familia = random.pick(families);
  const seed = random.pick(input.sementes.filter((one) => one.familia === familia));
  const outra = random.pick(input.sementes).bytes.toString('latin1');
  let text = seed.bytes.toString('latin1');
  const feito: string[] = [];
  const changes = random.integer(1, MOST_CHANGES);
  for (let i = 0; i < changes && text.length < LARGEST; i++) {
    const grupo = random.weighted(WEIGHTS);
    const [nome, mutador] = random.pick(Object.entries(GRUPOS[grupo] ?? {}));
    const change = (inner: string) => mutador(inner, { random, outra });
    const inside = isCompressed(text) && random.chance(0.7);
    try {
      text = inside ? insideCompressed(text, change) : change(text);
    } catch (error) {
      // An earlier change may have broken what is compressed.
      if (!inside) throw error;
      text = change(text);
    }
    feito.push(`${grupo}.${nome}`);
    if (grupo === 'codificacao') break;
  }
  return { nome: seed.nome, bytes: Buffer.from(text.slice(0, LARGEST), 'latin1'), familia, feito };
}
