/**
 * A ZIP of documents in folders, each with its events beside it, with a manifest that names each file, its hash and what it
 * is. What is not valid lies in folders of its own, or is left out; a LEIA-ME.txt counts it all.
 */
import { createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Documento } from '../documentos/apresentar.ts';
import { BOM, type Celula, celulaCsv, diaBrasileiro, linhaCsv } from './celulas.ts';
import { COLUNAS } from './colunas.ts';
import { Contagem, type DescricaoDoPedido, textoDoLeiaMe } from './leia-me.ts';
import { pastaDe, segmento } from './pasta.ts';
import { ehValida, situacaoDe } from './situacoes.ts';

/** A PDF, or why there is none, in words for people. */
export type Desenho = { bytes: Uint8Array } | { falta: string };

/** Stored bytes. */
export interface ArquivoGuardado {
  sha256: string;
  tamanho: number;
  /** Read when its turn comes: one is in memory at a time. */
  xml(): Promise<Uint8Array>;
}

/** An event of a document: a cancellation, a letter of correction, a manifestação. */
interface EventoDoDocumento {
  codigo: string;
  descricao: string;
  sequencia: number;
  /** ISO 8601. */
  data: string;
  /** A person has set it aside: it changes nothing. */
  afastado: boolean;
  /** Null once its bytes were deleted. */
  arquivo: ArquivoGuardado | null;
}

/** What is to be put in for a document. */
export interface ConteudoDoDocumento {
  /** Null of one whose bytes were deleted. */
  nota: ArquivoGuardado | null;
  /** Null where no PDF is wanted. */
  pdf: (() => Promise<Desenho>) | null;
  eventos: readonly EventoDoDocumento[];
}

export interface ZipInput {
  paginas: AsyncIterable<Documento[]>;
  /** For the documents of a page, in their order. */
  conteudosDe(pagina: readonly Documento[]): Promise<ConteudoDoDocumento[]>;
  pasta: string;
  /** Whether what is not valid is left out. */
  soValidas: boolean;
  comEventos: boolean;
  descricao: DescricaoDoPedido;
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
  const dentro = new Dentro(zip, { manifesto, input });
  for await (const pagina of input.paginas) {
    const conteudos = await input.conteudosDe(pagina);
    let last: Promise<void> = Promise.resolve();
    for (const [index, documento] of pagina.entries()) {
      const { escrito, comPdf } = await dentro.add(documento, conteudos[index] ?? SEM_NADA);
      last = escrito ?? last;
      // Pictures are large: one is in memory at a time.
      if (comPdf) await Promise.race([last, failed]);
    }
    // The next page is read when the last entry of this one is being written: memory holds one page.
    await Promise.race([last, failed]);
  }
  manifesto.end();
  await finished(manifesto);
  zip.addFile(input.manifesto, 'manifest.csv');
  zip.addBuffer(
    Buffer.from(textoDoLeiaMe(input.descricao, { ...input, contagem: dentro.contagem })),
    LEIA_ME,
  );
  zip.end();
  await Promise.race([finished(piped as NodeJS.WritableStream), failed]);
  await rm(input.manifesto, { force: true });
}

const LEIA_ME = 'LEIA-ME.txt';
const SEM_NADA: ConteudoDoDocumento = { nota: null, pdf: null, eventos: [] };

interface Adicionado {
  /** Resolves when the writer has come to the document's last entry; null where it has none. */
  escrito: Promise<void> | null;
  comPdf: boolean;
}

/** What was put into the ZIP so far, line by line of its manifest. */
class Dentro {
  readonly contagem = new Contagem();
  readonly #zip: ZipFile;
  readonly #manifesto: WriteStream;
  readonly #input: ZipInput;
  readonly #nomes = new Set<string>();

  constructor(zip: ZipFile, { manifesto, input }: { manifesto: WriteStream; input: ZipInput }) {
    this.#zip = zip;
    this.#manifesto = manifesto;
    this.#input = input;
    manifesto.write(BOM + linhaCsv([...MANIFESTO, ...COLUNAS.map(({ titulo }) => titulo)]));
  }

