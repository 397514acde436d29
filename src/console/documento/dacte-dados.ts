/** What a DACTE shows, read from the tree of a CT-e or CT-e OS. @fonte MOC CT-e 4.00, Anexo II (DACTE) */
import { cutTexto } from '../../fiscal/limites-de-texto.ts';
import {
  child,
  childrenNamed,
  descend,
  textAt,
  type XmlElement,
  type XmlTree,
} from '../../fiscal/xml/tree.ts';
import { descricaoDoCodigo } from './codigos.ts';
import { instante, quantidade } from './pdf/base/formatos.ts';
import { camposDoModal } from './pdf/cte/modal.ts';

export interface ParteDoCte {
  nome: string;
  cpfCnpj: string;
  ie: string;
  /** Street, number, complement, district. */
  endereco: string;
  municipio: string;
  uf: string;
  cep: string;
  fone: string;
  pais: string;
}

export interface DadosDoDacte {
  /** `57` or `67`. */
  modelo: string;
  chave: string;
  serie: string;
  numero: string;
  /** As it stands in the document. */
  emissao: string;
  modal: string;
  tipo: string;
  servico: string;
  /** Who pays, in a word. */
  quemPaga: string;
  cfop: string;
  inicio: string;
  fim: string;
  suframa: string;
  protocolo: string;
  /** Text of the QR code; null where the document has none. */
  qrCode: string | null;
  emitente: ParteDoCte;
  remetente: ParteDoCte | null;
  destinatario: ParteDoCte | null;
  expedidor: ParteDoCte | null;
  recebedor: ParteDoCte | null;
  tomador: ParteDoCte | null;
  carga: { produto: string; caracteristicas: string; valor: string };
  quantidades: { nome: string; valor: string }[];
  componentes: { nome: string; valor: string }[];
  total: string;
  aReceber: string;
  imposto: { situacao: string; base: string; aliquota: string; valor: string; reducao: string; st: string };
  /** Keys of the documents that travel, or what they are called on paper. */
  originarios: { tipo: string; identificacao: string }[];
  observacoes: string;
  aoFisco: string;
  /** What belongs to the way of transport alone, with captions. */
  doModal: { rotulo: string; valor: string }[];
  /** CBS, IBS and the total with them; null in a document without the group. */
  ibsCbs: {
    base: string;
    aliquotas: string;
    ibsUf: string;
    ibsMun: string;
    cbs: string;
    total: string;
  } | null;
}

/** Characters of what fills a frame; the layout allows 60 in most, and 255 in none that is drawn. */
const CAIXA_MAX = 255;
const OBSERVACOES_MAX = 2_000;
/** A QR code holds little more. */
const QR_CODE_MAX = 1_000;
/** What a page has room for, of components and quantities. */
const LINHAS_MAX = 60;
/** Documents that travel, at a hundred and twenty a page; the XML has all of them. */
const ORIGINARIOS_MAX = 5_000;

/** `toma3/toma`: which of the parties pays. */
const PAGANTES = [
  ['REMETENTE', 'rem'],
  ['EXPEDIDOR', 'exped'],
  ['RECEBEDOR', 'receb'],
  ['DESTINATÁRIO', 'dest'],
] as const;
/** Text at the end of a path, as long as a frame needs it. */
function textoEm(tree: XmlTree, element: XmlElement | null | undefined, ...names: string[]): string | null {
  const text = textAt(tree, element, ...names);
  return text === null ? null : cutTexto(text, CAIXA_MAX);
}

