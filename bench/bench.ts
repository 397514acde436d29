/**
 * `npm run bench`: prints a table and writes docs/desempenho.md; `npm run bench -- --json` prints one object only.
 * `--documentos n` makes a smaller run, for trying.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { servidorDeTeste } from '../test/support/postgres/servidor.ts';
import { type Conjunto, generateConjunto } from './conjunto.ts';
import { descreverMaquina } from './maquina.ts';
import { measureEnvios } from './medidas/envios.ts';
import { measureImportacao, measureImportacaoInPostgres } from './medidas/importacao.ts';
import { measureLibxml2Wasm } from './medidas/libxml2-wasm.ts';
import { measureNucleo } from './medidas/nucleo.ts';
import { measurePaginas } from './medidas/paginas.ts';
import { measurePartes } from './medidas/partes.ts';
import { measureRepouso } from './medidas/repouso.ts';
import { measureTokens } from './medidas/token.ts';
import { emJson, emMarkdown, emTexto, type Relatorio } from './relatorio.ts';

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, documentos: { type: 'string', default: '5000' } },
});
const documentos = Number(values.documentos);
if (!Number.isInteger(documentos) || documentos < 1)
  throw new RangeError(`--documentos ${values.documentos}`);

/** With as many of these, an office's month has about as many documents. */
const NOTAS_DO_MES = 0.8;
/** Further sets of documents for first readings of pages. */
const OUTROS_CONJUNTOS = 2;
/** Fewer than this is a trial: everything is measured once and briefly. */
const FEW = 1_000;
const PARTIDAS = 5;
const REPOUSO_MS = 30_000;
const NOTAS_SOZINHAS = 150;
/** So many times the documents make a zip that is nearly as large as one may be. */
const GRANDE = 1.44;

/** Progress goes to stderr: with `--json` stdout holds the object and nothing else. */
const say = (text: string) => process.stderr.write(`${text}\n`);

async function measure(pasta: string): Promise<Relatorio> {
  const maquina = descreverMaquina();
  await servidorDeTeste('medida');
  const breve = documentos < FEW;
  say(`gerando ${documentos} documentos …`);
  const conjunto = await generateConjunto({ pasta, documentos });
  say('libxml2-wasm …');
  const wasm = measureLibxml2Wasm(conjunto);
  say('núcleo fiscal …');
  const nucleo = measureNucleo(conjunto, { wasm: wasm.docsPorSegundo, pastaVazia: pasta });
  const bases = { xmllint: nucleo.xmllint, wasm: wasm.docsPorSegundo, nativo: nucleo.nativo };
  say('importação …');
  const aquecimento = await generateConjunto({
    pasta: join(pasta, 'aquecimento'),
    documentos,
    semente: 'bench-aquecimento',
  });
  const mes = await generateConjunto({
    pasta: join(pasta, 'mes'),
    documentos: Math.round(documentos * NOTAS_DO_MES),
    semente: 'bench-mes',
    comTudo: true,
  });
  const pedido = { pasta, nucleos: maquina.nucleos, aquecimento, mes, bases, breve };
  const importacao = await measureImportacao(conjunto, pedido);
  say('envios grandes com leitores …');
  const grande = await generateConjunto({
    pasta: join(pasta, 'grande'),
    documentos: Math.round(documentos * GRANDE),
    semente: 'bench-grande',
  });
  const envios = await measureEnvios(grande, { pasta, lidos: conjunto });
  say('importação no PostgreSQL …');
  const noPostgres = await measureImportacaoInPostgres(conjunto, pedido);
  say('partes da importação …');
  const partes = await measurePartes(conjunto, {
    pasta,
    nucleo: nucleo.docsPorSegundo,
    importacao: importacao.docsPorSegundo,
  });
  say('em repouso …');
  const repouso = await measureRepouso(conjunto, {
    pasta,
    partidas: breve ? 1 : PARTIDAS,
    repousoMs: breve ? 1_000 : REPOUSO_MS,
    notas: breve ? 3 : NOTAS_SOZINHAS,
    breve,
  });
  say('páginas …');
  const outroConjunto = (semente: string) =>
    generateConjunto({ pasta: join(pasta, semente), documentos, semente });
  const outros: Conjunto[] = [];
  for (let i = 0; i < OUTROS_CONJUNTOS; i++) outros.push(await outroConjunto(`outros-${i}`));
  const paginas = await measurePaginas(conjunto, {
    pasta,
    segundos: breve ? 1 : 3,
    rodadas: breve ? 1 : 3,
    outros,
    emGzip: await outroConjunto('em-gzip'),
  });
  say('tokens …');
  const tokens = await measureTokens({ segundos: 2, breve });
  return {
    maquina,
    documentos: conjunto.documentos.length,
    dia: new Date().toISOString().slice(0, 10),
    resultados: [
      wasm.resultado,
      nucleo.resultado,
      importacao.resultado,
      envios,
      noPostgres,
      partes,
      repouso,
      paginas,
      tokens,
    ],
  };
}

const pasta = mkdtempSync(join(tmpdir(), 'malote-bench-'));
try {
  const relatorio = await measure(pasta);
  if (values.json) {
    console.log(JSON.stringify(emJson(relatorio), null, 2));
  } else {
    console.log(`\n${emTexto(relatorio)}\n`);
    const page = join(import.meta.dirname, '..', 'docs', 'desempenho.md');
    writeFileSync(page, emMarkdown(relatorio));
    say('escrito em docs/desempenho.md');
  }
} finally {
  rmSync(pasta, { recursive: true, force: true });
}
