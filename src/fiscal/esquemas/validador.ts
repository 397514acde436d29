import type { ValidadorDeEsquema } from '../ler.ts';
import type { VeredictoEsquema } from '../tipos.ts';
import {
  compileSchema,
  type FaltaDeEsquema,
  SchemaCompileError,
  type VeredictoLibxml,
  validate,
} from '../xml/libxml.ts';
import type { XmlElement, XmlTree } from '../xml/tree.ts';
import { chooseSchema } from './escolher.ts';
import { eMaisAntigo } from './idade.ts';
import type { PacoteDeEsquemas } from './pacote.ts';
import { PacoteCarregado } from './pacote-carregado.ts';

/** Faults that are told; a document that has more of them has them mostly for the same reason. */
const MAX_FAULTS = 3;

/** Compiled schemas hold memory that is freed by hand. */
interface ValidadorComMemoria extends ValidadorDeEsquema {
  /** What the fast tier alone knows for certain; null where libxml2 has to judge. */
  certo(tree: XmlTree, root: XmlElement): VeredictoEsquema | null;
  dispose(): void;
}

/**
 * Makes the judge of schemas for one thread. Each main file is compiled when it is first needed (about 140 ms) and
 * kept; a document is judged by every package that has its layout, the newest first, until one calls it valid:
 * an older package may only be too old for it, a newer one too strict for a document of its time.
 *
 * @param pacotes the newest first
 */
export function createValidador(pacotes: readonly PacoteDeEsquemas[]): ValidadorComMemoria {
  const packages = pacotes.map((pacote) => new PacoteCarregado(pacote));
  return {
    certo(tree, root) {
      const { candidatos } = chooseSchema(tree, root);
      for (const pacote of packages) {
        const found = pacote.find(candidatos);
        if (found) return pacote.isCertain(found.main, tree) ? valid(`${found.main} (${pacote.nome})`) : null;
      }
      return null;
    },
    validar(tree, root) {
      const { candidatos, motivo } = chooseSchema(tree, root);
      let newest: VeredictoEsquema | null = null;
      for (const pacote of packages) {
        const found = pacote.find(candidatos);
        if (!found) continue;
        const esquema = `${found.main} (${pacote.nome})`;
        const verdict: VeredictoLibxml = pacote.isCertain(found.main, tree)
          ? { valido: true }
          : validate(found.schema, tree);
        if (verdict.valido) return valid(esquema);
        newest ??= judged(tree, { pacote, esquema, ...verdict });
      }
      return newest ?? { resultado: 'nao_verificado', esquema: null, motivo };
    },
    dispose() {
      for (const pacote of packages) pacote.dispose();
    },
  };
}

/** What the newest package that has the layout says of a document that it does not accept. */
function judged(
  tree: XmlTree,
  input: Extract<VeredictoLibxml, { valido: false }> & { pacote: PacoteCarregado; esquema: string },
): VeredictoEsquema {
  const { pacote, esquema, faltas, causas } = input;
  const motivo = readable(faltas);
  return eMaisAntigo(tree, causas, pacote)
    ? { resultado: 'esquema_mais_antigo', esquema, motivo: `${MAIS_ANTIGO} ${motivo}` }
    : { resultado: 'invalido', esquema, motivo };
}

const MAIS_ANTIGO =
  'O documento é mais novo que os esquemas instalados, e só traz o que eles ainda não conhecem. Instale o pacote oficial mais novo (em Saúde, ou malote esquemas instalar <arquivo.zip>).';

function valid(esquema: string): VeredictoEsquema {
  return { resultado: 'valido', esquema, motivo: null };
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
