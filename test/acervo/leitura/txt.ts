/** NF-e TXT: fields by their place, as far as the layouts of the collection agree on it. */
import { distintas, type Fatos, fatos, keyIn, plain, quem } from './fatos.ts';

type Campos = readonly string[];

/** Weights 2 to 9 from the right, letters as their code less 48. */
function withDigit(body: string): string {
  const sum = [...body]
    .reverse()
    .reduce((total, char, at) => total + (char.charCodeAt(0) - 48) * (2 + (at % 8)), 0);
  return `${body}${sum % 11 < 2 ? 0 : 11 - (sum % 11)}`;
}

function nota(lines: readonly Campos[]): Fatos {
  const line = (letter: string): Campos => lines.find(([name]) => name?.toUpperCase() === letter) ?? [];
  const b = line('B');
  const old = b[4] !== '55' && b[4] !== '65';
  const mod = old ? 5 : 4;
  const party = (papel: string, ...letters: string[]) =>
    letters.flatMap((letter) => {
      const id = quem(line(letter)[1] ?? null);
      return id ? [`${papel} ${id}`] : [];
    });
  const issuer = party('', 'C02', 'C02A')[0]?.trim() ?? '';
  // Behind cMunFG may stand the municipality of IBS too.
  const tpEmis = /^\d{7}$|^$/.test(b[mod + 8] ?? '') ? mod + 10 : mod + 9;
  const date = b[mod + 3] ?? '';
  const said = keyIn((line('A')[2] ?? '').trim());
  const composed = withDigit(
    `${b[1]}${date.slice(2, 4)}${date.slice(5, 7)}${issuer.padStart(14, '0')}${b[mod]}${(b[mod + 1] ?? '').padStart(3, '0')}` +
      `${(b[mod + 2] ?? '').padStart(9, '0')}${b[tpEmis]}${(b[2] ?? '').padStart(8, '0')}`,
  );
  const chave = said.length === 44 ? said : composed;
  return fatos({
    chave,
    modelo: b[mod] ?? '',
    serie: plain(b[mod + 1] ?? null),
    numero: plain(b[mod + 2] ?? null),
    data: date,
    status: 'Pendente',
    partes: distintas([
      ...party('emitente', 'C02', 'C02A'),
      ...party('destinatario', 'E02', 'E03'),
      ...party('transportador', 'X04', 'X05'),
      // Some write the CNPJ or CPF in front of the street.
      ...party('retirada', 'F02', 'F02A', 'F'),
      ...party('entrega', 'G02', 'G02A', 'G'),
      ...lines
        .filter(([name]) => /^(?:GA0[23]|G5[12])$/i.test(name ?? ''))
        .flatMap(([, id]) => (quem(id ?? null) ? [`autorizado ${quem(id ?? null)}`] : [])),
    ]),
  });
}

export function readTxt(text: string): Fatos[] {
  const lines = text.split(/\r?\n/).map((line) => line.split('|'));
  const starts = lines.flatMap(([letter], at) => (letter === 'A' ? [at] : []));
  return starts.map((from, at) => nota(lines.slice(from, starts[at + 1])));
}
