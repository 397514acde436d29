/**
 * `node test/acervo/escrever.ts`: sends the collection through the real import and writes tabela.json anew. Notes
 * stay with their hashes; refusals that still need one are listed.
 */
import { ehDasFamilias, readAcervo } from './amostras.ts';
import { clientesDoAcervo } from './clientes.ts';
import { openAcervo, sendWhole } from './importar.ts';
import { precisaDeNota, readTabela, resumir, type Tabela, writeTabela } from './tabela.ts';

const amostras = readAcervo();
await using acervo = await openAcervo(clientesDoAcervo(amostras));
const { porArquivo } = await sendWhole(acervo, amostras);
const before = readTabela();
const tabela: Tabela = {};
for (const { sha256, kind, manifesto } of amostras) {
  const itens = resumir(porArquivo.get(sha256) ?? []);
  const note = before[sha256]?.note;
  tabela[sha256] = { kind, itens, ...(note ? { note } : {}) };
  const wellFormed = manifesto?.wellFormed !== false;
  if (!note && wellFormed && ehDasFamilias(kind) && precisaDeNota(itens))
    console.error(`needs a note: ${sha256} ${kind}`);
}
writeTabela(tabela);
console.log(`${amostras.length} files`);
