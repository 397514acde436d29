/** R24: the disk forgets. One byte is changed in stored documents and in kept uploads; none of it may pass for data. */
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Aleatorio } from '../../../src/gerador/aleatorio.ts';
import { generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { danificarConteudos } from '../bisturi.ts';
import { type Cenario, quanto } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';
import { sha256 } from '../sonda.ts';

export const bitsTrocados: Cenario = {
  id: 'R24',
  titulo: 'um byte trocado em documentos guardados e em envios guardados',
  motores: ['sqlite', 'postgres'],
  // `test/e2e/verificar.test.ts` damages documents and uploads in every run of the tests.
  motoresCurtos: [],
  async rodar(contexto) {
    const wanted = quanto(contexto, 20, 100);
    const remessa = await generateRemessa({
      semente: `${contexto.semente}/r24`,
      clientes: 2,
      documentos: wanted * 2,
      porArquivo: 3,
    });
    // Kept as they came: what has become a recipe of documents has no bytes of its own to be damaged.
    const env = { MALOTE_COMPACTAR_ENVIOS: '0' };
    await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa, env });
    await bancada.iniciar();
    await bancada.enviarTodos(remessa.arquivos);
    const violacoes: Violacao[] = await bancada.concluir();
    await bancada.matar();
    const sorte = new Aleatorio(`${contexto.semente}/r24`);
    const documents = await danificarConteudos(bancada.deposito, { quantos: wanted, sorte });
    const uploads = danificarEnvios(bancada.deposito.pasta, { quantos: wanted, sorte });
    await bancada.iniciar();
    const achados = await bancada.verificar();
    const missing = documents.length + uploads.length - achados.length;
    if (missing > 0) {
      const detalhe = `${missing} de ${documents.length + uploads.length} danos não foram achados`;
      violacoes.push({ regra: 'R24', detalhe });
    }
    const served = await servidos(bancada, new Map(documents.map((one) => [one.chave, one.sha256])));
    violacoes.push(...served.violacoes);
    return {
      feito: `1 byte em ${documents.length} documentos e em ${uploads.length} envios`,
      medido: `${achados.length} achados por malote verificar; ${served.refused} documentos recusados com 500, ${served.whole} ainda inteiros`,
      violacoes,
    };
  },
};

/** Changes one byte of kept uploads. @returns their paths */
function danificarEnvios(pasta: string, input: { quantos: number; sorte: Aleatorio }): string[] {
  const root = join(pasta, 'arquivos');
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('tmp'))
    .map((entry) => join(entry.parentPath, entry.name));
  return input.sorte
    .shuffled(paths)
    .slice(0, input.quantos)
    .map((path) => {
      const bytes = readFileSync(path);
      const at = input.sorte.integer(0, bytes.length - 1);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << input.sorte.integer(0, 7));
      const file = openSync(path, 'r+');
      writeFileSync(file, bytes);
      closeSync(file);
      return path;
    });
}

/** Every damaged document is asked for: whole (the damage hit what does not matter), or a 500; never other bytes. */
async function servidos(
  bancada: Bancada,
  damaged: ReadonlyMap<string, string>,
): Promise<{ refused: number; whole: number; violacoes: Violacao[] }> {
  const { sonda, escritorio, clientes } = bancada;
  const violacoes: Violacao[] = [];
  let [refused, whole] = [0, 0];
  for (const [chave, original] of damaged) {
    for (const cliente of clientes) {
      const path = `/api/v1/${escritorio.codigoCrm}/${cliente}/documentos/${chave}/chave?Xml=true`;
      const answer = await fetch(sonda.url + path, {
        headers: { authorization: `Bearer ${escritorio.token}` },
      });
      const text = await answer.text();
      if (answer.status === 404) continue;
      if (answer.status === 500 && JSON.parse(text).codigo === 'erro_interno') refused += 1;
      else if (answer.status === 200 && shaOf(JSON.parse(text).xml) === original) whole += 1;
      else violacoes.push({ regra: 'R24', detalhe: `${chave}: ${answer.status} com outros bytes` });
      if (/\n\s+at \S+/.test(text)) violacoes.push({ regra: 'I9', detalhe: `${chave}: rastro de pilha` });
    }
  }
  return { refused, whole, violacoes };
}

function shaOf(xml: string | null): string {
  return xml === null ? '' : sha256(xml);
}
