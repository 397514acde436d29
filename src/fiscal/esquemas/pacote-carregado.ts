/**
 * A package of schemas as one thread holds it: main files compiled when they are first needed, for libxml2 and for the
 * fast tier. What a document asks for was mostly asked for by the one before it.
 */
import { compileAutomaton } from '../rapido/esquema/compile.ts';
import { Judge } from '../rapido/esquema/judge.ts';
import { forgetJudge, rememberJudge } from '../rapido/likely-judge.ts';
import { TapeTree } from '../rapido/view.ts';
import { type CompiledSchema, compileSchema, SchemaCompileError } from '../xml/libxml.ts';
import type { XmlElement, XmlTree } from '../xml/tree.ts';
import { widenPackage } from './cnpj-alfanumerico.ts';
import { saiuEm } from './idade.ts';
import type { PacoteDeEsquemas } from './pacote.ts';

/** A main file of the package and what it compiles to. */
interface Compilado {
  main: string;
  schema: CompiledSchema;
}

/** The compiled schemas hold memory that is freed by hand (`dispose`). */
export class PacoteCarregado {
  readonly nome: string;
  /** YYYY-MM-DD; null where nothing tells. */
  readonly saiuEm: string | null;
  #names: ReadonlySet<string> | null = null;
  readonly #originals: PacoteDeEsquemas['arquivos'];
  #files: PacoteDeEsquemas['arquivos'] | null = null;
  /** null: it does not compile. */
  readonly #schemas = new Map<string, CompiledSchema | null>();
  /** By main file and root; null: not for the fast tier. */
  readonly #judges = new Map<string, Judge | null>();
  /** Documents of one kind come in rows: what was found for the last is mostly asked for again. */
  #lastFound: { candidatos: readonly string[]; found: Compilado | null } | null = null;
  #lastJudge: { main: string; localName: string; judge: Judge | null } | null = null;

  constructor(pacote: PacoteDeEsquemas) {
    this.nome = pacote.nome;
    this.saiuEm = saiuEm(pacote);
    this.#originals = pacote.arquivos;
  }

  /** Whether any of its files knows an element or attribute of that name. */
  declara(nome: string): boolean {
    this.#names ??= namesIn(this.#originals);
    return this.#names.has(nome);
  }

  /** The first of the candidates that the package has and that compiles; null when it has none. */
  find(candidatos: readonly string[]): Compilado | null {
    if (this.#lastFound?.candidatos !== candidatos)
      this.#lastFound = { candidatos, found: this.#search(candidatos) };
    return this.#lastFound.found;
  }

  /** Whether the fast tier is certain that the document is valid by this main file. */
  isCertain(main: string, tree: XmlTree): boolean {
    if (!(tree instanceof TapeTree)) return false;
    const { tape } = tree;
    const judge = this.#judgeOf(main, tree.root);
    if (judge === null) return false;
    if (tape.judged?.by === judge) return tape.judged.valid;
    const valid = judge.accepts(tape);
    if (valid) rememberJudge(tape, judge);
    return valid;
  }

  dispose(): void {
    for (const judge of this.#judges.values()) if (judge) forgetJudge(judge);
    this.#judges.clear();
    this.#lastJudge = null;
    this.#lastFound = null;
    for (const schema of this.#schemas.values()) schema?.dispose();
    this.#schemas.clear();
  }

  #search(candidatos: readonly string[]): Compilado | null {
    for (const main of candidatos) {
      if (!this.#originals.has(main)) continue;
      let schema = this.#schemas.get(main);
      if (schema === undefined) {
        schema = this.#compile(main);
        this.#schemas.set(main, schema);
      }
      if (schema) return { main, schema };
    }
    return null;
  }

  #compile(main: string): CompiledSchema | null {
    try {
      return compileSchema(this.#widened(), main);
    } catch (error) {
      // A broken file of one package must not stop an import: another package or nobody judges.
      if (error instanceof SchemaCompileError) return null;
      throw error;
    }
  }

  #judgeOf(main: string, root: XmlElement): Judge | null {
    const { localName } = root;
    if (this.#lastJudge === null || this.#lastJudge.main !== main || this.#lastJudge.localName !== localName)
      this.#lastJudge = { main, localName, judge: this.#findJudge(main, root) };
    return this.#lastJudge.judge;
  }

  #findJudge(main: string, root: XmlElement): Judge | null {
    const key = `${main} ${root.localName}`;
    const known = this.#judges.get(key);
    if (known !== undefined) return known;
    const automaton = compileAutomaton(this.#widened(), { main, root });
    const judge = automaton && new Judge(automaton);
    this.#judges.set(key, judge);
    return judge;
  }

  #widened(): PacoteDeEsquemas['arquivos'] {
    this.#files ??= widenPackage(this.#originals);
    return this.#files;
  }
}

const NAME = /\bname\s*=\s*["']([^"']+)["']/g;

function namesIn(arquivos: PacoteDeEsquemas['arquivos']): ReadonlySet<string> {
  const names = new Set<string>();
  for (const bytes of arquivos.values()) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    for (const [, name = ''] of text.matchAll(NAME)) names.add(name);
  }
  return names;
}
