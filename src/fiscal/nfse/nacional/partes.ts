import { type Documento, PAPEL, type Papel, type Participante } from '../../tipos.ts';
import { attribute, child, descend, textAt, type XmlElement, type XmlTree } from '../../xml/tree.ts';
import { type Parte, participants } from '../montar.ts';
import { semNada } from '../situacao.ts';
import { readDecimal, readMunicipio, readParty } from '../valores.ts';

/** The parts of a national note that are read. */
export interface PartesDaNfse {
  tree: XmlTree;
  /** The kept `NFSe`. */
  root: XmlElement;
  infNFSe: XmlElement;
  /** `DPS/infDPS`; the DPS itself where a vendor left the inner group out; null without DPS. */
  infDPS: XmlElement | null;
}

/** Finds the groups that are read, where vendors put them. */
export function takeApart(tree: XmlTree, root: XmlElement, infNFSe: XmlElement): PartesDaNfse {
  // Some put the DPS beside infNFSe.
  const dps = child(infNFSe, 'DPS') ?? child(root, 'DPS');
  return { tree, root, infNFSe, infDPS: child(dps, 'infDPS') ?? dps };
}

function party(tree: XmlTree, element: XmlElement | null): Parte {
  // NIF and cNaoNIF are of people abroad, who are nobody's client. Cities that write this layout mask the others at times.
  const cpfCnpj =
    readParty(textAt(tree, element, 'CNPJ'), 'cnpj') ?? readParty(textAt(tree, element, 'CPF'), 'cpf');
  return { cpfCnpj, nome: textAt(tree, element, 'xNome') };
}

const PARTES = [
  ['prest', 'prestador'],
  ['toma', 'tomador'],
  ['interm', 'intermediário'],
] as const;

/** Names the parties whose id could not be read: they are not lost without a word. */
export function avisosDasPartes({ tree, infDPS }: PartesDaNfse): string[] {
  return PARTES.flatMap(([group, quem]) => {
    const element = child(infDPS, group);
    const told = textAt(tree, element, 'CNPJ') ?? textAt(tree, element, 'CPF');
    if (told === null || semNada(told) || party(tree, element).cpfCnpj !== null) return [];
    return [
      `O CPF ou CNPJ do ${quem} "${told.slice(0, 40)}" não pôde ser lido: a NFS-e não foi ligada a ele.`,
    ];
  });
}

/** Part of the emitter by tpEmit: 1 prestador, 2 tomador, 3 intermediário. @fonte XSD NFSe 1.01 */
function papelDoEmitente(tpEmit: string | null): Papel {
  if (tpEmit === '2') return PAPEL.tomador;
  return tpEmit === '3' ? PAPEL.intermediario : PAPEL.prestador;
}

/** Everybody with a CNPJ or CPF; the name of the prestador often stands in `emit` only. */
export function readParticipantes({ tree, infNFSe, infDPS }: PartesDaNfse): Participante[] {
  const emit = party(tree, child(infNFSe, 'emit'));
  const papel = papelDoEmitente(textAt(tree, infDPS, 'tpEmit'));
  const named = (parte: Parte): Parte =>
    parte.nome === null && parte.cpfCnpj === emit.cpfCnpj ? { ...parte, nome: emit.nome } : parte;
  return participants([
    [PAPEL.prestador, named(party(tree, child(infDPS, 'prest')))],
    [PAPEL.tomador, named(party(tree, child(infDPS, 'toma')))],
    [PAPEL.intermediario, named(party(tree, child(infDPS, 'interm')))],
    [papel, emit],
  ]);
}

/** City where the service was rendered; where it is not said (abroad), of incidence, then of the emitter. */
export function readMunicipioPrestacao({ tree, infNFSe, infDPS }: PartesDaNfse): number | null {
  const codes = [
    textAt(tree, infDPS, 'serv', 'locPrest', 'cLocPrestacao'),
    textAt(tree, infNFSe, 'cLocPrestacao'),
    textAt(tree, infNFSe, 'cLocIncid'),
    textAt(tree, infDPS, 'cLocEmi'),
    textAt(tree, infNFSe, 'cLocEmi'),
    textAt(tree, infNFSe, 'emit', 'enderNac', 'cMun'),
  ];
  const code = codes.map(readMunicipio).find((found) => found !== null);
  return code ? Number(code) : null;
}

/** Gross value of the service; where the note has none, what is paid for it, which is told. */
export function readValor({ tree, infNFSe, infDPS }: PartesDaNfse): {
  valor: string | null;
  avisos: string[];
} {
  const bruto =
    readDecimal(textAt(tree, infDPS, 'valores', 'vServPrest', 'vServ')) ??
    readDecimal(textAt(tree, infDPS, 'vServ'));
  if (bruto !== null) return { valor: bruto, avisos: [] };
  const valor = readDecimal(textAt(tree, infNFSe, 'valores', 'vLiq'));
  if (valor === null) return { valor, avisos: ['A NFS-e não traz o valor dos serviços.'] };
  return { valor, avisos: ['A NFS-e não traz o valor dos serviços; foi lido o líquido (vLiq).'] };
}

/** `versao` of NFSe, which some write on infNFSe or leave to the DPS. */
export function readLayout({ root, infNFSe, infDPS }: PartesDaNfse): string | null {
  const layout =
    attribute(root, 'versao') ?? attribute(infNFSe, 'versao') ?? attribute(infDPS?.parent, 'versao');
  return layout?.trim() || null;
}

/** @fonte XSD NFSe 1.01: cStat 101 and DPS/infDPS/subst; TSFinNFSe of the layout 1.01 */
export function readFinalidade({ tree, infNFSe, infDPS }: PartesDaNfse): Documento['finalidade'] {
  if (substituida({ tree, infDPS }) !== null || textAt(tree, infNFSe, 'cStat') === '101') {
    return { codigo: '101', descricao: 'NFS-e de substituição' };
  }
  const finNFSe = textAt(tree, infDPS, 'IBSCBS', 'finNFSe') ?? textAt(tree, infDPS, 'finNFSe');
  if (finNFSe === null) return null;
  const codigo = finNFSe.slice(0, 10);
  return { codigo, descricao: codigo === '0' ? 'NFS-e regular' : `Finalidade ${codigo}` };
}

/** Key of the note that this one replaces. */
export function substituida({ tree, infDPS }: Pick<PartesDaNfse, 'tree' | 'infDPS'>): string | null {
  return textAt(tree, descend(infDPS, 'subst'), 'chSubstda')?.slice(0, 60) ?? null;
}
