/** A schema made for a test, compiled for the fast tier and by libxml2: what the one takes, the other must find valid. */
import {
  XmlBufferInputProvider,
  XmlDocument,
  XsdValidator,
  xmlCleanupInputProvider,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';
import { compileAutomaton } from '../../src/fiscal/rapido/esquema/compile.ts';
import { Judge } from '../../src/fiscal/rapido/esquema/judge.ts';
import { forgetJudge, rememberJudge } from '../../src/fiscal/rapido/likely-judge.ts';
import { scanTape } from '../../src/fiscal/rapido/scanner.ts';

/** The root that schemas made for a test declare. */
export const RAIZ = 'raizDeTeste';

export interface Juizo {
  /** By the fast tier. */
  aceito: boolean;
  /** While it was scanned, as documents are whose judge is expected; the others are judged from the tape. */
  noCaminho: boolean;
  /** By libxml2; asked only where it matters. */
  valido(): boolean;
}

export interface Confronto extends Disposable {
  julgar(xml: Uint8Array): Juizo;
}

const MAIN = 'esquema-de-teste.xsd';
const FOLDER = 'https://malote.invalid/esquema-de-teste/';

class Provider extends XmlBufferInputProvider {}

/**
 * @param files what the schema may include, by name
 * @returns null when one of the two does not take the schema: then there is nothing to compare
 */
export function confrontar(
  files: ReadonlyMap<string, Uint8Array>,
  { schema, namespace }: { schema: string; namespace: string },
): Confronto | null {
  const own = new Map([...files, [MAIN, Buffer.from(schema)]]);
  const automaton = compileAutomaton(own, { main: MAIN, root: { namespace, localName: RAIZ } });
  if (!automaton) return null;
  xmlRegisterInputProvider(
    new Provider(Object.fromEntries([...own].map(([name, bytes]) => [FOLDER + name, bytes]))),
  );
  const document = XmlDocument.fromString(schema, { url: FOLDER + MAIN });
  const validator = validatorOf(document);
  const judge = new Judge(automaton);
  const dispose = () => {
    forgetJudge(judge);
    validator?.dispose();
    document.dispose();
    xmlCleanupInputProvider();
  };
  if (!validator) {
    dispose();
    return null;
  }
  return {
    julgar: (xml) => ({ ...judgedFast(judge, xml), valido: () => isValid(validator, xml) }),
    [Symbol.dispose]: dispose,
  };
}

function judgedFast(judge: Judge, xml: Uint8Array): { aceito: boolean; noCaminho: boolean } {
  const tape = scanTape(xml);
  if (!tape) return { aceito: false, noCaminho: false };
  const noCaminho = tape.judged?.by === judge && tape.judged.valid;
  const aceito = noCaminho || judge.accepts(tape);
  if (aceito) rememberJudge(tape, judge);
  return { aceito, noCaminho };
}

/** Null for a file that is only a part of others, and for content that is not deterministic. */
function validatorOf(document: XmlDocument): XsdValidator | null {
  try {
    return XsdValidator.fromDoc(document);
  } catch {
    return null;
  }
}

function isValid(validator: XsdValidator, xml: Uint8Array): boolean {
  using document = XmlDocument.fromBuffer(xml);
  try {
    validator.validate(document);
    return true;
  } catch {
    return false;
  }
}