/** @returns null when the tree is no CT-e with the parts that a DACTE needs */
export function dadosDoDacte(tree: XmlTree): DadosDoDacte | null {
  const cte = tree.root.localName.endsWith('Proc') ? (tree.root.children[0] ?? null) : tree.root;
  const inf = child(cte, 'infCte');
  const ide = child(inf, 'ide');
  if (!cte || !inf) return null;
  const chave = cutTexto((inf.attributeValue('Id') ?? '').replace(/^CTe/, ''), CAIXA_MAX);
  const modelo = textoEm(tree, ide, 'mod') ?? chave.slice(20, 22);
  const at = (element: XmlElement | null, ...names: string[]) => textoEm(tree, element, ...names) ?? '';
  const parte = (element: XmlElement | null) => (element ? parteDe(tree, element) : null);
  // A simplified CT-e has its parts in `infCte` itself; layouts before 2.00 too.
  const norm = child(inf, 'infCTeNorm') ?? inf;
  const palavra = (name: string) =>
    (descricaoDoCodigo(name, at(ide, name), 'ide') ?? at(ide, name)).toUpperCase();
  const prot = descend(tree.root, 'protCTe', 'infProt');
  const { quemPaga, tomador } = tomadorDe(tree, inf);
  const place = (sufixo: string) =>
    [at(ide, `xMun${sufixo}`) || at(child(inf, 'det'), `xMun${sufixo}`), at(ide, `UF${sufixo}`)]
      .filter(Boolean)
      .join(' - ');
  return {
    modelo,
    chave,
    serie: at(ide, 'serie'),
    numero: at(ide, 'nCT'),
    emissao: at(ide, 'dhEmi'),
    modal: palavra('modal'),
    tipo: palavra('tpCTe'),
    servico: palavra('tpServ'),
    quemPaga,
    cfop: [at(ide, 'CFOP'), at(ide, 'natOp')].filter(Boolean).join(' - '),
    inicio: place('Ini'),
    fim: place('Fim'),
    suframa: at(child(inf, 'dest'), 'ISUF'),
    protocolo: prot ? `${at(prot, 'nProt')}  ${instante(at(prot, 'dhRecbto'))}` : '',
    qrCode: qrCodeDe(tree, cte),
    emitente: parte(child(inf, 'emit')) ?? VAZIA,
    remetente: parte(child(inf, 'rem')),
    destinatario: parte(child(inf, 'dest')),
    expedidor: parte(child(inf, 'exped')),
    recebedor: parte(child(inf, 'receb')),
    tomador,
    carga: {
      produto: at(norm, 'infCarga', 'proPred') || at(norm, 'infServico', 'xDescServ'),
      caracteristicas: at(norm, 'infCarga', 'xOutCat'),
      valor: at(norm, 'infCarga', 'vCarga') || at(norm, 'infCarga', 'vMerc'),
    },
    quantidades: quantidadesDe(tree, norm),
    componentes: componentesDe(tree, inf),
    total: at(inf, 'vPrest', 'vTPrest') || at(inf, 'total', 'vTPrest'),
    aReceber: at(inf, 'vPrest', 'vRec') || at(inf, 'total', 'vTRec'),
    imposto: impostoDe(tree, inf),
    originarios: originariosDe(tree, inf),
    observacoes: observacoesDe(tree, inf),
    aoFisco: at(inf, 'imp', 'infAdFisco'),
    doModal: camposDoModal(tree, descend(norm, 'infModal')?.children[0] ?? child(norm, 'rodo')),
    ibsCbs: ibsCbsDe(tree, inf),
  };
}

const VAZIA: ParteDoCte = {
  nome: '',
  cpfCnpj: '',
  ie: '',
  endereco: '',
  municipio: '',
  uf: '',
  cep: '',
  fone: '',
  pais: '',
};

function parteDe(tree: XmlTree, parte: XmlElement): ParteDoCte {
  const lugar = parte.children.find(({ localName }) => localName.startsWith('ender')) ?? null;
  const at = (name: string) => textoEm(tree, lugar, name) ?? '';
  return {
    nome: textoEm(tree, parte, 'xNome') ?? '',
    cpfCnpj: textoEm(tree, parte, 'CNPJ') ?? textoEm(tree, parte, 'CPF') ?? '',
    ie: textoEm(tree, parte, 'IE') ?? '',
    endereco: [[at('xLgr'), at('nro')].filter(Boolean).join(', '), at('xCpl'), at('xBairro')]
      .filter(Boolean)
      .join(' - '),
    municipio: at('xMun'),
    uf: at('UF'),
    cep: at('CEP').replace(/^(\d{5})(\d{3})$/, '$1-$2'),
    fone: textoEm(tree, parte, 'fone') ?? at('fone'),
    pais: at('xPais'),
  };
}

