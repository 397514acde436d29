import type { PartesDoDfe } from '../dfe/partes.ts';
import { party, withoutRepeats } from '../dfe/participantes.ts';
import { isNamed } from '../dfe/reconhecer.ts';
import { tabela } from '../tabela.ts';
import { PAPEL, type Participante } from '../tipos.ts';
import { child, childrenNamed, textAt, type XmlElement } from '../xml/tree.ts';

/** Whom the code of the tomador points to. @fonte XSD cteTiposBasico_v4.00; XSD cteTiposBasico (toma3), GTVe (toma) */
const APONTADO: Readonly<Record<string, string>> = tabela({
  '0': 'rem',
  '1': 'exped',
  '2': 'receb',
  '3': 'dest',
});
const APONTADO_NA_GTVE: Readonly<Record<string, string>> = tabela({ '0': 'rem', '1': 'dest' });

function firstChild(element: XmlElement | null, names: readonly string[]): XmlElement | null {
  return names.reduce<XmlElement | null>((found, name) => found ?? child(element, name), null);
}

/** The party that pays stands as one of the others (`toma3`, 2.00 `toma03`; GTV-e `ide/toma`). */
function pointedTomador({ tree, documento, inf, ide }: PartesDoDfe): XmlElement | null {
  const table = isNamed(documento, 'GTVe') ? APONTADO_NA_GTVE : APONTADO;
  const code = textAt(tree, firstChild(ide, ['toma3', 'toma03', 'toma']), 'toma');
  const name = table[code ?? ''];
  return name ? child(inf, name) : null;
}

/**
 * Who pays for the transport, in its four forms: one of the other parties, or a party with data of its own in ide
 * (`toma4`, GTV-e `tomaTerceiro`) or beside it (CT-e OS and CT-e Simplificado `toma`).
 */
function findTomador(parts: PartesDoDfe): XmlElement | null {
  return (
    pointedTomador(parts) ??
    firstChild(parts.ide, ['toma4', 'toma04', 'tomaTerceiro']) ??
    child(parts.inf, 'toma')
  );
}

/** Every party with its parts; who is remetente and pays has both. Ids of zeros are nobody. @fonte XSD cteTiposBasico_v4.00; docs/regras.md, parts */
export function readParticipantes(parts: PartesDoDfe): Participante[] {
  const { tree, inf, emit } = parts;
  return withoutRepeats([
    ...party(tree, emit, PAPEL.emitente),
    ...party(tree, child(inf, 'dest'), PAPEL.destinatario),
    ...party(tree, findTomador(parts), PAPEL.tomador),
    ...party(tree, child(inf, 'rem'), PAPEL.remetente),
    ...party(tree, child(inf, 'exped'), PAPEL.expedidor),
    ...party(tree, child(inf, 'receb'), PAPEL.recebedor),
    ...childrenNamed(inf, 'autXML').flatMap((element) => party(tree, element, PAPEL.autorizado)),
  ]);
}
