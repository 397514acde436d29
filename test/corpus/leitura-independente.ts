import { ParseOption, XmlDocument, type XmlElement, type XmlNode } from 'libxml2-wasm';

/** What a file says of one document, read by XPath over libxml2's tree: none of the product's own code takes part. */
export interface Fatos {
  classe: 'documento' | 'evento' | 'inutilizacao';
  chave: string;
  modelo: string;
  ambiente: string;
  serie: string;
  numero: string;
  /** As it stands in the XML. */
  data: string;
  status: string;
  /** `papel cpfCnpj`, sorted. */
  partes: string[];
  tpEvento: string | null;
  cStat: string | null;
}

/** `a/b/@c` by local names: the namespace, and a prefix, are no concern of this reading. */
const byLocalName = (path: string) =>
  path
    .split('/')
    .map((step) => (/^(?:@.*|\.\.|\.|)$/.test(step) ? step : `*[local-name()="${step}"]`))
    .join('/');

const all = (node: XmlNode, path: string) => (node as XmlElement).find(byLocalName(path));
const text = (node: XmlNode, ...paths: string[]) => {
  for (const path of paths) {
    const found = all(node, path)[0]?.content.trim();
    if (found) return found;
  }
  return null;
};

/** Ids without mask; nobody where it is empty, only zeros, or neither a CPF's nor a CNPJ's length. */
function parte(papel: string, node: XmlNode, path: string): string[] {
  return all(node, path).flatMap((party) => {
    const id = (text(party, 'CNPJ', 'CPF') ?? '').replace(/[^0-9A-Za-z]/g, '').toUpperCase();
    return /^0*$/.test(id) || ![11, 14].includes(id.length) ? [] : [`${papel} ${id}`];
  });
}

/** Codes of SEFAZ: domain facts 5.1, written down once more on purpose. */
function statusOf(cStat: string | null): string {
  if (cStat === null) return 'Pendente';
  if (['100', '150'].includes(cStat)) return 'Autorizada';
  if (['101', '151', '155'].includes(cStat)) return 'Cancelada';
  if (['110', '205', '301', '302', '303'].includes(cStat)) return 'Denegada';
  return `rejeição ${cStat}`;
}

/** An answer to a cancellation that some emitters put into the note's own file. */
function isCancelledInside(infNFe: XmlNode): boolean {
  return all(infNFe, '../..//retEvento/infEvento').some((answer) => {
    const tpEvento = text(answer, 'tpEvento', '../../evento/infEvento/tpEvento') ?? '';
    const isRegistered = ['101', '135', '136', '151', '155'].includes(text(answer, 'cStat') ?? '');
    return isRegistered && ['110111', '110112'].includes(tpEvento);
  });
}

const plain = (number: string | null) => (number ?? '').replace(/^0+(?=\d)/, '');
const keyIn = (id: string | null) => (id ?? '').replace(/^[A-Za-z]+(?=\d)/, '').toUpperCase();

function nota(infNFe: XmlNode): Fatos {
  const cStat = text(infNFe, '../../protNFe/infProt/cStat', '../../infProt/cStat');
  const chave = keyIn(text(infNFe, '@Id')) || (text(infNFe, '../../protNFe/infProt/chNFe') ?? '');
  return {
    classe: 'documento',
    chave,
    modelo: text(infNFe, 'ide/mod') ?? chave.slice(20, 22),
    ambiente: text(infNFe, 'ide/tpAmb', '../../protNFe/infProt/tpAmb') ?? '',
    serie: plain(text(infNFe, 'ide/serie')),
    numero: plain(text(infNFe, 'ide/nNF')),
    data: text(infNFe, 'ide/dhEmi', 'ide/dEmi') ?? '',
    status: isCancelledInside(infNFe) ? 'Cancelada' : statusOf(cStat),
    partes: [
      ...new Set([
        ...parte('emitente', infNFe, 'emit'),
        ...parte('destinatario', infNFe, 'dest'),
        ...parte('transportador', infNFe, 'transp/transporta'),
        ...parte('retirada', infNFe, 'retirada'),
        ...parte('entrega', infNFe, 'entrega'),
        ...parte('intermediario', infNFe, 'infIntermed'),
        ...parte('autorizado', infNFe, 'autXML'),
      ]),
    ].sort(),
    tpEvento: null,
    cStat,
  };
}

function evento(proc: XmlNode): Fatos {
  const chave = text(proc, 'evento/infEvento/chNFe') ?? '';
  return {
    classe: 'evento',
    chave: chave.toUpperCase(),
    modelo: chave.slice(20, 22),
    ambiente: text(proc, 'evento/infEvento/tpAmb', 'retEvento/infEvento/tpAmb') ?? '',
    serie: '',
    numero: '',
    data: text(proc, 'evento/infEvento/dhEvento') ?? '',
    status: '',
    partes: parte('autor', proc, 'evento/infEvento'),
    tpEvento: text(proc, 'evento/infEvento/tpEvento'),
    cStat: text(proc, 'retEvento/infEvento/cStat'),
  };
}

function inutilizacao(infInut: XmlNode): Fatos {
  const digits = (path: string, length: number) => (text(infInut, path) ?? '').padStart(length, '0');
  // The answer may have no Id: it is put together as the request's is, of UF, year, issuer, model, series and range.
  const composed = `${digits('cUF', 2)}${digits('ano', 2)}${text(infInut, 'CNPJ', 'CPF')}${digits('mod', 2)}${digits('serie', 3)}${digits('nNFIni', 9)}${digits('nNFFin', 9)}`;
  const id = keyIn(text(infInut, '@Id'));
  return {
    classe: 'inutilizacao',
    chave: id.length === 41 ? id : composed,
    modelo: text(infInut, 'mod') ?? '',
    ambiente: text(infInut, 'tpAmb') ?? '',
    serie: plain(text(infInut, 'serie')),
    numero: `${plain(text(infInut, 'nNFIni'))}-${plain(text(infInut, 'nNFFin'))}`,
    data: text(infInut, 'dhRecbto') ?? '',
    status: 'Inutilizada',
    partes: parte('emitente', infInut, '.'),
    tpEvento: null,
    cStat: text(infInut, 'cStat'),
  };
}

/** Every document, event and inutilização that stands in a well-formed file. */
export function lerPorXPath(bytes: Uint8Array): Fatos[] {
  const option = ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE;
  using document = XmlDocument.fromBuffer(bytes, { option });
  const { root } = document;
  return [
    ...all(root, '//infNFe').map(nota),
    // One sample carries an empty stub of an event inside its note: without a key it is no event.
    ...all(root, '//procEventoNFe')
      .filter((proc) => text(proc, 'evento/infEvento/chNFe'))
      .map(evento),
    ...all(root, '//retInutNFe/infInut').map(inutilizacao),
  ];
}