function tomadorDe(tree: XmlTree, inf: XmlElement): { quemPaga: string; tomador: ParteDoCte | null } {
  const ide = child(inf, 'ide');
  const outro = child(ide, 'toma4') ?? child(inf, 'toma4') ?? child(inf, 'toma');
  if (outro) return { quemPaga: 'OUTROS', tomador: parteDe(tree, outro) };
  // Layout 2.00 and older call it `toma03`.
  const codigo = textoEm(tree, ide, 'toma3', 'toma') ?? textoEm(tree, ide, 'toma03', 'toma');
  const [quemPaga, nome] = PAGANTES[Number(codigo ?? -1)] ?? ['', ''];
  const parte = nome === '' ? null : child(inf, nome);
  return { quemPaga, tomador: parte ? parteDe(tree, parte) : null };
}

function impostoDe(tree: XmlTree, inf: XmlElement): DadosDoDacte['imposto'] {
  const icms = descend(inf, 'imp', 'ICMS')?.children[0] ?? null;
  const at = (...names: string[]) => names.map((name) => textoEm(tree, icms, name)).find(Boolean) ?? '';
  const cst = at('CST');
  return {
    situacao:
      at('indSN') === '1'
        ? 'SIMPLES NACIONAL'
        : [cst, descricaoDoCodigo('CST', cst, 'ICMS')].filter(Boolean).join(' - '),
    base: at('vBC', 'vBCOutraUF', 'vBCSTRet'),
    aliquota: at('pICMS', 'pICMSOutraUF', 'pICMSSTRet'),
    valor: at('vICMS', 'vICMSOutraUF'),
    reducao: at('pRedBC', 'pRedBCOutraUF'),
    st: at('vICMSSTRet'),
  };
}

function qrCodeDe(tree: XmlTree, cte: XmlElement): string | null {
  const text = textAt(tree, cte, 'infCTeSupl', 'qrCodCTe');
  return text !== null && text.length <= QR_CODE_MAX ? text : null;
}

function primeiros(elements: readonly XmlElement[]): readonly XmlElement[] {
  return elements.slice(0, LINHAS_MAX);
}

function quantidadesDe(tree: XmlTree, norm: XmlElement): DadosDoDacte['quantidades'] {
  const at = (one: XmlElement, name: string) => textoEm(tree, one, name) ?? '';
  const carga = primeiros(childrenNamed(child(norm, 'infCarga'), 'infQ')).map((one) => {
    const unidade = descricaoDoCodigo('cUnid', at(one, 'cUnid'), 'infQ') ?? at(one, 'cUnid');
    return { nome: `${at(one, 'tpMed')} (${unidade})`, valor: at(one, 'qCarga') };
  });
  const servico = primeiros(childrenNamed(child(norm, 'infServico'), 'infQ'));
  return [...carga, ...servico.map((one) => ({ nome: 'Quantidade', valor: at(one, 'qCarga') }))];
}

/** A simplified CT-e has them in each of its services. */
function componentesDe(tree: XmlTree, inf: XmlElement): DadosDoDacte['componentes'] {
  const grupos = [child(inf, 'vPrest'), ...childrenNamed(inf, 'det').slice(0, LINHAS_MAX)];
  return primeiros(grupos.flatMap((grupo) => childrenNamed(grupo, 'Comp'))).map((one) => ({
    nome: textoEm(tree, one, 'xNome') ?? '',
    valor: textoEm(tree, one, 'vComp') ?? '',
  }));
}

