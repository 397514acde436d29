/** Faults of disks, wires and editors. Texts are Latin-1: one character is one byte. */
import type { Aleatorio } from '../../src/gerador/aleatorio.ts';
import type { Mutador } from './mutacoes.ts';
import { trocar } from './texto.ts';

const place = (random: Aleatorio, text: string) => random.integer(0, Math.max(0, text.length - 1));
const byte = (random: Aleatorio) => String.fromCharCode(random.integer(0, 255));

function stretch(random: Aleatorio, text: string, longest: number): [number, number] {
  const from = place(random, text);
  return [from, Math.min(text.length, from + random.integer(1, longest))];
}

export const BYTES: Readonly<Record<string, Mutador>> = {
  trocarByte: (text, { random }) => {
    const at = place(random, text);
    return trocar(text, at, at + 1, byte(random));
  },
  swapDigito: (text, { random }) => {
    const digits = [...text.matchAll(/(?<=>[^<]*)\d(?=[^<>]*<)/g)];
    if (digits.length === 0) return text;
    const { index } = random.pick(digits);
    return trocar(text, index, index + 1, String((Number(text[index]) + random.integer(1, 9)) % 10));
  },
  apagarTrecho: (text, { random }) => trocar(text, ...stretch(random, text, 200), ''),
  repetirTrecho: (text, { random }) => {
    const [from, to] = stretch(random, text, 500);
    return trocar(text, to, to, text.slice(from, to).repeat(random.integer(1, 20)));
  },
  inserirLixo: (text, { random }) => {
    const at = place(random, text);
    return trocar(text, at, at, Array.from({ length: random.integer(1, 50) }, () => byte(random)).join(''));
  },
  truncar: (text, { random }) => text.slice(0, place(random, text)),
  emendar: (text, { random, outra }) =>
    text.slice(0, place(random, text)) + outra.slice(place(random, outra)),
  concatenar: (text, { outra }) => text + outra,
  nul: (text, { random }) => {
    const at = random.chance(0.5) ? text.length : place(random, text);
    return trocar(text, at, at, '\0'.repeat(random.integer(1, 100)));
  },
  controle: (text, { random }) => {
    const at = place(random, text);
    return trocar(text, at, at, String.fromCharCode(random.integer(1, 31)));
  },
  muitosEspacos: (text, { random }) => {
    const at = place(random, text);
    return trocar(text, at, at, random.pick([' ', '\n', '\t']).repeat(random.integer(1, 200_000)));
  },
  lixoDepois: (text, { random }) =>
    text + random.pick(['<', '>', ']]>', '</x>', '\u001a', 'fim', '<!--', '<?x', '&']),
  lixoAntes: (text, { random }) =>
    random.pick([' ', '\n', 'xml: ', '\0', '>', '<!-- x -->', '--', ']]>']) + text,
};
