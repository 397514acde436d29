import {
  type ErrorDetail,
  ParseOption,
  XmlBufferInputProvider,
  XmlDocument,
  XmlError,
  XmlLibError,
  XsdValidator,
  xmlCleanupInputProvider,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';
import * as library from 'libxml2-wasm/lib/libxml2.mjs';
import type { Rejeicao } from '../tipos.ts';
import {
  attributeInFault,
  type CausaDaFalta,
  causeOfFault,
  translateSchemaFault,
  translateSyntaxFault,
} from './libxml-messages.ts';
import { elementFromXPath } from './libxml-path.ts';
import { PECA_DE_NOVO } from './mend.ts';
import { scanXml } from './scan.ts';
import { elementPath, type XmlTree } from './tree.ts';
import { withWholeTexts } from './whole-texts.ts';

/**
 * The only door to libxml2. It never reads files or the network: no input provider stays registered, and every
 * document is parsed with these options. Its memory is freed by hand, on failure too.
 */
const SAFE_OPTIONS = ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE;

/** More faults than this say nothing new to a person. */
const MAX_FAULTS = 10;

/** Faults of a document that are listened to: of one value there are up to a few. */
const HEARD_FAULTS = 100;
hearFirstFaults();

/**
 * libxml2 tells every fault of a document, and what carries it here asks for the path of each, for which all siblings before
 * it are counted. From now on it is told the first ones only.
 */
function hearFirstFaults(): void {
  const { error, XmlErrorStruct, xmlGetNodePath } = library;
  // It is exported, but no part of the library's types.
  const { addFunction } = library as unknown as {
    addFunction(act: (index: number, fault: number) => void, signature: string): number;
  };
  error.errorCollector = addFunction((index, fault) => {
    const heard = error.storage.get(index);
    if (heard.length >= HEARD_FAULTS) return;
    const file = XmlErrorStruct.file(fault);
    const xpath = xmlGetNodePath(XmlErrorStruct.node(fault));
    heard.push({
      message: XmlErrorStruct.message(fault),
      level: XmlErrorStruct.level(fault),
      line: XmlErrorStruct.line(fault),
      col: XmlErrorStruct.col(fault),
      ...(file === null ? {} : { file }),
      ...(xpath === null ? {} : { xpath }),
    });
  }, 'vii');
}

/** One fault against a schema. */
export interface FaltaDeEsquema {
  /** pt-BR; libxml2's own words only where no translation fits. */
  mensagem: string;
  /** Readable path, with `/@nome` for an attribute. */
  elemento: string | null;
  linha: number | null;
  coluna: number | null;
}

/** `causas`: what the faults are about, all of them, each once. */
export type VeredictoLibxml =
  | { valido: true }
  | { valido: false; faltas: FaltaDeEsquema[]; causas: CausaDaFalta[] };

/** A schema ready for use any number of times. It holds wasm memory until dispose() is called. */
export interface CompiledSchema {
  /** File name of the main schema. */
  readonly main: string;
  dispose(): void;
}

/** A schema package that does not compile: a fault of the package, not of a document. */
export class SchemaCompileError extends Error {
  constructor(main: string, detail: string) {
    super(`Schema ${main} does not compile: ${detail}`);
    this.name = 'SchemaCompileError';
  }
}

/**
 * libxml2's judgement on well-formedness; null when it accepts the document.
 * A document that mentions DOCTYPE is shown to our scanner first, and never reaches libxml2 if it has one.
 */
export function checkWellFormed(bytes: Uint8Array): Rejeicao | null {
  if (asBuffer(bytes).includes('<!DOCTYPE')) {
    const scanned = scanXml(bytes);
    if (!scanned.ok) return scanned.rejeicao;
  }
  try {
    XmlDocument.fromBuffer(bytes, { option: SAFE_OPTIONS }).dispose();
    return null;
  } catch (error) {
    const [first] = detailsOf(error);
    return {
      codigo: 'xml_mal_formado',
      mensagem: `${translateSyntaxFault(first?.message ?? '')} ${PECA_DE_NOVO}`,
      elemento: null,
      linha: first && first.line > 0 ? first.line : null,
      coluna: first && first.col > 0 ? first.col : null,
    };
  }
}

let packages = 0;

/**
 * Compiles a schema from the bytes of its package. `files` maps file name → bytes, `main` is one of the names;
 * includes and imports are found among the others by the last part of their `schemaLocation`.
 * Throws {@link SchemaCompileError}.
 */
export function compileSchema(files: ReadonlyMap<string, Uint8Array>, main: string): CompiledSchema {
  const source = files.get(main);
  if (!source) throw new SchemaCompileError(main, 'no such file in the package');
  // A folder of its own for each package: libxml2 resolves includes against it, so equal names never mix.
  const folder = `pacote-${++packages}/`;
  xmlRegisterInputProvider(new PackageProvider(folder, files));
  let document: XmlDocument | null = null;
  try {
    document = XmlDocument.fromBuffer(source, {
      url: `${folder}${encodeURIComponent(main)}`,
      option: SAFE_OPTIONS,
    });
    return new LoadedSchema(main, document, XsdValidator.fromDoc(document));
  } catch (error) {
    document?.dispose();
    const detail = detailsOf(error).map(({ message }) => message.trim());
    throw new SchemaCompileError(main, detail.slice(0, 3).join(' | ') || String(error));
  } finally {
    xmlCleanupInputProvider();
  }
}

/** Checks the root of the tree against the schema. At most ten faults, in document order. */
export function validate(schema: CompiledSchema, tree: XmlTree): VeredictoLibxml {
  if (!(schema instanceof LoadedSchema)) throw new TypeError('validate() takes what compileSchema() gave');
  let document: XmlDocument | null = null;
  try {
    // What follows the root is not this document's; see `rest` of scanXml.
    document = XmlDocument.fromBuffer(withWholeTexts(tree), { option: SAFE_OPTIONS });
    schema.validator().validate(document);
    return { valido: true };
  } catch (error) {
    const details = detailsOf(error);
    return { valido: false, faltas: faultsOf(details, tree), causas: causesOf(details) };
  } finally {
    document?.dispose();
  }
}

class LoadedSchema implements CompiledSchema {
  readonly main: string;
  readonly #document: XmlDocument;
  #validator: XsdValidator | null;

  constructor(main: string, document: XmlDocument, validator: XsdValidator) {
    this.main = main;
    this.#document = document;
    this.#validator = validator;
  }

  validator(): XsdValidator {
    if (!this.#validator) throw new Error(`Schema ${this.main} was used after dispose()`);
    return this.#validator;
  }

  /** The compiled schema points into its main document, so that one goes last. */
  dispose(): void {
    this.#validator?.dispose();
    this.#validator = null;
    this.#document.dispose();
  }
}

/** Serves the files of one package, whatever folder a schemaLocation puts in front of the name. */
class PackageProvider extends XmlBufferInputProvider {
  readonly #folder: string;

  constructor(folder: string, files: ReadonlyMap<string, Uint8Array>) {
    super(Object.fromEntries(files));
    this.#folder = folder;
  }

  override match(filename: string): boolean {
    return super.match(this.#nameIn(filename));
  }

  override open(filename: string): number | undefined {
    return super.open(this.#nameIn(filename));
  }

  /** File name inside the package; '' for an address outside its folder. */
  #nameIn(filename: string): string {
    if (!filename.startsWith(this.#folder)) return '';
    const name = filename.slice(filename.lastIndexOf('/') + 1);
    try {
      return decodeURIComponent(name);
    } catch {
      return name;
    }
  }
}

/** What libxml2 said; anything that is no verdict of its own (out of memory, misuse) is thrown on. */
function detailsOf(error: unknown): readonly ErrorDetail[] {
  if (error instanceof XmlLibError) return error.details;
  throw error instanceof XmlError ? new Error(`libxml2 failed: ${error.message}`, { cause: error }) : error;
}

/** A value that breaks several facets, or a facet and then its type, is told once. */
const VALUE_FAULT = /: \[facet '|' is not a valid value of the /;

function faultsOf(details: readonly ErrorDetail[], tree: XmlTree): FaltaDeEsquema[] {
  const faults: FaltaDeEsquema[] = [];
  const judged = new Set<string>();
  for (const { message, xpath } of details) {
    if (faults.length === MAX_FAULTS) break;
    const element = elementFromXPath(tree, xpath ?? null);
    const attribute = attributeInFault(message);
    const path = element ? elementPath(element) : null;
    const elemento = path && attribute ? `${path}/@${attribute}` : path;
    if (VALUE_FAULT.test(message) && elemento !== null) {
      if (judged.has(elemento)) continue;
      judged.add(elemento);
    }
    const position = element ? tree.position(element.start) : { linha: null, coluna: null };
    faults.push({ mensagem: translateSchemaFault(message), elemento, ...position });
  }
  return faults;
}

/** The value that breaks a list and then its type is looked at once, as in {@link faultsOf}. */
function causesOf(details: readonly ErrorDetail[]): CausaDaFalta[] {
  const causes = new Map<string, CausaDaFalta>();
  let lastValue: string | null = null;
  for (const { message, xpath } of details) {
    const place = `${xpath}@${attributeInFault(message)}`;
    const isValue = VALUE_FAULT.test(message);
    if (isValue && place === lastValue) continue;
    lastValue = isValue ? place : null;
    const cause = causeOfFault(message);
    causes.set(cause.kind === 'nome' ? `nome ${cause.nome}` : cause.kind, cause);
  }
  return [...causes.values()];
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
