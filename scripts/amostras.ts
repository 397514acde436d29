/**
 * Makes what the import rehearses with after a start (`src/importacao/ensaio.ts`): `node scripts/amostras.ts`. Documents of
 * the generator, of nobody; the same ones each time.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gerarCenario } from '../src/gerador/cenario.ts';
import { zipDe } from '../src/gerador/zip.ts';

const DOCUMENTOS = 56;
const CLIENTES = 6;
/** Of the other families: their readers are compiled too. */
const OUTRAS = 12;

const folder = new URL('../amostras/', import.meta.url);
const cenario = gerarCenario({
  semente: 'amostras',
  clientes: CLIENTES,
  documentos: DOCUMENTOS,
  outras: OUTRAS,
  inicio: '2026-01-01',
  meses: 1,
});
const zip = await zipDe(cenario.documentos);
writeFileSync(fileURLToPath(new URL('importacao.zip', folder)), zip);
const clientes = cenario.empresas.map(({ id }) => id);
const lista = clientes.map((id) => JSON.stringify(id)).join(', ');
writeFileSync(fileURLToPath(new URL('clientes.json', folder)), `[${lista}]\n`);
console.log(`${zip.length} bytes, ${clientes.length} clients`);
