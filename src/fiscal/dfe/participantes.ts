import { partyId } from '../cpf-cnpj.ts';
import type { Papel, Participante } from '../tipos.ts';
import { textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';

/** The company or person of an element (`emit`, `dest` …) in one part; ids that are empty or zeros are nobody. */
export function party(tree: XmlTree, element: XmlElement | null, papel: Papel): Participante[] {
  if (!element) return [];
  const cpfCnpj = partyId(textAt(tree, element, 'CNPJ')) ?? partyId(textAt(tree, element, 'CPF'));
  return cpfCnpj ? [{ papel, cpfCnpj, nome: textAt(tree, element, 'xNome') }] : [];
}

/** More than these are compared through a set. */
const FEW = 16;

/** Each company once in each part that it plays. */
export function withoutRepeats(participantes: readonly Participante[]): Participante[] {
  if (participantes.length > FEW) return withoutMany(participantes);
  return participantes.filter(
    ({ papel, cpfCnpj }, at) =>
      participantes.findIndex((one) => one.papel === papel && one.cpfCnpj === cpfCnpj) === at,
  );
}

function withoutMany(participantes: readonly Participante[]): Participante[] {
  const seen = new Set<string>();
  return participantes.filter(({ papel, cpfCnpj }) => {
    const key = `${papel} ${cpfCnpj}`;
    return seen.has(key) ? false : seen.add(key);
  });
}
