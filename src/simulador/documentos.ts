/** What a published document says about itself: read by its own few expressions, so that no reader judges itself. */
import { attribute, element, elements, field } from './soap.ts';

interface Base {
  xml: string;
  tpAmb: string;
}

/** A whole NF-e with its protocol. */
export interface NotaPublicada extends Base {
  tipo: 'nfe';
  chave: string;
  versao: string;
  emitente: string;
  destinatario: string | null;
  transportador: string | null;
  autorizados: string[];
  /** ms of the protocol: deadlines count from it. */
  autorizadaEm: number;
  /** 1 authorised, 2 denied. */
  situacao: '1' | '2';
}

export interface CtePublicado extends Base {
  tipo: 'cte';
  chave: string;
  schema: string;
  emitente: string;
  tomador: string | null;
  /** Who receives it: sender, recipient, expedidor, recebedor, tomador, autXML. */
  interessados: string[];
  /** Of these, those that only `autXML` names. */
  soAutorizados: string[];
}

export interface EventoPublicado extends Base {
  tipo: 'evento_nfe' | 'evento_cte';
  chave: string;
  codigo: string;
  sequencia: string;
  autor: string;
  /** Of 110150: who becomes a party. */
  ator: string | null;
}

export interface NfsePublicada extends Base {
  tipo: 'nfse';
  chave: string;
  idDps: string | null;
  prestador: string;
  partes: string[];
}

export interface EventoNfsePublicado extends Base {
  tipo: 'evento_nfse';
  chave: string;
  codigo: string;
  sequencia: string;
}

export interface NfcePublicada extends Base {
  tipo: 'nfce';
  chave: string;
  emitente: string;
  dhEmi: string;
}

type Publicado =
  | NotaPublicada
  | CtePublicado
  | EventoPublicado
  | NfsePublicada
  | EventoNfsePublicado
  | NfcePublicada;

/** What is no document that the services carry. */
export class DocumentoDesconhecido extends Error {}

const idOf = (xml: string | null) => (xml ? (field(xml, 'CNPJ') ?? field(xml, 'CPF')) : null);
const unique = (ids: readonly (string | null)[]) => [...new Set(ids.filter((id) => id !== null))];

/** @throws DocumentoDesconhecido */
export function readPublicado(xml: string): Publicado {
  const root = /<(?![?!])(?:[\w.-]+:)?([\w.-]+)/.exec(xml)?.[1] ?? '';
  const reader = LEITORES[root];
  if (!reader) throw new DocumentoDesconhecido(`raiz "${root}" não é de um documento que os serviços tenham`);
  return reader(xml, root);
}

function required(value: string | null | undefined, what: string): string {
  if (!value) throw new DocumentoDesconhecido(`o documento não tem ${what}`);
  return value;
}

function keyOf(xml: string, nome: string, prefixo: string): string {
  return required(attribute(xml, nome, 'Id')?.slice(prefixo.length), `Id de ${nome}`);
}

function readNota(xml: string): NotaPublicada | NfcePublicada {
  const chave = keyOf(xml, 'infNFe', 'NFe');
  const tpAmb = field(xml, 'tpAmb') ?? '1';
  const emitente = required(idOf(element(xml, 'emit')), 'emitente');
  const protocol = required(element(xml, 'protNFe'), 'protocolo');
  if (field(xml, 'mod') === '65') {
    return { tipo: 'nfce', xml, tpAmb, chave, emitente, dhEmi: required(field(xml, 'dhEmi'), 'dhEmi') };
  }
  return {
    tipo: 'nfe',
    xml,
    tpAmb,
    chave,
    versao: attribute(xml, 'nfeProc', 'versao') ?? '4.00',
    emitente,
    destinatario: idOf(element(xml, 'dest')),
    transportador: idOf(element(xml, 'transporta')),
    autorizados: unique(elements(xml, 'autXML').map(idOf)),
    autorizadaEm: Date.parse(required(field(protocol, 'dhRecbto'), 'dhRecbto')),
    situacao: ['110', '301', '302', '303'].includes(field(protocol, 'cStat') ?? '') ? '2' : '1',
  };
}

