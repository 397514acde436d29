/** Makes the n-th mutant of a run: always the same for the same seed and files. */
import { Aleatorio } from '../../src/gerador/aleatorio.ts';
import { ASSINATURAS } from '../hostis/assinaturas.ts';
import { BYTES } from '../hostis/bytes.ts';
import { ESTRUTURA } from '../hostis/estrutura.ts';
import type { Mutador } from '../hostis/mutacoes.ts';
import type { Semente } from '../sementes/todas.ts';
import { ESQUEMA } from './esquema.ts';

const GRUPOS: readonly (readonly [
  nome: string,
  peso: number,
  mutadores: Readonly<Record<string, Mutador>>,
])[] = [
  ['esquema', 60, ESQUEMA],
  ['estrutura', 15, ESTRUTURA],
  ['assinaturas', 15, ASSINATURAS],
  ['bytes', 10, BYTES],
];

/** Repeated repetition makes files that only cost time. */
const LARGEST = 300_000;

export interface Mutante {
  nome: string;
  familia: string;
  bytes: Buffer;
  feito: string[];
}

export function mutante(input: { semente: string; n: number; sementes: readonly Semente[] }): Mutante {
  const random = new Aleatorio(`diferencial/${input.semente}/${input.n}`);
  const familia = random.pick([...new Set(input.sementes.map((one) => one.familia))]);
  const seed = random.pick(input.sementes.filter((one) => one.familia === familia));
  const outra = random.pick(input.sementes).bytes.toString('latin1');
  let text = seed.bytes.toString('latin1');
  const feito: string[] = [];
  // Most mutants have one change: two hide each other, and what is refused proves nothing.
  const changes = random.weighted([
    [1, 80],
    [2, 15],
    [3, 5],
  ] as const);
  for (let i = 0; i < changes && text.length < LARGEST; i++) {
    const grupo = random.weighted(GRUPOS.map(([nome, peso]) => [nome, peso] as const));
    const mutadores = GRUPOS.find(([nome]) => nome === grupo)?.[2] ?? {};
    const [nome, mutador] = random.pick(Object.entries(mutadores));
    text = mutador(text, { random, outra });
    feito.push(`${grupo}.${nome}`);
  }
  return { nome: seed.nome, familia, bytes: Buffer.from(text.slice(0, LARGEST), 'latin1'), feito };
}
