/** A signed 610110, for tests. @fonte XSD evPrestDesacordo_v4.00 */
import { digestOf, signatureXml } from '../gerador/assinatura.ts';
import type { Certificado } from '../gerador/certificado.ts';
import type { Empresa } from '../gerador/empresas.ts';
import { localIso } from '../gerador/municipios.ts';

const NS = 'http://www.portalfiscal.inf.br/cte';

export function desacordo(input: {
  chave: string;
  autor: Empresa;
  certificado: Certificado;
  em: Date;
}): string {
  const { chave, autor, certificado, em } = input;
  const id = `ID610110${chave}001`;
  const body =
    `<cOrgao>${chave.slice(0, 2)}</cOrgao><tpAmb>1</tpAmb><CNPJ>${autor.id}</CNPJ><chCTe>${chave}</chCTe>` +
    `<dhEvento>${localIso(em, autor.uf)}</dhEvento><tpEvento>610110</tpEvento><nSeqEvento>1</nSeqEvento>` +
    '<detEvento versaoEvento="4.00"><evPrestDesacordo><descEvento>Prestacao do Servico em Desacordo</descEvento>' +
    '<indDesacordoOper>1</indDesacordoOper><xObs>Valor diferente do contratado</xObs></evPrestDesacordo></detEvento>';
  const digest = digestOf(`<infEvento xmlns="${NS}" Id="${id}">${body}</infEvento>`);
  const signature = signatureXml(id, digest, certificado, autor.estilo);
  return `<eventoCTe xmlns="${NS}" versao="4.00"><infEvento Id="${id}">${body}</infEvento>${signature}</eventoCTe>`;
}
