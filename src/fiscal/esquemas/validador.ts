import type { ValidadorDeEsquema } from '../ler.ts';
import { compileAutomaton } from '../rapido/esquema/compile.ts';
import { Judge } from '../rapido/esquema/judge.ts';
import { forgetJudge, rememberJudge } from '../rapido/likely-judge.ts';
import { TapeTree } from '../rapido/view.ts';
import type { VeredictoEsquema } from '../tipos.ts';
import {
  type CompiledSchema,
  compileSchema,
  type FaltaDeEsquema,
  SchemaCompileError,
  type VeredictoLibxml,
  validate,
} from '../xml/libxml.ts';
import type { XmlElement, XmlTree } from '../xml/tree.ts';
import { widenPackage } from './cnpj-alfanumerico.ts';
import { chooseSchema } from './escolher.ts';
import type { PacoteDeEsquemas } from './pacote.ts';

/** Faults that are told; a document that has more of them has them mostly for the same reason. */
const MAX_FAULTS = 3;

/** Compiled schemas hold memory that is freed by hand. */
export interface ValidadorComMemoria extends ValidadorDeEsquema {
  /** What the fast tier alone knows for certain; null where libxml2 has to judge. */
  certo(tree: XmlTree, root: XmlElement): VeredictoEsquema | null;
  dispose(): void;
}

interface LoadedPackage {
  nome: string;
  dispose(): void;
  /** The first of the candidates that the package has and that compiles; null when it has none. */
  find(candidatos: readonly string[]): { main: string; schema: CompiledSchema } | null;
  /** Whether the fast tier is certain that the document is valid by this main file. */
  isCertain(main: string, tree: XmlTree): boolean;
}

/**
 * Makes the judge of schemas for one thread. Each main file is compiled when it is first needed (about 140 ms) and
 * kept; a document is judged by every package that has its layout, the newest first, until one calls it valid:
 * an older package may only be too old for it, a newer one too strict for a document of its time.
 *
 * @param pacotes the newest first
 */
export function criarValidador(pacotes: readonly PacoteDeEsquemas[]): ValidadorComMemoria {
  const packages = pacotes.map(loadPackage);
  return {
    certo(tree, root) {
      const { candidatos } = chooseSchema(tree, root);
      for (const { nome, find, isCertain } of packages) {
        const found = find(candidatos);
        if (found) return isCertain(found.main, tree) ? valid(`${found.main} (${nome})`) : null;
      }
      return null;
    },
    validar(tree, root) {
      const { candidatos, motivo } = chooseSchema(tree, root);
      let newest: VeredictoEsquema | null = null;
      for (const { nome, find, isCertain } of packages) {
        const found = find(candidatos);
        if (!found) continue;
        const esquema = `${found.main} (${nome})`;
        const verdict: VeredictoLibxml = isCertain(found.main, tree)
          ? { valido: true }
          : validate(found.schema, tree);
        if (verdict.valido) return valid(esquema);
        newest ??= { resultado: 'invalido', esquema, motivo: readable(verdict.faltas) };
      }
      return newest ?? { resultado: 'nao_verificado', esquema: null, motivo };
    },
    dispose() {
      for (const loaded of packages) loaded.dispose();
    },
  };
}

function valid(esquema: string): VeredictoEsquema {
  return { resultado: 'valido', esquema, motivo: null };
}

function loadPackage(pacote: PacoteDeEsquemas): LoadedPackage {
  /** null: it does not compile. */
  const compiled = new Map<string, CompiledSchema | null>();
  /** By main file and root; null: not for the fast tier. */
  const judges = new Map<string, Judge | null>();
  let widenedFiles: ReadonlyMap<string, Uint8Array> | null = null;
  const files = (): ReadonlyMap<string, Uint8Array> => {
    widenedFiles ??= widenPackage(pacote.arquivos);
    return widenedFiles;
  };

  const compile = (main: string): CompiledSchema | null => {
    try {
      return compileSchema(files(), main);
    } catch (error) {
      // A broken file of one package must not stop an import: another package or nobody judges.
      if (error instanceof SchemaCompileError) return null;
      throw error;
    }
  };

  /** Documents of one kind come in rows: what was found for the last is mostly asked for again. */
  let lastFound: { candidatos: readonly string[]; found: ReturnType<LoadedPackage['find']> } | null = null;
  let lastJudge: { main: string; localName: string; judge: Judge | null } | null = null;

  const judgeOf = (main: string, root: XmlElement): Judge | null => {
    const { localName } = root;
    if (lastJudge === null || lastJudge.main !== main || lastJudge.localName !== localName)
      lastJudge = { main, localName, judge: findJudge(main, root) };
    return lastJudge.judge;
  };

  const findJudge = (main: string, root: XmlElement): Judge | null => {
    const key = `${main} ${root.localName}`;
    const known = judges.get(key);
    if (known !== undefined) return known;
    const automaton = compileAutomaton(files(), { main, root });
    const judge = automaton && new Judge(automaton);
    judges.set(key, judge);
    return judge;
  };

  return {
    nome: pacote.nome,
    isCertain(main, tree) {
      if (!(tree instanceof TapeTree)) return false;
      const { tape } = tree;
      const judge = judgeOf(main, tree.root);
      if (judge === null) return false;
      if (tape.judged?.by === judge) return tape.judged.valid;
      const valid = judge.accepts(tape);
      if (valid) rememberJudge(tape, judge);
      return valid;
    },
    dispose() {
      for (const judge of judges.values()) if (judge) forgetJudge(judge);
      judges.clear();
      lastJudge = null;
      lastFound = null;
      for (const schema of compiled.values()) schema?.dispose();
      compiled.clear();
    },
    find(candidatos) {
      if (lastFound?.candidatos !== candidatos) lastFound = { candidatos, found: search(candidatos) };
      return lastFound.found;
    },
  };

  function search(candidatos: readonly string[]): ReturnType<LoadedPackage['find']> {
    for (const main of candidatos) {
      if (!pacote.arquivos.has(main)) continue;
      let schema = compiled.get(main);
      if (schema === undefined) {
        schema = compile(main);
        compiled.set(main, schema);
      }
      if (schema) return { main, schema };
    }
    return null;
  }
}

/** Whether a main file compiles with the others of its package; leaves nothing behind. */
export function doesCompile(arquivos: ReadonlyMap<string, Uint8Array>, main: string): boolean {
  try {
    compileSchema(arquivos, main).dispose();
    return true;
  } catch (error) {
    if (error instanceof SchemaCompileError) return false;
    throw error;
  }
}

function readable(faults: readonly FaltaDeEsquema[]): string {
  const told = faults.slice(0, MAX_FAULTS).map(withPath);
  return faults.length > MAX_FAULTS ? `${told.join(' ')} (e outras falhas)` : told.join(' ');
}

/** `cUF: O valor …` → `nfeProc/NFe/infNFe/ide/cUF: O valor …`. */
function withPath({ mensagem, elemento }: FaltaDeEsquema): string {
  if (elemento === null) return mensagem;
  const colon = mensagem.indexOf(': ');
  const named = elemento.replace(/\[\d+\]/g, '').endsWith(mensagem.slice(0, colon));
  return colon > 0 && named ? elemento + mensagem.slice(colon) : `${elemento}: ${mensagem}`;
}
