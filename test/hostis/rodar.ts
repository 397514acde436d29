/**
 * `npm run hostis`: the long campaign, with the real documents of ../shared where they are; writes docs/hostis.md.
 * `-- --quantos n --semente texto` changes its size and its files.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CORPUS, readAcervo } from '../acervo/amostras.ts';
import { type Semente, todasAsSementes } from '../sementes/todas.ts';
import { campanha, type Resultado } from './campanha.ts';

const { values } = parseArgs({
  options: {
    quantos: { type: 'string', default: '40000' },
    semente: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  },
});
const quantos = Number(values.quantos);
if (!Number.isInteger(quantos) || quantos < 1) throw new RangeError(`--quantos ${values.quantos}`);

/** Larger files only make the campaign slower: what they hold stands in smaller ones too. */
const LARGEST_SAMPLE = 60_000;
const MB = 1_000_000;

function reais(): Semente[] {
  if (!existsSync(CORPUS)) return [];
  return readAcervo()
    .filter(({ bytes }) => bytes.length > 0 && bytes.length <= LARGEST_SAMPLE)
    .map(({ kind, nome, bytes }) => ({ familia: `real ${kind.split('-')[0]}`, nome, bytes }));
}

function page(result: Resultado, reaisLidos: number): string {
  const rows = Object.entries(result.resultados).sort(([, a], [, b]) => b - a);
  const faltas = result.faltas.map(
    ({ n, tipo, familia, feito, detalhe }) =>
      `| ${n} | ${tipo} | ${familia} | ${feito.join(', ')} | ${detalhe.slice(0, 120).replaceAll('|', '/').replaceAll('\n', ' ')} |`,
  );
  return `# Arquivos hostis

Escrito por \`npm run hostis\`; a forma curta roda em \`npm test\`. Documentos de todas as famílias são alterados byte a
byte, na estrutura, na codificação e na assinatura, e lidos pelo mesmo código da importação. O que ele chama de íntegro é
conferido com a forma canônica da libxml2 e com o que foi lido do original.

| | |
|---|---|
| dia | ${new Date().toISOString().slice(0, 10)} |
| semente | \`${values.semente}\` |
| arquivos lidos | ${result.lidos} (${(result.bytes / MB).toFixed(0)} MB) |
| partiram de | ${todasAsSementes().length} documentos gerados e ${reaisLidos} reais |
| exceções | ${result.faltas.filter(({ tipo }) => tipo === 'excecao').length} |
| paradas ou leituras acima de 2 s | ${result.faltas.filter(({ tipo }) => tipo === 'parada' || tipo === 'demora').length} |
| leitura mais lenta | ${Math.round(result.maiorMs)} ms de processador |
| memória a mais, no pico | ${(result.crescimento / MB).toFixed(0)} MB |
| íntegros conferidos | ${result.conferidas} |
| íntegros com outro conteúdo assinado | ${result.faltas.filter(({ tipo }) => tipo === 'integra_falsa').length} |
| duração | ${Math.round(result.segundos)} s |

| resultado | peças |
|---|---|
${rows.map(([key, count]) => `| ${key} | ${count} |`).join('\n')}
${faltas.length === 0 ? '' : `\n## Faltas\n\n| nº | tipo | família | alterações | detalhe |\n|---|---|---|---|---|\n${faltas.join('\n')}\n`}`;
}

const sementes = reais();
const result = await campanha({
  semente: values.semente,
  quantos,
  sementes: [...todasAsSementes(), ...sementes],
  onProgress: (lidos) => {
    if (lidos % 5_000 === 0) process.stderr.write(`${lidos} lidos\n`);
  },
});
writeFileSync(join(import.meta.dirname, '..', '..', 'docs', 'hostis.md'), page(result, sementes.length));
const { faltas, ...figures } = result;
console.log(figures);
for (const falta of faltas) console.error(falta);
process.exitCode = faltas.length > 0 || result.crescimento > 200 * MB ? 1 : 0;
