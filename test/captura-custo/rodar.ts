/** `npm run captura:custo`: what capture costs, at rest and with a long queue. It prints one JSON object. */
import { parseArgs } from 'node:util';
import { Custo } from './custo.ts';

const { values } = parseArgs({
  options: {
    clientes: { type: 'string', default: '300' },
    segundos: { type: 'string', default: '60' },
    documentos: { type: 'string', default: '100000' },
    filas: { type: 'string', default: '40' },
  },
});

const repouso = new Custo(Number(values.clientes));
await repouso.open();
const em_repouso = await repouso.emRepouso(Number(values.segundos));
await repouso.close();
process.stderr.write(`${JSON.stringify(em_repouso)}\n`);
const cheio = new Custo(Number(values.filas));
await cheio.open(['nfe']);
const fila = await cheio.fila(Number(values.documentos));
await cheio.close();
console.log(JSON.stringify({ em_repouso, fila }));