function ibsCbsDe(tree: XmlTree, inf: XmlElement): DadosDoDacte['ibsCbs'] {
  const grupo = descend(inf, 'imp', 'IBSCBS', 'gIBSCBS');
  if (!grupo) return null;
  const at = (...names: string[]) => textoEm(tree, grupo, ...names) ?? '';
  const aliquota = (nome: string, campo: string) => at(nome, 'gRed', 'pAliqEfet') || at(nome, campo);
  return {
    base: at('vBC'),
    aliquotas: [aliquota('gIBSUF', 'pIBSUF'), aliquota('gIBSMun', 'pIBSMun'), aliquota('gCBS', 'pCBS')]
      .map((uma) => (uma === '' ? '-' : quantidade(uma, 2)))
      .join(' / '),
    ibsUf: at('gIBSUF', 'vIBSUF'),
    ibsMun: at('gIBSMun', 'vIBSMun'),
    cbs: at('gCBS', 'vCBS'),
    total: textoEm(tree, inf, 'imp', 'vTotDFe') ?? textoEm(tree, inf, 'total', 'vTotDFe') ?? '',
  };
}

function originariosDe(tree: XmlTree, inf: XmlElement): DadosDoDacte['originarios'] {
  const todos = todosOsOriginarios(tree, inf);
  const mais = todos.length - ORIGINARIOS_MAX;
  if (mais <= 0) return todos;
  return [...todos.slice(0, ORIGINARIOS_MAX), { tipo: '…', identificacao: `e mais ${mais}, no XML` }];
}

/** Layouts before 2.00 have them with the sender, a simplified CT-e in each of its services. */
function todosOsOriginarios(tree: XmlTree, inf: XmlElement): DadosDoDacte['originarios'] {
  const norm = child(inf, 'infCTeNorm');
  const at = (one: XmlElement, name: string) => textoEm(tree, one, name) ?? '';
  const grupos = [child(norm, 'infDoc'), child(inf, 'rem'), ...childrenNamed(inf, 'det')];
  const nomeados = (nome: string) => grupos.flatMap((grupo) => childrenNamed(grupo, nome));
  return [
    ...nomeados('infNFe').map((one) => ({
      tipo: 'NF-e',
      identificacao: at(one, 'chave') || at(one, 'chNFe'),
    })),
    ...nomeados('infNF').map((one) => ({
      tipo: 'NF',
      identificacao: `série ${at(one, 'serie')} número ${at(one, 'nDoc')}`,
    })),
    ...nomeados('infOutros').map((one) => ({
      tipo: at(one, 'descOutros') || 'OUTROS',
      identificacao: at(one, 'nDoc'),
    })),
    ...childrenNamed(descend(norm, 'docAnt', 'emiDocAnt'), 'idDocAnt').flatMap((one) =>
      childrenNamed(one, 'idDocAntEle').map((ele) => ({
        tipo: 'CT-e',
        identificacao: at(ele, 'chCTe') || at(ele, 'chave'),
      })),
    ),
    ...complementados(tree, inf),
  ];
}

/** The CT-e that this one completes, annuls or takes the place of. */
function complementados(tree: XmlTree, inf: XmlElement): DadosDoDacte['originarios'] {
  const at = (...names: string[]) => textoEm(tree, inf, ...names) ?? '';
  return [
    ['Complementado', at('infCteComp', 'chCTe') || at('infCteComp', 'chave')],
    ['Anulado', at('infCteAnu', 'chCte')],
    ['Substituído', at('infCTeNorm', 'infCteSub', 'chCte')],
  ]
    .filter(([, chave]) => chave !== '')
    .map(([tipo = '', identificacao = '']) => ({ tipo, identificacao }));
}

function observacoesDe(tree: XmlTree, inf: XmlElement): string {
  const compl = child(inf, 'compl');
  const campos = primeiros(childrenNamed(compl, 'ObsCont')).map(
    (one) => `${one.attributeValue('xCampo') ?? ''}: ${textoEm(tree, one, 'xTexto') ?? ''}`,
  );
  const observacoes = [textAt(tree, compl, 'xObs'), ...campos].filter(Boolean).join('\n');
  return cutTexto(observacoes, OBSERVACOES_MAX);
}
