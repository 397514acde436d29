/** The summaries that stand in a queue in place of documents. @fonte XSD resNFe_v1.01, resEvento_v1.01 */
import type { EventoPublicado, NotaPublicada } from './documentos.ts';
import { element, field } from './soap.ts';

const NS = 'http://www.portalfiscal.inf.br/nfe';

function leaf(nome: string, texto: string | null): string {
  return texto === null ? '' : `<${nome}>${texto}</${nome}>`;
}

function idLeaf(id: string): string {
  return leaf(id.length === 14 ? 'CNPJ' : 'CPF', id);
}

export function resNFe(nota: NotaPublicada, cancelada: boolean): string {
  const emit = element(nota.xml, 'emit') ?? '';
  const protocol = element(nota.xml, 'protNFe') ?? '';
  return (
    `<?xml version="1.0" encoding="utf-8"?><resNFe xmlns="${NS}" versao="1.01">` +
    leaf('chNFe', nota.chave) +
    idLeaf(nota.emitente) +
    leaf('xNome', field(emit, 'xNome')) +
    leaf('IE', field(emit, 'IE') ?? 'ISENTO') +
    leaf('dhEmi', field(nota.xml, 'dhEmi')) +
    leaf('tpNF', field(nota.xml, 'tpNF')) +
    leaf('vNF', field(nota.xml, 'vNF')) +
    leaf('digVal', field(protocol, 'digVal')) +
    leaf('dhRecbto', field(protocol, 'dhRecbto')) +
    leaf('nProt', field(protocol, 'nProt')) +
    leaf('cSitNFe', cancelada ? '3' : nota.situacao) +
    '</resNFe>'
  );
}

export function resEvento(evento: EventoPublicado): string {
  const answer = element(evento.xml, 'retEvento') ?? evento.xml;
  const request = element(evento.xml, 'infEvento') ?? '';
  return (
    `<?xml version="1.0" encoding="utf-8"?><resEvento xmlns="${NS}" versao="1.01">` +
    leaf('cOrgao', field(request, 'cOrgao')) +
    idLeaf(evento.autor) +
    leaf('chNFe', evento.chave) +
    leaf('dhEvento', field(request, 'dhEvento')) +
    leaf('tpEvento', evento.codigo) +
    leaf('nSeqEvento', evento.sequencia) +
    leaf('xEvento', field(answer, 'xEvento') ?? field(request, 'descEvento')) +
    leaf('dhRecbto', field(answer, 'dhRegEvento') ?? field(request, 'dhEvento')) +
    leaf('nProt', field(answer, 'nProt')) +
    '</resEvento>'
  );
}
