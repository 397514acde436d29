/**
 * `npm run bench:nacional`: what a whole country's documents would ask of an installation, as plain arithmetic on
 * premises that stand here with where they come from. Every one can be changed: `-- --documentosAno 5e10`. The
 * result is no measurement and no promise; what it is divided by is (`docs/desempenho.md`, `npm run bench:nsu`).
 */
import { parseArgs } from 'node:util';

interface Premissa {
  valor: number;
  unidade: string;
  origem: string;
}

/**
 * NF-e: 663.4 million accumulated at the end of 2009 and 11 billion in mid-2015, so about 1.9 billion a year then.
 * Consumer notes: eleven for each NF-e, the ratio of Paraíba in May of one year (26.986 to 2.390 million).
 */
const PREMISSAS: Readonly<Record<string, Premissa>> = {
  nfeAno: {
    valor: 1.9e9,
    unidade: 'NF-e por ano (ritmo de 2010 a 2015)',
    origem: '11 bilhões acumulados em 2015 (Unimake) menos 663 milhões no fim de 2009 (R. Dias Duarte)',
  },
  crescimento: { valor: 2, unidade: 'vezes desde então', origem: 'hipótese: ajuste ao ano que interessa' },
  nfcePorNfe: {
    valor: 11,
    unidade: 'NFC-e por NF-e',
    origem: 'SEFAZ-PB, mês de maio: 26,986 milhões de NFC-e e 2,390 milhões de NF-e',
  },
  parteDosEscritorios: {
    valor: 0.5,
    unidade: 'dos documentos passam por um escritório que usa o Malote',
    origem: 'hipótese',
  },
  entradasPorDocumento: {
    valor: 1.3,
    unidade: 'entradas por documento (emitente e, às vezes, destinatário são clientes)',
    origem: 'hipótese',
  },
  escritorios: {
    valor: 77_112,
    unidade: 'organizações contábeis',
    origem: 'sistema CFC/CRCs em agosto de 2021 (jus.com.br, artigo 92360)',
  },
  pico: {
    valor: 6,
    unidade: 'vezes a média, na hora mais cheia',
    origem: 'hipótese: dias úteis, horário comercial, fechamento do mês',
  },
  xmlBytes: { valor: 8_700, unidade: 'bytes de XML por documento', origem: 'conjunto de npm run bench' },
  discoSobreXml: { valor: 0.24, unidade: 'bytes em disco por byte de XML', origem: 'docs/desempenho.md' },
  docsPorNucleo: {
    valor: 1_350,
    unidade: 'documentos por segundo e núcleo na importação',
    origem: 'docs/desempenho.md (SQLite)',
  },
};

const { values } = parseArgs({
  options: Object.fromEntries(Object.keys(PREMISSAS).map((name) => [name, { type: 'string' as const }])),
});
const p = (name: string): number => {
  const given = values[name];
  const number = given === undefined ? PREMISSAS[name]?.valor : Number(given);
  if (number === undefined || !Number.isFinite(number)) throw new RangeError(`--${name} ${given}`);
  return number;
};

const SECONDS = 365.25 * 86_400;
const documentosAno = p('nfeAno') * p('crescimento') * (1 + p('nfcePorNfe')) * p('parteDosEscritorios');
const mediaPorSegundo = documentosAno / SECONDS;
const picoPorSegundo = mediaPorSegundo * p('pico');
const entradasNoPico = picoPorSegundo * p('entradasPorDocumento');
const nucleos = picoPorSegundo / p('docsPorNucleo');
const terabytesAno = (documentosAno * p('xmlBytes') * p('discoSobreXml')) / 1e12;

const shown = (value: number) =>
  value.toLocaleString('pt-BR', {
    maximumSignificantDigits: 3,
    notation: value >= 1e9 ? 'compact' : 'standard',
  });

console.log('| premissa | valor | de onde vem |\n|---|---:|---|');
for (const [name, { unidade, origem }] of Object.entries(PREMISSAS)) {
  const changed = values[name] === undefined ? origem : `dada: --${name}`;
  console.log(`| ${unidade} | ${shown(p(name))} | ${changed} |`);
}
console.log('\n| resulta | |\n|---|---:|');
for (const [what, value] of [
  ['documentos por ano', documentosAno],
  ['documentos por segundo, média', mediaPorSegundo],
  ['documentos por segundo, no pico', picoPorSegundo],
  ['entradas (NSU) por segundo, no pico', entradasNoPico],
  ['núcleos de importação no pico', nucleos],
  ['TB por ano em disco, sem réplicas', terabytesAno],
  ['documentos por escritório e dia útil, média', documentosAno / p('escritorios') / 252],
] as const) {
  console.log(`| ${what} | ${shown(value)} |`);
}
