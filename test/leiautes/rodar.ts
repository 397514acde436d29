/** `npm run leiautes [quantos] [semente]`: notes of all municipal layouts with something wrong in them, as they are read. */
import { readMutantes } from '../../src/fiscal/nfse/leiautes/mutar-de-teste.ts';

const [quantos = '10000', semente = '1'] = process.argv.slice(2);
const faults = readMutantes(Number(quantos), Number(semente));
for (const fault of faults) console.log(fault);
console.log(`${quantos} mutantes, semente ${semente}: ${faults.length} lidos de outro modo do que dizem.`);
process.exitCode = faults.length > 0 ? 1 : 0;
