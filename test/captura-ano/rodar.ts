/**
 * `npm run captura:ano`: a simulated year of capture. With `--json` it prints one JSON object and nothing else; after
 * `--minutos` the year ends on the day that it has come to.
 */
import { parseArgs } from 'node:util';
import { Ano } from './ano.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    clientes: { type: 'string', default: '300' },
    dias: { type: 'string', default: '365' },
    documentos: { type: 'string', default: '6' },
    falhas: { type: 'string', default: '1' },
    'sem-parar': { type: 'boolean', default: false },
    minutos: { type: 'string', default: 'Infinity' },
    semente: { type: 'string', default: 'ano' },
  },
});

const began = performance.now();
const ano = new Ano({
  semente: values.semente,
  clientes: Number(values.clientes),
  dias: Number(values.dias),
  documentosPorMes: Number(values.documentos),
  falhasPorMil: Number(values.falhas),
  sossegoDias: 1,
  semParar: values['sem-parar'],
  limiteMs: Number(values.minutos) * 60_000,
  aoPassar: (dia, placar) => {
    const seconds = Math.round((performance.now() - began) / 1_000);
    process.stderr.write(
      `\rdia ${dia + 1}: ${placar.chegados} de ${placar.esperados} documentos, ${seconds} s `,
    );
  },
});
const resultado = await ano.run();
process.stderr.write('\n');
for (const nota of ano.notas) process.stderr.write(`${nota}\n`);
console.log(JSON.stringify(resultado));
