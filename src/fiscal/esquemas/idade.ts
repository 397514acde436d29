/**
 * Whether a document breaks a schema only because that is older than the document: SEFAZ adds elements and values to its layouts
 * some times a year, and whoever has not installed the newest package yet must not be told that valid notes are invalid.
 */
import type { CausaDaFalta } from '../xml/libxml-messages.ts';
import { textAt, type XmlTree } from '../xml/tree.ts';
import type { PacoteDeEsquemas } from './pacote.ts';

/** Packages whose names do not tell when they came out. @fonte Portal Nacional da NF-e, Esquemas XML */
const SAIU_EM: readonly (readonly [RegExp, string])[] = [
  [/^PL_00[0-8]/i, '2016-01-01'],
  [/^PL_009/i, '2024-09-01'],
  [/^PL_010f/i, '2026-11-03'],
  [/^PL_010e/i, '2026-08-03'],
  [/^PL_010d/i, '2026-06-08'],
  [/^PL_010c/i, '2026-04-01'],
  [/^PL_010/i, '2025-12-01'],
];

/** `PL_CTe_400_NT2026.004_RTC`: not before that year began. */
const NOTA_TECNICA = /NT[_ ]?(20\d\d)/i;
/** `1.01-20260727` */
const DIA_NO_NOME = /(?<!\d)(20\d\d)([01]\d)([0-3]\d)(?!\d)/;

/** The day on which a package came out, as far as it can be told: YYYY-MM-DD; null where nothing tells. */
export function saiuEm({ nome, instaladoEm }: Pick<PacoteDeEsquemas, 'nome' | 'instaladoEm'>): string | null {
  const known = SAIU_EM.find(([name]) => name.test(nome))?.[1];
  if (known) return known;
  const [, ano, mes, dia] = DIA_NO_NOME.exec(nome) ?? [];
  if (ano) return `${ano}-${mes}-${dia}`;
  const nota = NOTA_TECNICA.exec(nome)?.[1];
  return nota ? `${nota}-01-01` : (instaladoEm?.slice(0, 10) ?? null);
}

/** The day of issue of a document, event or inutilização, whatever it is. */
function diaDoDocumento(tree: XmlTree): string | null {
  for (const name of ['dhEmi', 'dhEvento', 'dhProc', 'dhRecbto']) {
    const [element] = tree.root.namedWithin(name);
    const day = element && /^\d{4}-\d\d-\d\d/.exec(textAt(tree, element.parent, name) ?? '')?.[0];
    if (day) return day;
  }
  return null;
}

/**
 * @param causas what all of its faults are about
 * @param pacote by which they are faults; `declara`: whether any of its files knows an element or attribute of that name
 */
export function eMaisAntigo(
  tree: XmlTree,
  causas: readonly CausaDaFalta[],
  pacote: { saiuEm: string | null; declara(nome: string): boolean },
): boolean {
  const day = diaDoDocumento(tree);
  if (pacote.saiuEm === null || day === null || day <= pacote.saiuEm) return false;
  return causas.every((causa) => {
    if (causa.kind === 'valor') return true;
    return causa.kind === 'nome' && !pacote.declara(causa.nome);
  });
}
