/**
 * `npm run escala [-- --motor sqlite|postgres|ambos --documentos 1000000 --base 10000]`: the same requests against a
 * client with few and one with very many documents, interleaved; prints how much longer the larger one takes and
 * writes docs/escala.md. The promise is at most 1.5 times.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { descreverMaquina } from '../maquina.ts';
import type { MedidaDeEscala } from './medir.ts';
import { emMarkdown, type ResultadosDeEscala } from './pagina.ts';

const { values } = parseArgs({
  options: {
    motor: { type: 'string', default: 'ambos' },
    documentos: { type: 'string', default: '1000000' },
    base: { type: 'string', default: '10000' },
    vezes: { type: 'string', default: '200' },
    /** Prints, and leaves the page as it is. */
    'sem-pagina': { type: 'boolean', default: false },
  },
});

const DOCS = join(import.meta.dirname, '..', '..', 'docs');
const PAGE = join(DOCS, 'escala.md');
const RESULTS = join(DOCS, 'escala.json');

const motores = values.motor === 'ambos' ? ['sqlite', 'postgres'] : [values.motor];
const results: ResultadosDeEscala = existsSync(RESULTS)
  ? JSON.parse(readFileSync(RESULTS, 'utf8'))
  : { motores: {} };

for (const motor of motores) {
  // A process of its own: which engine the test bench stands on is settled when it is loaded.
  const child = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'medir.ts'), values.documentos, values.base, values.vezes],
    { env: { ...process.env, MALOTE_TESTE_MOTOR: motor }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (child.status !== 0) process.exit(child.status ?? 1);
  const medidas = JSON.parse(child.stdout.toString()) as MedidaDeEscala[];
  results.motores[motor] = {
    documentos: Number(values.documentos),
    base: Number(values.base),
    dia: new Date().toISOString().slice(0, 10),
    maquina: descreverMaquina(),
    medidas,
  };
  for (const { oQue, baseMs, cheioMs, razao } of medidas) {
    console.log(
      `${motor.padEnd(9)} ${oQue.padEnd(34)} ${baseMs.toFixed(2).padStart(8)} ms ${cheioMs.toFixed(2).padStart(8)} ms ${razao.toFixed(2).padStart(6)}x`,
    );
  }
}
if (!values['sem-pagina']) {
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(PAGE, emMarkdown(results));
  console.log('escrito em docs/escala.md');
}
