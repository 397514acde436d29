/** SOAP 1.2 envelopes of the services, as their authors write them. Fields are found by local name. */
import { gzipSync } from 'node:zlib';
import type { Item } from './fila.ts';
import { MOTIVOS } from './motivos.ts';
import type { Resposta } from './tipos.ts';

const SOAP12 = 'http://www.w3.org/2003/05/soap-envelope';

/** Text of the first element of that local name, or null. Entities are left as they are. */
export function field(xml: string, nome: string): string | null {
  const match = new RegExp(`<(?:[\\w.-]+:)?${nome}(?:\\s[^>]*)?>([^<]*)<`).exec(xml);
  return match?.[1] ?? null;
}

/** The first element of that name with its tags, or null. */
export function element(xml: string, nome: string): string | null {
  const match = new RegExp(`<((?:[\\w.-]+:)?${nome})(?:\\s[^>]*)?>[\\s\\S]*?</\\1>`).exec(xml);
  return match?.[0] ?? null;
}

/** All elements of that name. */
export function elements(xml: string, nome: string): string[] {
  return [...xml.matchAll(new RegExp(`<((?:[\\w.-]+:)?${nome})(?:\\s[^>]*)?>[\\s\\S]*?</\\1>`, 'g'))].map(
    ([whole]) => whole,
  );
}

/** Value of an attribute of the first element of that name. */
export function attribute(xml: string, nome: string, atributo: string): string | null {
  const tag = new RegExp(`<(?:[\\w.-]+:)?${nome}(\\s[^>]*)?>`).exec(xml)?.[1] ?? '';
  return new RegExp(`\\s${atributo}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1] ?? null;
}

export function soap(body: string, status = 200): Resposta {
  const corpo =
    `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${SOAP12}" ` +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">' +
    `<soap:Body>${body}</soap:Body></soap:Envelope>`;
  return { status, cabecalhos: { 'content-type': 'application/soap+xml; charset=utf-8' }, corpo };
}

export function soapFault(texto: string): Resposta {
  return soap(
    `<soap:Fault><soap:Code><soap:Value>soap:Receiver</soap:Value></soap:Code><soap:Reason>` +
      `<soap:Text xml:lang="pt-BR">${texto}</soap:Text></soap:Reason></soap:Fault>`,
    500,
  );
}

export function html(status: number, titulo: string): Resposta {
  return {
    status,
    cabecalhos: { 'content-type': 'text/html; charset=us-ascii' },
    corpo: `<!DOCTYPE html><html><head><title>${titulo}</title></head><body><h2>${titulo}</h2></body></html>`,
  };
}

export function json(status: number, corpo: unknown, cabecalhos: Record<string, string> = {}): Resposta {
  return {
    status,
    cabecalhos: { 'content-type': 'application/json; charset=utf-8', ...cabecalhos },
    corpo: JSON.stringify(corpo),
  };
}

export const nsu15 = (nsu: number) => String(nsu).padStart(15, '0');

/** Local time of Brasília, as the national environment writes it. */
export function dataHora(ms: number): string {
  return `${new Date(ms - 3 * 3_600_000).toISOString().slice(0, 19)}-03:00`;
}

/** Base64 of the gzip of a document. */
export function zip(conteudo: string | Uint8Array): string {
  return gzipSync(conteudo).toString('base64');
}

/** An answer to a distribution request. */
export interface RetornoDeDistribuicao {
  cStat: string;
  ultNSU: number;
  maxNSU: number;
  /** `nsu` is left out for answers to consChNFe. */
  itens?: readonly (Omit<Item, 'nsu'> & { nsu: number | null })[];
}

export function docZip(item: { nsu: number | null; schema: string }, base64: string): string {
  const nsu = item.nsu === null ? '' : ` NSU="${nsu15(item.nsu)}"`;
  return `<docZip${nsu} schema="${item.schema}">${base64}</docZip>`;
}

/** @param docs written `docZip` elements, empty for none */
export function retDistDFeInt(
  familia: 'nfe' | 'cte',
  tpAmb: string,
  agora: number,
  retorno: RetornoDeDistribuicao,
  docs: string,
): Resposta {
  const { cStat, ultNSU, maxNSU } = retorno;
  const [nome, versao] = familia === 'nfe' ? ['nfe', '1.01'] : ['cte', '1.00'];
  const Nome = familia === 'nfe' ? 'NFe' : 'CTe';
  const inner =
    `<retDistDFeInt versao="${versao}" xmlns="http://www.portalfiscal.inf.br/${nome}"><tpAmb>${tpAmb}</tpAmb>` +
    `<verAplic>1.6.4-SIM</verAplic><cStat>${cStat}</cStat><xMotivo>${MOTIVOS[cStat] ?? ''}</xMotivo>` +
    `<dhResp>${dataHora(agora)}</dhResp><ultNSU>${nsu15(ultNSU)}</ultNSU><maxNSU>${nsu15(maxNSU)}</maxNSU>` +
    `${docs ? `<loteDistDFeInt>${docs}</loteDistDFeInt>` : ''}</retDistDFeInt>`;
  const wsdl = `http://www.portalfiscal.inf.br/${nome}/wsdl/${Nome}DistribuicaoDFe`;
  return soap(
    `<${nome}DistDFeInteresseResponse xmlns="${wsdl}"><${nome}DistDFeInteresseResult>${inner}` +
      `</${nome}DistDFeInteresseResult></${nome}DistDFeInteresseResponse>`,
  );
}
