/**
 * `npm run forjas`: a hundred thousand forged files, in vaults of a thousand each. `-- --json` prints one object, `--variantes n`
 * and `--semente s` change how many and which. Exit code 1 when anything genuine was displaced, lost or restatused.
 */
import { parseArgs } from 'node:util';
import { forjar } from './campanha.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    variantes: { type: 'string', default: '100000' },
    semente: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  },
});

const POR_COFRE = 1_000;
const POR_GENUINO = 12;
const MOSTRADAS = 10;

const soma = { variantes: 0, genuinos: 0, substituidas: 0, perdidas: 0, sem_marca: 0 };
const achados: string[] = [];
for (let cofre = 0; soma.variantes < Number(values.variantes); cofre++) {
  const semente = `${values.semente}/${cofre}`;
  const found = await forjar({ variantes: POR_COFRE, porGenuino: POR_GENUINO, semente });
  soma.variantes += found.variantes;
  soma.genuinos += found.genuinos;
  soma.substituidas += found.substituidas.length;
  soma.perdidas += found.perdidas.length;
  soma.sem_marca += found.semMarca.length;
  achados.push(...found.substituidas, ...found.perdidas, ...found.semMarca);
  if (!values.json) console.log(`${soma.variantes} variantes, ${achados.length} achados`);
}
for (const achado of achados.slice(0, MOSTRADAS)) console.error(achado);
console.log(JSON.stringify(soma));
process.exitCode = achados.length > 0 ? 1 : 0;
