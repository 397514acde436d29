/** Which files an entry is saved as, and in which folders: a note that is not valid never lies among the valid ones. */
import type { DocumentoComNsu } from './tipos.ts';

/** Positions 2 to 5 of a 44-character key are AAMM of the issue; an event carries the key of its document. */
const AAMM_IN_KEY = /^[0-9]{2}([0-9]{2})(0[1-9]|1[0-2])[0-9A-Z]{12}[0-9]{26}$/;
const SAFE_NAME = /^[0-9A-Za-z][0-9A-Za-z._~-]*$/;

/** What is saved of an entry. */
export interface ArquivoDaEntrada {
  /**
   * Below the folder: `2026-03/55/<chave>.xml`, of a cancelled note `Canceladas/2026-03/55/<chave>.xml`; an event beside its
   * document: `<chave>-110111-1.xml`.
   */
  lugar: string;
  /** Whose bytes: the document's, or those of what happened to it. */
  de: 'documento' | 'evento';
  /** Where they are read; empty once they were deleted. */
  url: string;
  /** Their text, where the page brought it. */
  xml: string;
}

/** Its document has not come: the entry shows the event itself, whose bytes are no document's. */
export const SO_O_EVENTO = 'Evento';

/** Where documents of a status lie, below the folder; `` for the valid ones, and for events without their document. */
const PASTA_DO_STATUS: ReadonlyMap<string, string> = new Map([
  ['Autorizada', ''],
  [SO_O_EVENTO, ''],
  ['Cancelada', 'Canceladas'],
  ['Denegada', 'Denegadas'],
  ['Pendente', 'Sem protocolo'],
  ['Inutilizada', 'Inutilizadas'],
]);
/** Of a status that a later service may have: not among the valid ones. */
const OUTRAS = 'Outras';

/** All folders of `pastaDaSituacao`, that of the valid ones (``) among them. */
export const PASTAS_DAS_SITUACOES: readonly string[] = [...new Set([...PASTA_DO_STATUS.values(), OUTRAS])];

/** `` for what is valid, else the folder in which it lies apart, such as `Canceladas`. */
export function pastaDaSituacao({ status }: Pick<DocumentoComNsu, 'status'>): string {
  return PASTA_DO_STATUS.get(status) ?? OUTRAS;
}

type Entrada = Pick<
  DocumentoComNsu,
  'chave' | 'modelo' | 'data_emissao' | 'evento' | 'status' | 'url_download' | 'xml'
>;

/** Month and model of a document, `2026-03/55`: the same in every situation, and for its events of later months. */
export function pastaDoMes({
  chave,
  modelo,
  data_emissao,
}: Pick<Entrada, 'chave' | 'modelo' | 'data_emissao'>): string {
  const [, year, month] = AAMM_IN_KEY.exec(chave) ?? [];
  // By the key, so that a cancellation of the next month still lies beside its document.
  const folder = year ? `20${year}-${month}` : (data_emissao ?? 'sem-data').slice(0, 7);
  return [folder, modelo].map(nomeDeArquivo).join('/');
}

/**
 * The files of an entry: of the document as it now stands, and of the event that tells what happened to it.
 * @example
 * for await (const entrada of cliente.percorrer(ultimoNsu))
 *   for (const { lugar, de } of arquivosDe(entrada)) salvar(lugar, de);
 */
export function arquivosDe(documento: Entrada): ArquivoDaEntrada[] {
  const { chave, evento, status } = documento;
  const folder = [pastaDaSituacao(documento), pastaDoMes(documento)].filter((part) => part !== '').join('/');
  const lugarDe = (name: string) => `${folder}/${nomeDeArquivo(`${name}.xml`)}`;
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

/** A name that every system takes and that leads nowhere else, whatever an answer says. */
export function nomeDeArquivo(text: string): string {
  return SAFE_NAME.test(text) ? text : encodeURIComponent(text).replaceAll('*', '%2A').replace(/^\.+/, '_');
}
