/** What of the packages' schemas the fast tier leaves to libxml2: correct all the same, but slower. */
import { widenPackage } from '../../src/fiscal/esquemas/cnpj-alfanumerico.ts';
import { mainSchemas, type PacoteDeEsquemas } from '../../src/fiscal/esquemas/pacote.ts';
import { type Automaton, TYPE_UNKNOWN } from '../../src/fiscal/rapido/esquema/automaton.ts';
import { compileAutomaton } from '../../src/fiscal/rapido/esquema/compile.ts';
import { readComponents } from '../../src/fiscal/rapido/esquema/components.ts';
import { Unsupported } from '../../src/fiscal/rapido/esquema/unsupported.ts';

/** Main file → the elements that the compiler does not know (documents that have one are left), or why it knows nothing of it. */
export function deixadosALibxml2(pacotes: readonly PacoteDeEsquemas[]): Record<string, string> {
  const left: Record<string, string> = {};
  for (const pacote of pacotes) {
    const files = widenPackage(pacote.arquivos);
    for (const main of mainSchemas(pacote)) {
      const reason = whyLeft(files, main);
      if (reason !== null) left[main] = reason;
    }
  }
  return left;
}

function whyLeft(files: ReadonlyMap<string, Uint8Array>, main: string): string | null {
  try {
    const unknown = [...readComponents(files, main).elements.values()].flatMap(({ element, file }) => {
      const root = { namespace: file.namespace, localName: element.attributeValue('name') ?? '' };
      const automaton = compileAutomaton(files, { main, root });
      return automaton ? unknownIn(automaton) : [root.localName];
    });
    return unknown.length === 0 ? null : [...new Set(unknown)].join(', ');
  } catch (error) {
    if (error instanceof Unsupported) return error.message;
    throw error;
  }
}

/** Names of the elements whose type has what the compiler does not know. */
function unknownIn({ symbols, stateType, stateMax, steps }: Automaton): string[] {
  // The state before the first child has that type too, and no room for any.
  const unknown = new Set(
    [...stateType.keys()].filter((state) => stateType[state] === TYPE_UNKNOWN && stateMax[state] !== 0),
  );
  if (unknown.size === 0) return [];
  const isStep = (symbol: number) =>
    [...stateType.keys()].some((state) => unknown.has(steps.get(state, symbol)));
  return [...symbols].flatMap(([name, symbol]) =>
    isStep(symbol) ? [name.slice(name.indexOf(' ') + 1)] : [],
  );
}
