/** A CT-e that is not as agreed, as who pays for it registers that (610110). @fonte XSD evPrestDesacordo_v4.00 */
import type { Chave } from '../../src/fiscal/tipos.ts';
import { digestOf, signatureXml } from '../../src/gerador/assinatura.ts';
import { certificadoDe } from '../../src/gerador/certificado.ts';
import type { Empresa } from '../../src/gerador/empresas.ts';
import { localIso } from '../../src/gerador/municipios.ts';
import { branch, idLeaf, leaf } from '../../src/gerador/xml.ts';

const NS = 'http://www.portalfiscal.inf.br/cte';

export function generateDesacordo(input: {
  chave: Chave;
  autor: Empresa;
  em: Date;
  sementeCertificados: string;
}): string {
  const { chave, autor, em } = input;
  const id = `ID610110${chave}001`;
  const quando = localIso(em, autor.uf);
  const detalhe = branch(
    'evPrestDesacordo',
    leaf('descEvento', 'Prestacao do Servico em Desacordo'),
    leaf('indDesacordoOper', 1),
    leaf('xObs', 'Nao foi o combinado entre as partes'),
  );
  const pedido =
    leaf('cOrgao', chave.slice(0, 2)) +
    leaf('tpAmb', 1) +
    idLeaf(autor.id) +
    leaf('chCTe', chave) +
    leaf('dhEvento', quando) +
    leaf('tpEvento', '610110') +
    leaf('nSeqEvento', 1) +
    `<detEvento versaoEvento="4.00">${detalhe}</detEvento>`;
  const digest = digestOf(`<infEvento xmlns="${NS}" Id="${id}">${pedido}</infEvento>`);
  const certificado = certificadoDe(autor, input.sementeCertificados, em);
  const assinatura = signatureXml(id, digest, certificado, { autoFechado: false });
  const resposta = branch(
    'infEvento',
    leaf('tpAmb', 1) + leaf('cOrgao', chave.slice(0, 2)) + leaf('cStat', 135) + leaf('xMotivo', 'Registrado'),
    leaf('chCTe', chave) + leaf('tpEvento', '610110') + leaf('nSeqEvento', 1) + leaf('dhRegEvento', quando),
    leaf('nProt', `13526${chave.slice(25, 34)}6`),
  );
  return (
    `<procEventoCTe xmlns="${NS}" versao="4.00"><eventoCTe versao="4.00"><infEvento Id="${id}">${pedido}</infEvento>` +
    `${assinatura}</eventoCTe><retEventoCTe versao="4.00">${resposta}</retEventoCTe></procEventoCTe>`
  );
}
