/** A ZIP of documents in folders, with a manifest that names each file, its hash and what it is. */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Documento } from '../documentos/apresentar.ts';
import { BOM, COLUNAS, linhaCsv } from './colunas.ts';
import { pastaDe, segmento } from './pasta.ts';

/** A PDF, or why there is none, in words for people. */
export type Desenho = { bytes: Uint8Array } | { falta: string };

export interface ArquivoDoDocumento {
  sha256: string;
  tamanho: number;
  /** Read when its turn comes: one document is in memory at a time. */
  xml(): Promise<Uint8Array>;
  /** Null where no PDF is wanted. */
  pdf: (() => Promise<Desenho>) | null;
}

export interface ZipInput {
  paginas: AsyncIterable<Documento[]>;
  /** What is to be put in for the documents of a page, in their order; null of one whose content was deleted. */
  arquivosDe(pagina: readonly Documento[]): Promise<(ArquivoDoDocumento | null)[]>;
  pasta: string;
  /** Where the manifest grows until it is put in. */
  manifesto: string;
  /** Told as entries are written. */
  onDocumento(): void;
}

const EXCLUIDO = 'Conteúdo excluído ao fim do prazo de guarda';
const MANIFESTO = ['Arquivo', 'SHA-256', 'Bytes', 'Observação'] as const;

/** Writes the whole ZIP into a stream. @throws what a page or a document throws */
export async function writeZip(out: NodeJS.WritableStream, input: ZipInput): Promise<void> {
  const zip = new ZipFile();
  const piped = zip.outputStream.pipe(out);
  const manifesto = createWriteStream(input.manifesto, { mode: 0o600 });
  const failed = new Promise<never>((_resolve, reject) => {
    zip.on('error', reject);
    out.on('error', reject);
    // A full disk: unheard, it would end the process.
    manifesto.on('error', reject);
  });
  // Whoever waits meets the failure; nobody may be waiting just then.
  failed.catch(() => manifesto.destroy());
  manifesto.write(BOM + linhaCsv([...MANIFESTO, ...COLUNAS.map(({ titulo }) => titulo)]));
  const nomes = new Set<string>();
  for await (const pagina of input.paginas) {
    const arquivos = await input.arquivosDe(pagina);
    let last: Promise<void> = Promise.resolve();
    for (const [index, documento] of pagina.entries()) {
      const arquivo = arquivos[index] ?? null;
      const caminho = arquivo ? nomeLivre(nomes, { documento, pasta: input.pasta }) : '';
      // Drawn before its line is written: the manifest says which document has none, and why.
      const desenho = (await arquivo?.pdf?.()) ?? null;
      if (arquivo)
        last = entrada(zip, { caminho, documento, arquivo, desenho, onDocumento: input.onDocumento });
      manifesto.write(
        linhaCsv([
          caminho === '' ? '' : `${caminho}.xml`,
          arquivo?.sha256 ?? '',
          arquivo?.tamanho ?? null,
          arquivo ? (desenho && 'falta' in desenho ? desenho.falta : '') : EXCLUIDO,
          ...COLUNAS.map(({ valor }) => valor(documento)),
        ]),
      );
      // Pictures are large: one is in memory at a time.
      if (desenho) await Promise.race([last, failed]);
    }
    // The next page is read when the last entry of this one is being written: memory holds one page.
    await Promise.race([last, failed]);
  }
  manifesto.end();
  await finished(manifesto);
  zip.addFile(input.manifesto, 'manifest.csv');
  zip.end();
  await Promise.race([finished(piped as NodeJS.WritableStream), failed]);
  await rm(input.manifesto, { force: true });
}

/** @returns resolves when the writer has come to it */
function entrada(
  zip: ZipFile,
  input: {
    caminho: string;
    documento: Documento;
    arquivo: ArquivoDoDocumento;
    desenho: Desenho | null;
    onDocumento(): void;
  },
): Promise<void> {
  const { caminho, documento, arquivo, desenho } = input;
  const mtime = new Date(documento.dataEmissao ?? 0);
  const { promise, resolve } = Promise.withResolvers<void>();
  zip.addReadStreamLazy(`${caminho}.xml`, { mtime }, (give) => {
    input.onDocumento();
    lazily(arquivo.xml(), give, resolve);
  });
  if (desenho && 'bytes' in desenho)
    zip.addBuffer(Buffer.from(desenho.bytes), `${caminho}.pdf`, { mtime, compress: false });
  return promise;
}

type Give = (error: unknown, stream: NodeJS.ReadableStream) => void;

function lazily(content: Promise<Uint8Array>, give: Give, done: () => void): void {
  content.then(
    (bytes) => {
      give(null, Readable.from([Buffer.from(bytes)]));
      done();
    },
    (error: unknown) => {
      give(error, Readable.from([]));
      done();
    },
  );
}

/** Folder and name without extension. When two clients in one folder have the document, the second file gets a number. */
function nomeLivre(nomes: Set<string>, input: { documento: Documento; pasta: string }): string {
  const { documento } = input;
  const pasta = pastaDe(input.pasta, documento);
  const nome = segmento(documento.chave ?? String(documento.id)) || String(documento.id);
  const base = pasta === '' ? nome : `${pasta}/${nome}`;
  let livre = base;
  for (let n = 2; nomes.has(livre); n++) livre = `${base}-${n}`;
  nomes.add(livre);
  return livre;
}
