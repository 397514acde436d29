/** Rows of a DANFE, one for each item, and a second one where IBS, CBS and IS are told. @fonte MOC NF-e 7.0, Anexo II; NT 2026.010 v1.00 */
import { childrenNamed, descend, type XmlElement } from '../../../../fiscal/xml/tree.ts';
import { dia, dinheiro, quantidade } from '../base/formatos.ts';
import type { Coluna } from '../base/tabela.ts';
import type { Nota } from './nota.ts';

const numero = (titulo: string, parte: number): Coluna => ({
  titulo,
  parte,
  alinha: 'right',
  numaLinha: true,
});
const codigo = (titulo: string, parte: number): Coluna => ({
  titulo,
  parte,
  alinha: 'center',
  numaLinha: true,
});

export const COLUNAS: readonly Coluna[] = [
  { titulo: 'Código produto', parte: 9.5, numaLinha: true },
  { titulo: 'Descrição do produto / serviço', parte: 26.5 },
  codigo('NCM/SH', 6.5),
  codigo('O/CST', 4.5),
  codigo('CFOP', 4),
  codigo('Un.', 4),
  numero('Quant.', 7),
  numero('Valor unit.', 8),
  numero('Valor total', 8),
  numero('Desconto', 6),
  numero('B. cálc. ICMS', 7.5),
  numero('Valor ICMS', 6.5),
  numero('Valor IPI', 6),
  numero('Alíq. ICMS', 4.2),
  numero('Alíq. IPI', 4),
];

/** The second row of an item. */
export const COLUNAS_RTC: readonly Coluna[] = [
  codigo('Class. tributária', 9),
  numero('B. cálc. IBS/CBS', 9),
  numero('Alíq. IBS UF', 7),
  numero('Valor IBS UF', 9),
  numero('Alíq. IBS Mun.', 7),
  numero('Valor IBS Mun.', 9),
  numero('Alíq. CBS', 7),
  numero('Valor CBS', 9),
  numero('B. cálc. IS', 9),
  numero('Alíq. IS', 7),
  numero('Valor IS', 9),
];

export function linhaDoItem(nota: Nota, det: XmlElement): string[] {
  const prod = (nome: string) => nota.em(det, 'prod', nome);
  const icms = descend(det, 'imposto', 'ICMS')?.children[0] ?? null;
  const ipi = (nome: string) => nota.em(det, 'imposto', 'IPI', 'IPITrib', nome);
  const em = (nome: string) => nota.em(icms, nome);
  // Both units, where goods are taxed by another than they are sold by.
  const [vendida, tributada] = [prod('uCom'), prod('uTrib')];
  const duas = tributada !== '' && tributada.toUpperCase() !== vendida.toUpperCase();
  const ambas = (uma: string, outra: string) => (duas ? `${uma}\n${outra}` : uma);
  return [
    prod('cProd'),
    descricao(nota, det),
    prod('NCM'),
    `${em('orig')}${nota.um(icms, 'CST', 'CSOSN')}`,
    prod('CFOP'),
    ambas(vendida, tributada),
    ambas(quantidade(prod('qCom')), quantidade(prod('qTrib'))),
    ambas(quantidade(prod('vUnCom'), 2), quantidade(prod('vUnTrib'), 2)),
    dinheiro(prod('vProd')),
    dinheiro(prod('vDesc')),
    dinheiro(em('vBC')),
    dinheiro(em('vICMS')),
    dinheiro(ipi('vIPI')),
    quantidade(em('pICMS'), 2),
    quantidade(ipi('pIPI'), 2),
  ];
}

/** Name, and what is to be told of just this item. */
function descricao(nota: Nota, det: XmlElement): string {
  const prod = descend(det, 'prod');
  const issqn = descend(det, 'imposto', 'ISSQN');
  const lotes = childrenNamed(prod, 'rastro').map(
    (lote) =>
      `Lote ${nota.em(lote, 'nLote')}, quant. ${quantidade(nota.em(lote, 'qLote'))}, ` +
      `fabr. ${dia(nota.em(lote, 'dFab'))}, val. ${dia(nota.em(lote, 'dVal'))}`,
  );
  const fci = nota.em(prod, 'nFCI');
  const servico = issqn
    ? `ISSQN: base ${dinheiro(nota.em(issqn, 'vBC'))}, alíquota ${quantidade(nota.em(issqn, 'vAliq'), 2)}%, ` +
      `valor ${dinheiro(nota.em(issqn, 'vISSQN'))}`
    : '';
  return [nota.em(prod, 'xProd'), nota.em(det, 'infAdProd'), ...lotes, fci && `FCI ${fci}`, servico]
    .filter(Boolean)
    .join('\n');
}

/** Rates are the effective ones where they are reduced, or the buyer is a public body. */
export function linhaRtc(nota: Nota, det: XmlElement): string[] {
  const imposto = descend(det, 'imposto');
  const ibscbs = (...nomes: string[]) => nota.em(imposto, 'IBSCBS', ...nomes);
  const g = (...nomes: string[]) => ibscbs('gIBSCBS', ...nomes);
  const is = (...nomes: string[]) => nota.em(imposto, 'IS', ...nomes);
  const aliquota = (grupo: string, nome: string) =>
    quantidade(g(grupo, 'gRed', 'pAliqEfet') || g(grupo, nome), 2);
  return [
    ibscbs('cClassTrib'),
    dinheiro(g('vBC')),
    aliquota('gIBSUF', 'pIBSUF'),
    dinheiro(g('gIBSUF', 'vIBSUF')),
    aliquota('gIBSMun', 'pIBSMun'),
    dinheiro(g('gIBSMun', 'vIBSMun')),
    aliquota('gCBS', 'pCBS'),
    dinheiro(g('gCBS', 'vCBS')),
    dinheiro(is('vBCIS')),
    quantidade(is('pIS') || is('pISEspec'), 2),
    dinheiro(is('vIS')),
  ];
}
