import { tabela } from '../tabela.ts';
import { attribute, child, descend, textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';

const NAMESPACE_NFSE = 'http://www.sped.fazenda.gov.br/nfse';
const NFE_NAMESPACE = 'http://www.portalfiscal.inf.br/nfe';
const NAMESPACE_CTE = 'http://www.portalfiscal.inf.br/cte';
const LAYOUT_SHAPE = /^\d{1,2}\.\d{2}$/;

/** Which schema files can judge a document, the most exact first; or why none can (pt-BR). */
interface Escolha {
  candidatos: readonly string[];
  /** What is missing when no package has one of them, or why there is no candidate (pt-BR). */
  motivo: string;
}

/**
 * Schemas of one kind of event, stricter than the general one: they know the content of `detEvento`.
 * @fonte tpEvento enumerations of the leiaute*.xsd that each of them includes (PL_010b_V1.30)
 */
const SCHEMA_BY_EVENT: Readonly<Record<string, string>> = tabela({
  '110110': 'procCCeNFe',
  '110111': 'procEventoCancNFe',
  '110112': 'procEventoCancSubst',
  '110130': 'procEventoEntregaNFe',
  '110131': 'procEventoCancEntregaNFe',
  '110140': 'procEPEC',
  '110150': 'procEventoAtorInteressado',
  '110192': 'procEventoInsucessoNFe',
  '110193': 'procEventoCancInsucessoNFe',
  '110750': 'procEventoEConf',
  '110751': 'procEventoCancEConf',
  '111500': 'procRemIndus',
  '111501': 'procRemIndus',
  '111502': 'procRemIndus',
  '111503': 'procRemIndus',
  '210200': 'procConfRecebtoNFe',
  '210210': 'procConfRecebtoNFe',
  '210220': 'procConfRecebtoNFe',
  '210240': 'procConfRecebtoNFe',
  '790700': 'procAverbNFe',
});

/** Chooses by root element, namespace and layout version. @fonte file names of the official packages */
export function chooseSchema(tree: XmlTree, root: XmlElement): Escolha {
  if (root.namespace === NAMESPACE_NFSE) return forNfse(root);
  if (root.namespace === NAMESPACE_CTE) return forCte(root);
  if (root.namespace !== NFE_NAMESPACE) {
    return none(
      root.namespace === ''
        ? `O elemento ${root.localName} não declara o namespace ${/CTe|GTVe/i.test(root.localName) ? NAMESPACE_CTE : NFE_NAMESPACE}; sem ele nenhum esquema se aplica.`
        : `Não há esquema para o elemento ${root.localName} no namespace ${root.namespace}.`,
    );
  }
  // What a state's service puts around documents has no schema: it is none of the layout's own wrappers.
  if (child(root, 'nProt') !== null)
    return none('O arquivo está na forma do download da SEFAZ-SP, que não tem esquema.');
  switch (root.localName) {
    case 'nfeProc':
      return byLayout('procNFe', layoutOfNfe(child(root, 'NFe')) ?? attribute(root, 'versao'), 'NF-e');
    case 'NFe':
      return byLayout('nfe', layoutOfNfe(root), 'NF-e');
    case 'enviNFe':
      return byLayout('enviNFe', attribute(root, 'versao'), 'NF-e');
    case 'ProcInutNFe':
    case 'procInutNFe':
      return byLayout('procInutNFe', attribute(root, 'versao'), 'NF-e (inutilização)');
    case 'retInutNFe':
      return byLayout('retInutNFe', attribute(root, 'versao'), 'NF-e (inutilização)');
    case 'procEventoNFe':
      return forEvent(tree, root);
    default:
      return none(`Não há esquema para o elemento ${root.localName}.`);
  }
}

/** The national NFS-e and its events; municipal layouts have a schema of each city, which nobody publishes as one. */
function forNfse(root: XmlElement): Escolha {
  const layout = attribute(root, 'versao');
  switch (root.localName) {
    case 'NFSe':
      return byLayout('NFSe', layout ?? attribute(child(root, 'infNFSe'), 'versao'), 'NFS-e nacional');
    case 'evento':
      return byLayout('evento', layout, 'NFS-e nacional');
    default:
      return none(`Não há esquema para o elemento ${root.localName}.`);
  }
}

/** Schema of each root of the CT-e family; of a wrapper also the document whose layout counts. */
const CTE_BY_ROOT: Readonly<Record<string, { base: string; documento?: string }>> = tabela({
  cteProc: { base: 'procCTe', documento: 'CTe' },
  CTe: { base: 'cte' },
  cteOSProc: { base: 'procCTeOS', documento: 'CTeOS' },
  CTeOS: { base: 'cteOS' },
  cteSimpProc: { base: 'procCTeSimp', documento: 'CTeSimp' },
  CTeSimp: { base: 'cteSimp' },
  GTVeProc: { base: 'procGTVe', documento: 'GTVe' },
  GTVe: { base: 'GTVe' },
  procEventoCTe: { base: 'procEventoCTe' },
  procInutCTe: { base: 'procInutCTe' },
  retInutCTe: { base: 'retInutCTe' },
});

/**
 * The content of events (`detEvento`) and of the means of transport (`infModal`) has schemas of its own, which the
 * general one passes over.
 */
function forCte(root: XmlElement): Escolha {
  const found = CTE_BY_ROOT[root.localName];
  if (!found) return none(`Não há esquema para o elemento ${root.localName}.`);
  const documento = found.documento ? child(root, found.documento) : root;
  const layout = attribute(child(documento, 'infCte'), 'versao') ?? attribute(root, 'versao');
  return byLayout(found.base, layout, 'do CT-e');
}

/** The layout of infNFe counts: SEFAZ has sent it inside an nfeProc of another version. */
function layoutOfNfe(nfe: XmlElement | null): string | null {
  return attribute(child(nfe, 'infNFe'), 'versao');
}

function forEvent(tree: XmlTree, root: XmlElement): Escolha {
  const infEvento = descend(root, 'evento', 'infEvento');
  const layout = attribute(child(root, 'evento'), 'versao') ?? attribute(root, 'versao');
  const exact = SCHEMA_BY_EVENT[textAt(tree, infEvento, 'tpEvento') ?? ''];
  const general = byLayout('procEventoNFe', layout, 'eventos da NF-e');
  if (exact === undefined || general.candidatos.length === 0) return general;
  return { ...general, candidatos: [`${exact}_v${layout}.xsd`, ...general.candidatos] };
}

/** Choices that were made before, by base and layout: nearly all documents have one of a handful. */
const chosen = new Map<string, Map<string, Escolha>>();
const MAX_LAYOUTS = 32;

function byLayout(base: string, layout: string | null, family: string): Escolha {
  if (layout === null) return none('O documento não informa a versão do leiaute (atributo versao).');
  const known = chosen.get(base)?.get(layout);
  if (known) return known;
  if (!LAYOUT_SHAPE.test(layout)) return none(`"${layout.slice(0, 20)}" não é uma versão de leiaute.`);
  const choice = {
    candidatos: [`${base}_v${layout}.xsd`],
    motivo: `Não há esquema instalado para o leiaute ${layout} (${base}_v${layout}.xsd). Instale o pacote oficial de esquemas ${family}: malote esquemas instalar <arquivo.zip>.`,
  };
  const ofBase = chosen.get(base) ?? new Map<string, Escolha>();
  chosen.set(base, ofBase);
  if (ofBase.size < MAX_LAYOUTS) ofBase.set(layout, choice);
  return choice;
}

function none(motivo: string): Escolha {
  return { candidatos: [], motivo };
}
