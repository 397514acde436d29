/**
 * `npm run ataques`: every attack at its full size, on both engines, against a service within its memory and beside an
 * honest office; writes `docs/ataques.md`. `-- --json` says one object in the last line, else a table. `--motor
 * sqlite|postgres`, `--so nome,nome`, `--curto` (the sizes of `npm test`), `--semente texto`; a run of a part, or a short
 * one, leaves the page alone.
 */
import { parseArgs } from 'node:util';
import { closeServidorComum } from '../confiabilidade/servidor-postgres.ts';
import { executar, type Resultado } from './executar.ts';
import { ATAQUES } from './lista.ts';
import { storePagina, tabelaDe, totalDe } from './resultados.ts';

const { values } = parseArgs({
  options: {
    so: { type: 'string', default: '' },
    motor: { type: 'string', default: '' },
    semente: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    curto: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const wanted = new Set(values.so.split(',').filter(Boolean));
const unknown = [...wanted].filter((nome) => !ATAQUES.some((ataque) => ataque.nome === nome));
if (unknown.length > 0)
  throw new RangeError(`--so ${unknown.join(',')}: há ${ATAQUES.map(({ nome }) => nome).join(', ')}`);
if (!['', 'sqlite', 'postgres'].includes(values.motor)) throw new RangeError(`--motor ${values.motor}`);

const { curto, semente } = values;
const resultados: Resultado[] = [];
for (const ataque of ATAQUES) {
  if (wanted.size > 0 && !wanted.has(ataque.nome)) continue;
  const motores = curto ? (ataque.motoresCurtos ?? ataque.motores) : ataque.motores;
  for (const motor of motores) {
    if (values.motor && values.motor !== motor) continue;
    const aoAvancar = (text: string) => process.stderr.write(`${ataque.nome} ${motor}: ${text}\n`);
    const resultado = await executar(ataque, { motor, curto, semente, aoAvancar });
    for (const falta of resultado.faltas) aoAvancar(`FALTA ${falta}`);
    resultados.push(resultado);
  }
}
await closeServidorComum();
const total = totalDe(resultados);
if (wanted.size === 0 && values.motor === '' && !curto) storePagina(resultados, { semente });
console.log(values.json ? JSON.stringify(total) : tabelaDe(resultados));
process.exit(resultados.some(({ faltas }) => faltas.length > 0) ? 1 : 0);
