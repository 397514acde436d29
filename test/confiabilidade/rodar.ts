/**
 * `npm run confiabilidade`: the long form of the crash campaign; writes `docs/confiabilidade.json` (the figures) and
 * `docs/confiabilidade.md` (made from them alone). `-- --so R01,R04 --motor sqlite|postgres --kills 300 --curta
 * --semente texto`; a part of it renews its own rows only.
 */
import { parseArgs } from 'node:util';
import { type Contexto, Pulado } from './cenario.ts';
import { CENARIOS } from './lista.ts';
import type { NomeDoMotor } from './motores.ts';
import { keepResultado, type Resultado, resumo } from './resultados.ts';
import { closeServidorComum } from './servidor-postgres.ts';

const { values } = parseArgs({
  options: {
    so: { type: 'string', default: '' },
    motor: { type: 'string', default: '' },
    kills: { type: 'string', default: '300' },
    semente: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    curta: { type: 'boolean', default: false },
    /** Prints only. */
    seco: { type: 'boolean', default: false },
  },
});
const wanted = new Set(values.so.split(',').filter(Boolean));
const quedas = Number(values.kills);
if (!Number.isInteger(quedas) || quedas < 1) throw new RangeError(`--kills ${values.kills}`);
const unknown = [...wanted].filter((id) => !CENARIOS.some((cenario) => cenario.id === id));
if (unknown.length > 0) throw new RangeError(`--so ${unknown.join(',')}`);

/**
 * The client behind `fetch` asserts, beside every promise, when a server closes a connection whose answer still waits to be
 * read. The request itself fails by its time limit, and is tried again as any other.
 */
process.on('uncaughtException', (error) => {
  if (error.name === 'AssertionError' && error.stack?.includes('deps/undici')) return;
  console.error(error);
  process.exit(1);
});

let failed = 0;
for (const cenario of CENARIOS) {
  if (wanted.size > 0 && !wanted.has(cenario.id)) continue;
  for (const motor of cenario.motores) {
    if (values.motor && values.motor !== motor) continue;
    const result = await run(cenario, motor);
    console.log(resumo(result));
    for (const { regra, detalhe } of result.violacoes) console.error(`  ${regra}: ${detalhe}`);
    failed += result.violacoes.length > 0 ? 1 : 0;
    if (!values.seco) keepResultado(result);
  }
}
await closeServidorComum();
process.exitCode = failed > 0 ? 1 : 0;

async function run(cenario: (typeof CENARIOS)[number], motor: NomeDoMotor): Promise<Resultado> {
  const { id, titulo } = cenario;
  const startedAt = performance.now();
  const contexto: Contexto = {
    motor,
    curta: values.curta,
    semente: values.semente,
    quedas,
    aoAvancar: (text) => process.stderr.write(`${id} ${motor}: ${text}\n`),
  };
  const base = {
    id,
    motor,
    titulo,
    forma: values.curta ? 'curta' : 'longa',
    semente: values.semente,
  } as const;
  const elapsed = () => Math.round((performance.now() - startedAt) / 1000);
  try {
    return { ...base, ...(await cenario.rodar(contexto)), pulado: null, segundos: elapsed() };
  } catch (error) {
    if (error instanceof Pulado) {
      return { ...base, feito: '', medido: '', violacoes: [], pulado: error.message, segundos: elapsed() };
    }
    const detalhe = String((error as Error).stack ?? error).slice(0, 1_000);
    const violacoes = [{ regra: 'erro', detalhe }];
    return { ...base, feito: '', medido: '', violacoes, pulado: null, segundos: elapsed() };
  }
}
