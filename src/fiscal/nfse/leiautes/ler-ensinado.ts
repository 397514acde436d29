import type { Leitura } from '../../leitura.ts';
import type { Origem } from '../../origem.ts';
import type { Documento } from '../../tipos.ts';
import type { XmlElement, XmlTree } from '../../xml/tree.ts';
import { compilar } from './compilar.ts';
import { avisoDe } from './ensinada.ts';
import type { Leiaute } from './leiaute.ts';
import { readComLeiaute } from './ler-nota.ts';
import { Reconhecedor } from './reconhecer.ts';
import { reconhecedorCom } from './tabela.ts';

type LeitorDeNota = (input: { tree: XmlTree; root: XmlElement; origem?: Origem }) => Leitura<Documento>;

/**
 * Notes of our layouts and of those that somebody described. Ours count first; where one of ours knows the element and
 * does not find the note's fields, it is a dialect of it, which a description may tell.
 *
 * @param ensinados descriptions that passed their check (`validar-leiaute.ts`), the first that fits counts
 */
export function notaMunicipalCom(
  ensinados: readonly Leiaute[],
): (element: XmlElement) => LeitorDeNota | null {
  const todos = reconhecedorCom(ensinados);
  const descritos = ensinados.map(compilar);
  const soDescritos = new Reconhecedor(descritos);
  const ids = new Set(ensinados.map(({ id }) => id));
  return (element) => {
    const layout = todos.reconhecer(element);
    if (!layout) return null;
    if (ids.has(layout.descrito.id))
      return (input) => comAviso(layout.descrito, readComLeiaute(layout, input));
    const descrito = soDescritos.reconhecer(element);
    return (input) => {
      const lida = readComLeiaute(layout, input);
      const isKnown = lida.ok || lida.rejeicao.codigo !== 'nfse_layout_desconhecido';
      if (isKnown || !descrito) return lida;
      return comAviso(descrito.descrito, readComLeiaute(descrito, input));
    };
  };
}

/** Says beside the document by whose word it was read. */
function comAviso(leiaute: Leiaute, lida: Leitura<Documento>): Leitura<Documento> {
  if (lida.ok) lida.registro.avisos.push(avisoDe(leiaute));
  return lida;
}
