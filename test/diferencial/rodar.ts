/**
 * `npm run diferencial`: a million mutants through both tiers, in as many threads as there are cores; writes
 * docs/diferencial.md. `-- --quantos n --semente texto --fios n` changes size, files and threads;
 * `--minutos n` ends it after that time, with what was done. Real documents and
 * other schema packages of ../shared are taken where they are.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { PacoteDeEsquemas } from '../../src/fiscal/esquemas/pacote.ts';
import { loadPacotes } from '../../src/importacao/standards/esquemas-instalados.ts';
import { CORPUS, readAcervo } from '../acervo/amostras.ts';
import { type Semente, todasAsSementes } from '../sementes/todas.ts';
import { type Contagem, somar, vazia } from './campanha.ts';
import type { Ordem, Recado } from './fio.ts';

const { values } = parseArgs({
  options: {
    quantos: { type: 'string', default: '1000000' },
    semente: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    minutos: { type: 'string' },
    fios: { type: 'string', default: String(availableParallelism()) },
  },
});
const quantos = Number(values.quantos);
const fios = Number(values.fios);
const minutos = values.minutos === undefined ? undefined : Number(values.minutos);
if (minutos !== undefined && !(minutos > 0)) throw new RangeError(`--minutos ${values.minutos}`);
if (!Number.isInteger(quantos) || quantos < 1) throw new RangeError(`--quantos ${values.quantos}`);
if (!Number.isInteger(fios) || fios < 1) throw new RangeError(`--fios ${values.fios}`);

/** Larger files only make the run slower: what they hold stands in smaller ones too. */
const LARGEST_SAMPLE = 30_000;
/** Official packages of other families, as an operator would install them. */
const OUTROS_PACOTES = ['cte/PL_CTe_400_NT2026.002_RTC_1.00', 'nfse_nacional/1.01'];

function reais(): Semente[] {
  if (!existsSync(CORPUS)) return [];
  return readAcervo()
    .filter(({ bytes }) => bytes.length > 0 && bytes.length <= LARGEST_SAMPLE)
    .map(({ kind, nome, bytes }) => ({ familia: `real ${kind}`, nome, bytes }));
}

function pacotes(): PacoteDeEsquemas[] {
  const installed = OUTROS_PACOTES.map((name) => join(CORPUS, '..', 'xsd', name)).filter((folder) =>
    existsSync(folder),
  );
  const others = installed.map((folder) => ({
    nome: folder.split('/').slice(-2).join('-'),
    origem: 'instalado',
    arquivos: new Map(
      readdirSync(folder)
        .filter((name) => name.endsWith('.xsd'))
        .map((name) => [name, readFileSync(join(folder, name)) as Uint8Array] as const),
    ),
  }));
  return [...loadPacotes({ dataFolder: import.meta.dirname }), ...others];
}

function run(ordem: Ordem, onProgress: (mutantes: number) => void): Promise<Contagem> {
  const worker = new Worker(new URL('./fio.ts', import.meta.url), { workerData: ordem });
  const { promise, resolve, reject } = Promise.withResolvers<Contagem>();
  worker.on('error', reject);
  worker.on('exit', (code) => reject(new Error(`thread ended with ${code}`)));
  worker.on('message', (recado: Recado) => {
    if (recado.kind === 'andamento') onProgress(recado.mutantes);
    else resolve(recado.contagem);
  });
  return promise;
}

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

function page(
  total: Contagem,
  facts: { segundos: number; gerados: number; reais: number; esquemas: number },
): string {
  const rows = Object.entries(total.porMudanca).sort(([a], [b]) => a.localeCompare(b));
  const faults = total.faltas.map(
    ({ n, familia, feito, detalhe }) =>
      `| ${n} | ${familia} | ${feito.join(', ')} | ${detalhe.slice(0, 200).replaceAll('|', '/').replaceAll('\n', ' ')} |`,
  );
  return `# Camada rápida e camada lenta

Escrito por \`npm run diferencial\`; a forma curta roda em \`npm test\`. Cada mutante passa pelas duas camadas da leitura. O que
a rápida aceita tem de ser, peça por peça, a resposta da lenta: forma e esquema julgados pela libxml2, campos, avisos,
assinatura e bytes guardados. O esquema é pedido à libxml2 onde a rápida chama o documento de válido; em um de cada 25
mutantes, sempre, e a assinatura íntegra é então conferida também sem o código do Malote (forma canônica da libxml2, RSA da
OpenSSL).

| | |
|---|---|
| dia | ${new Date().toISOString().slice(0, 10)} |
| semente | \`${values.semente}\` |
| mutantes | ${total.mutantes}${total.mutantes < quantos ? ` (parou no tempo dado, ${minutos} minutos, de ${quantos} pedidos)` : ''} |
| partiram de | ${facts.gerados} documentos gerados e ${facts.reais} reais |
| pacotes de esquemas | ${facts.esquemas} |
| aceitos pela camada rápida | ${total.aceitos} (${percent(total.aceitos, total.mutantes)}) |
| documentos válidos pelo esquema | ${total.validos} |
| assinaturas íntegras conferidas por fora | ${total.confirmadas} |
| diferenças | ${total.faltas.length} |
| duração | ${Math.round(facts.segundos)} s em ${fios} threads |

| mudança | mutantes | aceitos |
|---|---|---|
${rows.map(([name, { mutantes, aceitos }]) => `| ${name} | ${mutantes} | ${percent(aceitos, mutantes)} |`).join('\n')}
${faults.length === 0 ? '' : `\n## Diferenças\n\n| nº | família | mudanças | detalhe |\n|---|---|---|---|\n${faults.join('\n')}\n`}`;
}

const startedAt = performance.now();
const gerados = todasAsSementes();
const outros = reais();
const esquemas = pacotes();
const progress = new Array<number>(fios).fill(0);
let told = 0;
const parts = await Promise.all(
  progress.map((_, fio) => {
    const de = Math.floor((quantos * fio) / fios);
    const ate = Math.floor((quantos * (fio + 1)) / fios);
    const ordem: Ordem = {
      semente: values.semente,
      de,
      ate,
      sementes: [...gerados, ...outros],
      pacotes: esquemas,
      ...(minutos === undefined ? {} : { minutos }),
    };
    return run(ordem, (mutantes) => {
      progress[fio] = mutantes;
      const done = progress.reduce((sum, one) => sum + one, 0);
      if (done - told < 20_000) return;
      told = done;
      process.stderr.write(`${done} mutantes\n`);
    });
  }),
);
const total = vazia();
for (const part of parts) somar(total, part);
const facts = {
  segundos: (performance.now() - startedAt) / 1000,
  gerados: gerados.length,
  reais: outros.length,
  esquemas: esquemas.length,
};
writeFileSync(join(import.meta.dirname, '..', '..', 'docs', 'diferencial.md'), page(total, facts));
for (const falta of total.faltas) console.error(falta);
console.log({
  ...total,
  porMudanca: undefined,
  faltas: total.faltas.length,
  segundos: Math.round(facts.segundos),
});
process.exitCode = total.faltas.length > 0 ? 1 : 0;
