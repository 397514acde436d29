/** The signed event of a manifestation. */
import { deslocamentoDaZona } from '../../fiscal/fuso.ts';
import type { Ambiente, Chave, CpfCnpj } from '../../fiscal/tipos.ts';
import { ZONA_NACIONAL, zoneOfUf } from '../../fiscal/uf.ts';
import { type CertificadoParaAssinar, signFilho } from './assinar.ts';
import { type EventoAssinado, LAYOUT_CTE, NS_CTE, NS_NFE } from './lote.ts';
import type { TipoDeManifestacao } from './tipos.ts';

/** The national environment, which takes what recipients say of NF-e. @fonte XSD TCOrgaoIBGE */
const AMBIENTE_NACIONAL = '91';
const CPF_LENGTH = 11;
/** Events of these kinds are the first of their kind, always: a second one of the same kind is a repetition (573, 631). */
const SEQUENCIA = 1;

export interface PedidoDeEvento {
  tipo: TipoDeManifestacao;
  chave: Chave;
  /** The recipient of the NF-e, the tomador of the CT-e: whose certificate signs. */
  autor: CpfCnpj;
  ambiente: Ambiente;
  /** Milliseconds UTC. */
  em: number;
  /** As `readJustificativa` gives it; null where the kind takes none. */
  justificativa: string | null;
}

/**
 * Makes and signs the event.
 * @throws RangeError when the kind is not for this document, or a reason is missing or one too many
 * @fonte XSD leiauteConfRecebto_v1.00; XSD eventoCTeTiposBasico_v4.00, evPrestDesacordo_v4.00
 */
export function makeEvento(pedido: PedidoDeEvento, certificado: CertificadoParaAssinar): EventoAssinado {
  const { tipo, chave, justificativa } = pedido;
  if (tipo.justificativa !== (justificativa !== null)) throw new RangeError(`xJust of ${tipo.codigo}`);
  if (ehCte(chave) !== (tipo.documento === 'CTe')) throw new RangeError(`${tipo.codigo} of ${chave}`);
  const { id, xml } = tipo.documento === 'CTe' ? eventoCte(pedido) : eventoNfe(pedido);
  return { id, xml: signFilho(xml, certificado) };
}

function ehCte(chave: Chave): boolean {
  return chave.slice(20, 22) === '57';
}

function eventoNfe(pedido: PedidoDeEvento): EventoAssinado {
  const { tipo, chave, justificativa } = pedido;
  const id = idOf(pedido, 2);
  const corpo = [
    ...cabeca(pedido, AMBIENTE_NACIONAL),
    leaf('chNFe', chave),
    leaf('dhEvento', momento(pedido.em, ZONA_NACIONAL)),
    leaf('tpEvento', tipo.codigo),
    leaf('nSeqEvento', String(SEQUENCIA)),
    leaf('verEvento', '1.00'),
    `<detEvento versao="1.00">${leaf('descEvento', tipo.descEvento)}${justificativa === null ? '' : leaf('xJust', justificativa)}</detEvento>`,
  ].join('');
  return {
    id,
    xml: `<evento xmlns="${NS_NFE}" versao="1.00"><infEvento Id="${id}">${corpo}</infEvento></evento>`,
  };
}

function eventoCte(pedido: PedidoDeEvento): EventoAssinado {
  const { tipo, chave, justificativa } = pedido;
  const id = idOf(pedido, 3);
  const uf = chave.slice(0, 2);
  const detalhe = `${leaf('descEvento', tipo.descEvento)}<indDesacordoOper>1</indDesacordoOper>${leaf('xObs', justificativa ?? '')}`;
  const corpo = [
    ...cabeca(pedido, uf),
    leaf('chCTe', chave),
    leaf('dhEvento', momento(pedido.em, zoneOfUf(uf))),
    leaf('tpEvento', tipo.codigo),
    leaf('nSeqEvento', String(SEQUENCIA)),
    `<detEvento versaoEvento="${LAYOUT_CTE}"><evPrestDesacordo>${detalhe}</evPrestDesacordo></detEvento>`,
  ].join('');
  return {
    id,
    xml: `<eventoCTe xmlns="${NS_CTE}" versao="${LAYOUT_CTE}"><infEvento Id="${id}">${corpo}</infEvento></eventoCTe>`,
  };
}

/** What both layouts begin with: who takes it, where, and who says it. */
function cabeca({ ambiente, autor }: PedidoDeEvento, orgao: string): string[] {
  return [
    leaf('cOrgao', orgao),
    leaf('tpAmb', String(ambiente)),
    leaf(autor.length === CPF_LENGTH ? 'CPF' : 'CNPJ', autor),
  ];
}

function idOf({ tipo, chave }: PedidoDeEvento, digits: number): string {
  return `ID${tipo.codigo}${chave}${String(SEQUENCIA).padStart(digits, '0')}`;
}

/** ISO 8601 with the offset of the zone, no fractions. @fonte XSD TDateTimeUTC */
function momento(em: number, zona: string): string {
  const offset = deslocamentoDaZona(zona, em);
  const local = new Date(em + offset).toISOString().slice(0, 19);
  const hours = Math.abs(offset) / 3_600_000;
  return `${local}${offset > 0 ? '+' : '-'}${String(hours).padStart(2, '0')}:00`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function leaf(name: string, text: string): string {
  return `<${name}>${text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign)}</${name}>`;
}
