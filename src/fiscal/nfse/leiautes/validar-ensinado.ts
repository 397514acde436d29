import { LEIAUTE_BYTES_MAX, type Leiaute } from './leiaute.ts';
import { LEIAUTES } from './tabela.ts';
import { validateLeiaute } from './validar-leiaute.ts';

/** What only descriptions that come with the product may claim, and why. */
const SO_NOSSOS: readonly (readonly [tem: (leiaute: Leiaute) => boolean, falta: string])[] = [
  [
    ({ id }) => LEIAUTES.some((nosso) => nosso.id === id),
    'id é de um leiaute que vem com o Malote: dê-lhe outro.',
  ],
  [
    ({ nota }) => nota.norma !== undefined,
    'nota.norma só existe nos leiautes que vêm com o Malote: retire-o.',
  ],
  [
    ({ chaveNacionalDaNota }) => chaveNacionalDaNota !== undefined,
    'chaveNacionalDaNota só existe nos leiautes que vêm com o Malote: retire-o.',
  ],
  [
    ({ semPrestador }) => semPrestador !== undefined,
    'semPrestador só existe nos leiautes que vêm com o Malote: retire-o.',
  ],
];

type Julgado = { ok: true; leiaute: Leiaute } | { ok: false; faltas: string[] };

/** Checks a description that somebody made or sent: as strictly as ours, and it claims nothing that only ours may. */
export function validateEnsinado(valor: unknown): Julgado {
  const read = validateLeiaute(valor);
  if (!read.ok) return read;
  const faltas = SO_NOSSOS.filter(([tem]) => tem(read.leiaute)).map(([, falta]) => falta);
  return faltas.length > 0 ? { ok: false, faltas } : read;
}

/** The same of the text of a JSON file. */
export function readEnsinado(text: string): Julgado {
  if (Buffer.byteLength(text) > LEIAUTE_BYTES_MAX)
    return { ok: false, faltas: [`O arquivo passa de ${LEIAUTE_BYTES_MAX / 1_000} KB: não é um leiaute.`] };
  try {
    return validateEnsinado(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch {
    return { ok: false, faltas: ['O arquivo não é JSON: peça-o de novo a quem o enviou.'] };
  }
}