const SCHEMAS_CTE: Record<string, string> = {
  cteProc: 'procCTe_v4.00.xsd',
  cteOSProc: 'procCTeOS_v4.00.xsd',
  GTVeProc: 'procGTVe_v4.00.xsd',
  cteSimpProc: 'procCTeSimp_v4.00.xsd',
};

/** The parties that `toma3` may point to, in the order of its codes. */
const TOMA3 = ['rem', 'exped', 'receb', 'dest'] as const;

function tomadorDe(xml: string): string | null {
  const code = Number(field(element(xml, 'toma3') ?? '', 'toma'));
  const other = idOf(element(xml, 'toma4')) ?? idOf(element(xml, 'toma'));
  return other ?? idOf(element(xml, TOMA3[code] ?? 'dest'));
}

function readCte(xml: string, root: string): CtePublicado {
  const chave = keyOf(xml, 'infC[tT]e', 'CTe');
  const tomador = tomadorDe(xml);
  const partes = unique([...TOMA3.map((nome) => idOf(element(xml, nome))), tomador]);
  const autorizados = unique(elements(xml, 'autXML').map(idOf)).filter((id) => !partes.includes(id));
  return {
    tipo: 'cte',
    xml,
    tpAmb: field(xml, 'tpAmb') ?? '1',
    chave,
    schema: SCHEMAS_CTE[root] ?? 'procCTe_v4.00.xsd',
    emitente: required(idOf(element(xml, 'emit')), 'emitente'),
    tomador,
    interessados: [...partes, ...autorizados],
    soAutorizados: autorizados,
  };
}

function readEvento(xml: string): EventoPublicado {
  const inf = required(element(xml, 'infEvento'), 'infEvento');
  const nota = field(inf, 'chNFe');
  const tipo = nota ? 'evento_nfe' : 'evento_cte';
  return {
    tipo,
    xml,
    tpAmb: field(inf, 'tpAmb') ?? '1',
    chave: required(nota ?? field(inf, 'chCTe'), 'chave'),
    codigo: required(field(inf, 'tpEvento'), 'tpEvento'),
    sequencia: field(inf, 'nSeqEvento') ?? '1',
    autor: required(idOf(inf), 'autor'),
    ator: idOf(element(element(inf, 'detEvento') ?? '', 'autXML')),
  };
}

function readNfse(xml: string): NfsePublicada {
  const inner = required(element(xml, 'infDPS'), 'infDPS');
  const prestador = required(idOf(element(inner, 'prest')) ?? idOf(element(xml, 'emit')), 'prestador');
  return {
    tipo: 'nfse',
    xml,
    tpAmb: field(inner, 'tpAmb') ?? '1',
    chave: keyOf(xml, 'infNFSe', 'NFS'),
    idDps: attribute(xml, 'infDPS', 'Id'),
    prestador,
    partes: unique([prestador, idOf(element(inner, 'toma')), idOf(element(inner, 'interm'))]),
  };
}

function readEventoNfse(xml: string): EventoNfsePublicado {
  const id = required(attribute(xml, 'infEvento', 'Id'), 'Id de infEvento').slice('EVT'.length);
  return {
    tipo: 'evento_nfse',
    xml,
    tpAmb: field(xml, 'tpAmb') ?? '1',
    chave: required(field(xml, 'chNFSe') ?? id.slice(0, 50), 'chave'),
    codigo: id.slice(50, 56),
    sequencia: String(Number(field(xml, 'nSeqEvento') ?? '1')),
  };
}

const LEITORES: Record<string, (xml: string, root: string) => Publicado> = {
  nfeProc: readNota,
  cteProc: readCte,
  cteOSProc: readCte,
  GTVeProc: readCte,
  cteSimpProc: readCte,
  procEventoNFe: readEvento,
  procEventoCTe: readEvento,
  NFSe: readNfse,
  evento: readEventoNfse,
};
