/** Small CF-e SAT coupons for tests: invented companies, valid check digits, nothing else. */
import { cnpj, EMITENTE, item } from '../amostras-de-teste.ts';
import { chaveCheckDigit } from '../chave.ts';

/** A software house, which stands in ide and is no party. */
const DESENVOLVEDOR = cnpj('929292920001');

interface OpcoesDaChaveCfe {
  cUF?: string;
  anoMes?: string;
  emitente?: string;
  /** Nine digits. */
  sat?: string;
  numero?: string;
  modelo?: string;
}

export function chaveCfe(options: OpcoesDaChaveCfe = {}): string {
  const { cUF = '35', anoMes = '2107', emitente = EMITENTE, sat = '000123456' } = options;
  const { numero = '42', modelo = '59' } = options;
  const body = `${cUF}${anoMes}${emitente}${modelo}${sat}${numero.padStart(6, '0')}123456`;
  return body + chaveCheckDigit(body);
}

export interface OpcoesDoCfe {
  chave?: string;
  /** Replaces the whole Id attribute; '' leaves it out. */
  id?: string;
  versao?: string;
  data?: string;
  tpAmb?: string;
  emit?: string;
  dest?: string;
  /** Replaces the signature; '' leaves it out. */
  assinatura?: string;
  ns?: string;
}

const ASSINATURA_SAT =
  '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignatureValue>QUJD</SignatureValue></Signature>';

function ideDe(chave: string, { data, tpAmb }: { data: string; tpAmb: string }): string {
  return `<ide><cUF>${chave.slice(0, 2)}</cUF><cNF>${chave.slice(37, 43)}</cNF><mod>59</mod><nserieSAT>${chave.slice(22, 31)}</nserieSAT><nCFe>${chave.slice(31, 37)}</nCFe>${data}<cDV>${chave.slice(43)}</cDV>${tpAmb}<CNPJ>${DESENVOLVEDOR}</CNPJ><numeroCaixa>001</numeroCaixa></ide>`;
}

const EMIT = `<emit><CNPJ>${EMITENTE}</CNPJ><xNome>Padaria Aurora Ltda</xNome></emit>`;

export function cfe(options: OpcoesDoCfe = {}): string {
  const { chave = chaveCfe(), versao = '0.08', ns = '', emit = EMIT, dest = '<dest/>' } = options;
  const { data = '<dEmi>20210710</dEmi><hEmi>093015</hEmi>', tpAmb = '<tpAmb>1</tpAmb>' } = options;
  const id = options.id ?? ` Id="CFe${chave}"`;
  const itens = item(1, '5102', '10.00') + item(2, '5405', '2.50');
  return `<CFe${ns}><infCFe${id} versao="${versao}" versaoDadosEnt="0.07">${ideDe(chave, { data, tpAmb })}${emit}${dest}${itens}<total><vCFe>12.50</vCFe></total></infCFe>${options.assinatura ?? ASSINATURA_SAT}</CFe>`;
}

export interface OpcoesDoCfeCanc extends OpcoesDoCfe {
  /** Replaces the whole chCanc attribute; '' leaves it out. */
  chCanc?: string;
}

/** The cancellation of the coupon 42 of {@link cfe}, itself the coupon 43 of the same device. */
export function cfeCanc(options: OpcoesDoCfeCanc = {}): string {
  const { chave = chaveCfe({ numero: '43' }), tpAmb = '', dest = '<dest/>' } = options;
  const { data = '<dEmi>20210710</dEmi><hEmi>094500</hEmi>', emit = EMIT } = options;
  const id = options.id ?? ` Id="CFe${chave}"`;
  const chCanc = options.chCanc ?? ` chCanc="CFe${chaveCfe()}"`;
  return `<CFeCanc><infCFe${chCanc}${id} versao="0.08"><dEmi>20210710</dEmi><hEmi>093015</hEmi>${ideDe(chave, { data, tpAmb })}${emit}${dest}<total><vCFe>12.50</vCFe></total></infCFe>${options.assinatura ?? ASSINATURA_SAT}</CFeCanc>`;
}
