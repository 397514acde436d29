/** The copy that is made of documents before they are deleted: ZIPs with the original bytes and a `manifest.csv`. */
import type { Readable } from 'node:stream';
import yazl from 'yazl';
import { type ConteudoGuardado, descomprimir, sha256De } from '../documentos/bytes/conteudo.ts';
import { lerEmissao } from '../documentos/lean/emissao-guardada.ts';
import type { BlobStore, StoredBlob } from '../platform/storage/blob-store.ts';
import type * as queries from './queries-documentos.ts';

/** A version with its bytes as they are stored. */
export type Conteudo = Awaited<ReturnType<typeof queries.findVersoesGuardadas>>[number] & {
  guardado: ConteudoGuardado;
};

/** Documents in one ZIP: about 20 MB of XML, so that one of them fits into memory on every way. */
export const DOCUMENTOS_POR_PACOTE = 2_000;
const PACOTE_MAX_BYTES = 1_000_000_000;

const COLUNAS = [
  'arquivo',
  'chave',
  'especie',
  'modelo',
  'serie',
  'numero',
  'data_emissao',
  'emitente',
  'destinatario',
  'status',
  'servida',
  'sha256',
] as const;

/** Every version of the documents, each as its own file, and the table of what is where. */
export async function writePacote(
  storage: BlobStore,
  input: { blob: string; paginas: AsyncIterable<readonly Conteudo[]> },
): Promise<StoredBlob> {
  const zip = new yazl.ZipFile();
  // yazl reports a failed entry here; the stream alone would end early and look whole.
  zip.on('error', (error) => (zip.outputStream as Readable).destroy(error as Error));
  let notKept = false;
  const fill = async () => {
    const linhas = [COLUNAS.join(';')];
    for await (const pagina of input.paginas) {
      if (notKept) return;
      for (const conteudo of pagina) {
        const nome = nomeDe(conteudo);
        zip.addBuffer(originalDe(conteudo), nome);
        linhas.push(linhaDe(conteudo, nome));
      }
    }
    zip.addBuffer(Buffer.from(`\ufeff${linhas.join('\r\n')}\r\n`), 'manifest.csv');
    zip.end();
  };
  const stored = storage.put(input.blob, zip.outputStream as Readable, { maxBytes: PACOTE_MAX_BYTES });
  stored.catch(() => {
    notKept = true;
  });
  // Whichever fails first ends the other: a package without its last entry must never look like a whole one.
  const filled = fill().catch((error: unknown) => {
    (zip.outputStream as Readable).destroy(error as Error);
    throw error;
  });
  // And nothing is read any more once this has ended.
  await Promise.allSettled([stored, filled]);
  const [blob] = await Promise.all([stored, filled]);
  return blob;
}

/** The original bytes. @throws when they are damaged: nothing is deleted that could not be copied first */
function originalDe(conteudo: Conteudo): Buffer {
  const bytes = descomprimir(conteudo.guardado);
  if (sha256De(bytes) !== conteudo.sha256) {
    throw new Error(`version ${conteudo.versao_id} is damaged: run malote verificar`);
  }
  return bytes;
}

/** `<modelo>/<ano-mes>/<chave>[-evento-sequência][-versão].xml`, plain ASCII. */
function nomeDe(conteudo: Conteudo): string {
  const evento = conteudo.evento_codigo ? `-${conteudo.evento_codigo}-${conteudo.evento_sequencia ?? 1}` : '';
  const versao = conteudo.servida === 1 ? '' : `-versao-${conteudo.versao_id}`;
  const safe = `${conteudo.chave}${evento}${versao}`.replace(/[^0-9A-Za-z._~-]/g, '_');
  const mes = lerEmissao(conteudo)
    .slice(0, 7)
    .replace(/[^0-9-]/g, '_');
  return `${conteudo.modelo.replace(/[^0-9A-Za-z]/g, '_')}/${mes}/${safe}.xml`;
}

function linhaDe(conteudo: Conteudo, nome: string): string {
  const { chave, especie, modelo, serie, numero, emitente, destinatario, status } = conteudo;
  const emissao = lerEmissao(conteudo);
  const cells = [nome, chave, especie, modelo, serie, numero, emissao, emitente, destinatario, status];
  return [...cells, conteudo.servida === 1 ? 'sim' : 'nao', conteudo.sha256].map(cell).join(';');
}

/** Quoted where CSV asks for it; a leading `=`, `+`, `-` or `@` would be run by a spreadsheet as a formula. */
function cell(value: string | number | null): string {
  const text = String(value ?? '');
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[;"\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
