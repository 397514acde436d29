/** CF-e SAT and its cancellation, signed. @fonte layout of CF-e SAT 0.08 */
import { assinar } from './assinar.ts';
import { chaveCfe, EMITENTE, TOMADOR, type Variacao, valorDe } from './partes.ts';

const QR = 'QmFzZTY0IGRhIGFzc2luYXR1cmEgZG8gUVIgQ29kZQ==';

function chaveDoCfe({ numero, emitente = EMITENTE }: Variacao): string {
  return chaveCfe(emitente, numero);
}

function ide(numero: number, chave: string, hora: string): string {
  return (
    `<ide><cUF>35</cUF><cNF>123456</cNF><mod>59</mod><nserieSAT>900000001</nserieSAT><nCFe>${String(numero).padStart(6, '0')}</nCFe>` +
    `<dEmi>20260310</dEmi><hEmi>${hora}</hEmi><cDV>${chave.slice(43)}</cDV><tpAmb>1</tpAmb><CNPJ>${TOMADOR.id}</CNPJ><signAC>TESTE</signAC>` +
    `<assinaturaQRCODE>${QR}</assinaturaQRCODE><numeroCaixa>001</numeroCaixa></ide>`
  );
}

export function cfe(variacao: Variacao): string {
  const { numero, emitente = EMITENTE, tomador = TOMADOR } = variacao;
  const chave = chaveDoCfe(variacao);
  const valor = valorDe(variacao);
  const inf =
    `<infCFe versaoDadosEnt="0.08" versao="0.08" versaoSB="010300" Id="CFe${chave}">${ide(numero, chave, '101500')}` +
    `<emit><CNPJ>${emitente.id}</CNPJ><xNome>Loja de Teste</xNome><IE>111111111111</IE></emit><dest><CNPJ>${tomador.id}</CNPJ></dest>` +
    `<det nItem="1"><prod><cProd>1</cProd><xProd>Café</xProd><NCM>09012100</NCM><CFOP>5102</CFOP><vProd>${valor}</vProd><vItem>${valor}</vItem></prod></det>` +
    `<total><vCFe>${valor}</vCFe></total></infCFe>`;
  return assinar(`<?xml version="1.0" encoding="UTF-8"?><CFe>${inf}</CFe>`, {
    nome: 'infCFe',
    titular: emitente,
    algoritmos: { hash: 'sha256', exclusive: false, withComments: false },
  });
}

/** The coupon that cancels one, with a number of its own. */
export function cfeCanc(variacao: Variacao): string {
  const { numero, emitente = EMITENTE } = variacao;
  const own = chaveCfe(emitente, numero + 500);
  const inf =
    `<infCFe Id="CFe${own}" chCanc="CFe${chaveDoCfe(variacao)}" versao="0.08"><dEmi>20260310</dEmi><hEmi>101500</hEmi>${ide(numero + 500, own, '102000')}` +
    `<emit><CNPJ>${emitente.id}</CNPJ><xNome>Loja de Teste</xNome></emit><dest/><total><vCFe>${valorDe(variacao)}</vCFe></total></infCFe>`;
  return assinar(`<CFeCanc>${inf}</CFeCanc>`, {
    nome: 'infCFe',
    titular: emitente,
    algoritmos: { hash: 'sha256', exclusive: false, withComments: false },
  });
}
