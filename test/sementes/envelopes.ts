/** Forms in which documents travel. @fonte docs/regras.md, uploads, kinds */
import { gzipSync } from 'node:zlib';

const withoutDeclaration = (xml: string) => xml.replace(/^<\?xml[^>]*\?>/, '');
const NS_NFE = 'http://www.portalfiscal.inf.br/nfe';

export function loteEnviNFe(nfes: readonly string[]): string {
  return `<enviNFe xmlns="${NS_NFE}" versao="4.00"><idLote>1</idLote><indSinc>0</indSinc>${nfes.map(withoutDeclaration).join('')}</enviNFe>`;
}

export function retDistDFeInt(inside: readonly string[]): string {
  const docs = inside.map(
    (xml, at) =>
      `<docZip NSU="${String(at + 1).padStart(15, '0')}" schema="procNFe_v4.00.xsd">${gzipSync(xml).toString('base64')}</docZip>`,
  );
  return `<retDistDFeInt xmlns="${NS_NFE}" versao="1.01"><tpAmb>1</tpAmb><verAplic>1</verAplic><cStat>138</cStat><xMotivo>Documento(s) localizado(s)</xMotivo><dhResp>2026-03-12T10:00:00-03:00</dhResp><ultNSU>000000000000002</ultNSU><maxNSU>000000000000002</maxNSU><loteDistDFeInt>${docs.join('')}</loteDistDFeInt></retDistDFeInt>`;
}

export function soap(xml: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body><nfeResultMsg xmlns="http://www.portalfiscal.inf.br/nfe/wsdl/NFeConsultaProtocolo4">${withoutDeclaration(xml)}</nfeResultMsg></soap:Body></soap:Envelope>`;
}

export function soapCdata(xml: string): string {
  return `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><ConsultarNfseResponse><return><![CDATA[${xml}]]></return></ConsultarNfseResponse></s:Body></s:Envelope>`;
}

export function soapEscaped(xml: string): string {
  const escaped = xml.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><out>${escaped}</out></s:Body></s:Envelope>`;
}

export function jsonNacional(xml: string): string {
  return JSON.stringify({
    StatusProcessamento: 'DOCUMENTOS_LOCALIZADOS',
    nfseXmlGZipB64: gzipSync(xml).toString('base64'),
  });
}