  /** Adds a document with its PDF and its events. */
  async add(documento: Documento, conteudo: ConteudoDoDocumento): Promise<Adicionado> {
    const { onDocumento, soValidas } = this.#input;
    const situacao = situacaoDe(documento);
    if (soValidas && !ehValida(situacao)) {
      this.contagem.fora(situacao);
      this.#linha({ observacao: `Deixado de fora, como foi pedido: ${documento.status}` }, documento);
      onDocumento();
      return { escrito: null, comPdf: false };
    }
    const caminho = this.#nomeLivre(documento, situacao.pasta);
    const mtime = new Date(documento.dataEmissao ?? 0);
    const { nota, eventos } = conteudo;
    if (!nota) {
      this.contagem.excluido();
      this.#linha({ observacao: EXCLUIDO }, documento);
      onDocumento();
      return { escrito: this.#eventos(caminho, { documento, eventos }), comPdf: false };
    }
    this.contagem.dentro(situacao);
    // Drawn before its line is written: the manifest says which document has none, and why.
    const desenho = (await conteudo.pdf?.()) ?? null;
    const falta = desenho && 'falta' in desenho ? desenho.falta : '';
    if (falta) this.contagem.semPdf();
    this.#linha({ caminho: `${caminho}.xml`, arquivo: nota, observacao: falta }, documento);
    const escrito = entrada(this.#zip, { caminho: `${caminho}.xml`, arquivo: nota, mtime, onDocumento });
    if (desenho && 'bytes' in desenho)
      this.#zip.addBuffer(Buffer.from(desenho.bytes), `${caminho}.pdf`, { mtime, compress: false });
    return { escrito: this.#eventos(caminho, { documento, eventos }) ?? escrito, comPdf: desenho !== null };
  }

  /** The events of a document, each with the document's own name before its own: they lie side by side. */
  #eventos(
    nota: string,
    { documento, eventos }: { documento: Documento; eventos: readonly EventoDoDocumento[] },
  ): Promise<void> | null {
    let last: Promise<void> | null = null;
    for (const evento of eventos) {
      const { codigo, descricao, sequencia, data, arquivo, afastado } = evento;
      const oQue = `${descricao}${afastado ? ' (desconsiderado)' : ''}`;
      if (!arquivo) {
        this.#linha({ observacao: `${oQue}: ${EXCLUIDO}` }, documento, { evento });
        continue;
      }
      const caminho = `${livre(this.#nomes, segmentado(`${nota}-${codigo}-${sequencia}`))}.xml`;
      this.contagem.evento(evento);
      this.#linha({ caminho, arquivo, observacao: oQue }, documento, { evento });
      last = entrada(this.#zip, { caminho, arquivo, mtime: new Date(data), onDocumento: () => {} });
    }
    return last;
  }

  /** One line of the manifest. That of an event has the key, and no value that anybody might add up. */
  #linha(
    { caminho = '', arquivo = null, observacao }: LinhaDoManifesto,
    documento: Documento,
    { evento = null }: { evento?: EventoDoDocumento | null } = {},
  ): void {
    const colunas: Celula[] = COLUNAS.map((coluna) => {
      if (!evento || DA_NOTA.has(coluna.titulo)) return celulaCsv(coluna, documento);
      if (coluna.titulo === 'Espécie') return 'Evento';
      return coluna.titulo === 'Emissão' ? diaBrasileiro(evento.data) : null;
    });
    this.#manifesto.write(
      linhaCsv([caminho, arquivo?.sha256 ?? '', arquivo?.tamanho ?? null, observacao, ...colunas]),
    );
  }

  /** Folder and name without extension. When two clients in one folder have the document, the second file gets a number. */
  #nomeLivre(documento: Documento, situacao: string): string {
    const pasta = [situacao, pastaDe(this.#input.pasta, documento)].filter((part) => part !== '').join('/');
    const nome = segmento(documento.chave ?? String(documento.id)) || String(documento.id);
    return livre(this.#nomes, pasta === '' ? nome : `${pasta}/${nome}`);
  }
}

interface LinhaDoManifesto {
  caminho?: string;
  arquivo?: ArquivoGuardado | null;
  observacao: string;
}

/** Columns that say of an event which document it is about, and whose. */
const DA_NOTA: ReadonlySet<string> = new Set([
  'Chave de acesso',
  'Modelo',
  'Série',
  'Número',
  'Cliente CPF/CNPJ',
  'Cliente',
]);

/** The last step of a path as a name that every system takes. */
function segmentado(caminho: string): string {
  const at = caminho.lastIndexOf('/') + 1;
  return caminho.slice(0, at) + caminho.slice(at).replaceAll(/[^0-9A-Za-z._-]+/g, '_');
}

function livre(nomes: Set<string>, base: string): string {
  let nome = base;
  for (let n = 2; nomes.has(nome); n++) nome = `${base}-${n}`;
  nomes.add(nome);
  return nome;
}

/** @returns resolves when the writer has come to it */
function entrada(
  zip: ZipFile,
  input: { caminho: string; arquivo: ArquivoGuardado; mtime: Date; onDocumento(): void },
): Promise<void> {
  const { caminho, arquivo, mtime, onDocumento } = input;
  const { promise, resolve } = Promise.withResolvers<void>();
  zip.addReadStreamLazy(caminho, { mtime }, (give) => {
    onDocumento();
    lazily(arquivo.xml(), give, resolve);
  });
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
