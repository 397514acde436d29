/** A named set of official `.xsd` files, as SEFAZ publishes them. Pure: whoever reads a folder or a zip hands in the bytes. */
export interface PacoteDeEsquemas {
  /** As SEFAZ names it, such as `PL_010b_V1.30`. */
  nome: string;
  /** Where it came from: an npm package (as data only), or an operator who installed it. */
  origem: string;
  /** File name (no folder) → bytes. Includes refer to each other by these names. */
  arquivos: ReadonlyMap<string, Uint8Array>;
  /** ISO 8601; absent or null where nobody has noted it. */
  instaladoEm?: string | null;
}

/**
 * Files that declare the root element of a document that Malote judges; the others of a package are parts of
 * these, or services that keep nothing (consulta, envio …).
 */
const MAIN_FILE =
  /^(?:NFSe|evento|procNFe|nfe|enviNFe|procInutNFe|retInutNFe|procEventoNFe|procEvento\w+|cte(?:OS|Simp)?|procCTe(?:OS|Simp)?|(?:proc)?GTVe|procInutCTe|retInutCTe|proc(?:CCe|ConfRecebto|Averb)NFe|proc(?:EPEC|RemIndus))_v\d+\.\d+\.xsd$/;

/** Whether a file of a package can judge a whole document. */
export function isMainSchema(fileName: string): boolean {
  return MAIN_FILE.test(fileName);
}

/** The main files of a package, in alphabetical order. */
export function mainSchemas(pacote: Pick<PacoteDeEsquemas, 'arquivos'>): string[] {
  return [...pacote.arquivos.keys()].filter(isMainSchema).sort();
}
