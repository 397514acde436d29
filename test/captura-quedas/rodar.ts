/**
 * `npm run captura:quedas`: kills of capturing processes, on both engines. With `--json` it prints one JSON object and nothing
 * else; after `--minutos` an engine is killed no more.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { ENDERECO, servidorDeTeste } from '../support/postgres/servidor.ts';
import { Quedas, type ResultadoDasQuedas } from './quedas.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    quedas: { type: 'string', default: '200' },
    minutos: { type: 'string', default: 'Infinity' },
    motor: { type: 'string' },
  },
});

async function noMotor(): Promise<void> {
  const quedas = new Quedas('quedas');
  const resultado = await quedas.run({
    quedas: Number(values.quedas),
    limiteMs: Number(values.minutos) * 60_000,
    tell: (feitas) => process.stderr.write(`\r${values.motor}: ${feitas} quedas `),
  });
  process.stderr.write(`\n${quedas.notas.join('\n')}\n`);
  console.log(JSON.stringify(resultado));
}

/** Each engine in a process of its own: which one it is is read when the tests' support is loaded. */
async function nosDois(): Promise<void> {
  const servidor = await servidorDeTeste();
  const resultados: Record<string, ResultadoDasQuedas | string> = {};
  for (const motor of ['sqlite', 'postgres']) {
    if (motor === 'postgres' && servidor.url === null) {
      resultados[motor] = servidor.motivo;
      continue;
    }
    const { stdout } = spawnSync(process.execPath, [...process.argv.slice(1), '--motor', motor], {
      env: {
        ...process.env,
        MALOTE_TESTE_MOTOR: motor,
        ...(servidor.url === null ? {} : { [ENDERECO]: servidor.url }),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    resultados[motor] = JSON.parse(stdout.toString()) as ResultadoDasQuedas;
  }
  if (servidor.url !== null) await servidor.stop();
  console.log(JSON.stringify(resultados));
}

await (values.motor ? noMotor() : nosDois());
