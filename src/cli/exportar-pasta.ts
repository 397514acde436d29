import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DocumentoComNsu } from '../cliente/cliente.ts';

/** Positions 2 to 5 of a 44-character key are AAMM of the issue; an event carries the key of its document. */
const AAMM_IN_KEY = /^[0-9]{2}([0-9]{2})(0[1-9]|1[0-2])[0-9A-Z]{12}[0-9]{26}$/;
const SAFE_NAME = /^[0-9A-Za-z][0-9A-Za-z._~-]*$/;

/** What is saved of an entry. */
export interface ArquivoDaEntrada {
  /** Below the folder: `2026-03/55/<chave>.xml`, an event beside its document: `<chave>-110111-1.xml`. */
  lugar: string;
  /** Whose bytes: the document's, or those of what happened to it. */
  de: 'documento' | 'evento';
  /** Where they are read; empty once they were deleted. */
  url: string;
  /** Their text, where the page brought it. */
  xml: string;
}

/** Its document has not come: the entry shows the event itself, whose bytes are no document's. */
const SO_O_EVENTO = 'Evento';

/** The files of an entry: of the document as it now stands, and of the event that tells what happened to it. */
export function arquivosDe(
  documento: Pick<
    DocumentoComNsu,
    'chave' | 'modelo' | 'data_emissao' | 'evento' | 'status' | 'url_download' | 'xml'
  >,
): ArquivoDaEntrada[] {
  const { chave, modelo, data_emissao, evento, status } = documento;
  const [, year, month] = AAMM_IN_KEY.exec(chave) ?? [];
  // By the key, so that a cancellation of the next month still lies beside its document.
  const folder = year ? `20${year}-${month}` : (data_emissao ?? 'sem-data').slice(0, 7);
  const lugarDe = (name: string) => [folder, modelo, `${name}.xml`].map(asFileName).join('/');
  const arquivos: ArquivoDaEntrada[] = [];
  const soOEvento = status === SO_O_EVENTO;
  if (!soOEvento) {
    const { url_download: url, xml } = documento;
    arquivos.push({ lugar: lugarDe(chave), de: 'documento', url, xml });
  }
  if (evento && (soOEvento || evento.url_download !== '')) {
    const { codigo, sequencia, url_download: url, xml } = evento;
    arquivos.push({ lugar: lugarDe(`${chave}-${codigo}-${sequencia}`), de: 'evento', url, xml });
  }
  return arquivos;
}

function asFileName(text: string): string {
  return SAFE_NAME.test(text) ? text : encodeURIComponent(text).replaceAll('*', '%2A').replace(/^\.+/, '_');
}

export type Gravado = 'novo' | 'igual' | 'substituido';

/**
 * Writes a document durably. Other bytes that lie there are never lost: they are moved aside under their hash, as
 * when a note without protocol is followed by the authorised one.
 */
export async function gravarDocumento(path: string, bytes: Uint8Array): Promise<Gravado> {
  await mkdir(dirname(path), { recursive: true });
  const before = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (before?.equals(bytes)) return 'igual';
  if (before) {
    const hash = createHash('sha256').update(before).digest('hex').slice(0, 12);
    await rename(path, join(dirname(path), `${basename(path, '.xml')}.anterior-${hash}.xml`));
  }
  const temporary = `${path}.novo`;
  const file = await open(temporary, 'w');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  return before ? 'substituido' : 'novo';
}
