/** Small documents for the tests of the readers: invented companies, valid check digits, nothing else. */
import { chaveCheckDigit } from './chave.ts';
import { cnpjCheckDigits, cpfCheckDigits } from './cpf-cnpj.ts';
import { NAMESPACE_NFE } from './leitura.ts';
import type { ValidadorDeEsquema } from './ler.ts';
import { scanXml } from './xml/scan.ts';
import type { XmlTree } from './xml/tree.ts';

export const NS = ` xmlns="${NAMESPACE_NFE}"`;

export function cnpj(base: string): string {
  return base + cnpjCheckDigits(base);
}
export function cpf(base: string): string {
  return base + cpfCheckDigits(base);
}

export const EMITENTE = cnpj('313131310001');
export const DESTINATARIO = cnpj('424242420001');
export const TRANSPORTADOR = cnpj('535353530001');
export const CONTADOR = cnpj('646464640001');
export const MARKETPLACE = cnpj('757575750001');
export const DEPOSITO = cnpj('313131310002');
export const CNPJ_ALFANUMERICO = cnpj('7A9B1C2D0001');
export const PRODUTOR = cpf('123456780');

interface OpcoesDaChave {
  cUF?: string;
  anoMes?: string;
  emitente?: string;
  modelo?: string;
  serie?: string;
  numero?: string;
  /** tpEmis and cNF together, 9 digits. */
  final?: string;
}

/** A key with a valid check digit. */
export function chaveDe(options: OpcoesDaChave = {}): string {
  const {
    cUF = '35',
    anoMes = '2603',
    emitente = EMITENTE,
    modelo = '55',
    serie = '1',
    numero = '42',
    final = '112345678',
  } = options;
  const body =
    cUF +
    anoMes +
    emitente.padStart(14, '0') +
    modelo +
    serie.padStart(3, '0') +
    numero.padStart(9, '0') +
    final;
  return body + chaveCheckDigit(body);
}

/** The same key with a check digit that is not its own. */
export function withWrongDigit(chave: string): string {
  return chave.slice(0, 43) + String((Number(chave.slice(43)) + 1) % 10);
}

export interface OpcoesDaNota {
  chave?: string;
  /** Replaces the whole Id attribute; '' leaves it out. */
  id?: string;
  versao?: string;
  modelo?: string;
  data?: string;
  ide?: string;
  emit?: string;
  dest?: string;
  /** Between dest and det. */
  partes?: string;
  itens?: string;
  /** What stands behind `total`. */
  depois?: string;
  /** What stands behind `infNFe`. */
  assinatura?: string;
  ns?: string;
}

export function item(n: number, cfop: string, valor: string): string {
  return `<det nItem="${n}"><prod><cProd>P${n}</cProd><xProd>Produto ${n}</xProd><NCM>84713012</NCM><CFOP>${cfop}</CFOP><vProd>${valor}</vProd></prod></det>`;
}

/** A bare `NFe` of the issuer 313131310001. */
export function nota(options: OpcoesDaNota = {}): string {
  const { modelo = '55', versao = '4.00', ns = NS } = options;
  const chave = options.chave ?? chaveDe({ modelo });
  const id = options.id ?? ` Id="NFe${chave}"`;
  const data = options.data ?? '<dhEmi>2026-03-10T09:30:00-03:00</dhEmi>';
  const ide =
    options.ide ??
    `<ide><cUF>${chave.slice(0, 2)}</cUF><cNF>${chave.slice(35, 43)}</cNF><natOp>Venda de mercadoria</natOp><mod>${modelo}</mod><serie>1</serie><nNF>42</nNF>${data}<tpNF>1</tpNF><tpEmis>1</tpEmis><cDV>${chave.slice(43)}</cDV><tpAmb>1</tpAmb><finNFe>1</finNFe><procEmi>0</procEmi></ide>`;
  const emit = options.emit ?? `<emit><CNPJ>${EMITENTE}</CNPJ><xNome>Padaria Aurora Ltda</xNome></emit>`;
  const dest =
    options.dest ?? `<dest><CNPJ>${DESTINATARIO}</CNPJ><xNome>Mercado Horizonte &amp; Filhos</xNome></dest>`;
  const itens = options.itens ?? item(1, '5102', '150.00');
  return `<NFe${ns}><infNFe${id} versao="${versao}">${ide}${emit}${dest}${options.partes ?? ''}${itens}<total><ICMSTot><vNF>150.00</vNF></ICMSTot></total>${options.depois ?? ''}</infNFe>${options.assinatura ?? ''}</NFe>`;
}

export function protocolo(
  options: { chave?: string; cStat?: string; xMotivo?: string; digVal?: string } = {},
): string {
  const { chave = chaveDe(), cStat = '100', xMotivo = 'Autorizado o uso da NF-e', digVal } = options;
  return `<protNFe versao="4.00"><infProt><tpAmb>1</tpAmb><chNFe>${chave}</chNFe><dhRecbto>2026-03-10T09:31:00-03:00</dhRecbto><nProt>135260000000001</nProt>${digVal ? `<digVal>${digVal}</digVal>` : ''}<cStat>${cStat}</cStat><xMotivo>${xMotivo}</xMotivo></infProt></protNFe>`;
}

export function processada(inside: string = nota() + protocolo(), ns: string = NS): string {
  return `<nfeProc${ns} versao="4.00">${inside}</nfeProc>`;
}

export interface OpcoesDoEvento {
  chave?: string;
  codigo?: string;
  sequencia?: string;
  data?: string;
  det?: string;
  cStat?: string;
  tpAmb?: string;
  /** Replaces the whole answer; '' leaves it out. */
  resposta?: string;
}

export function eventoXml(options: OpcoesDoEvento = {}): string {
  const { codigo = '110111', sequencia = '1', cStat = '135', tpAmb = '1' } = options;
  const chave = options.chave ?? chaveDe();
  const data = options.data ?? '<dhEvento>2026-03-11T10:00:00-03:00</dhEvento>';
  const resposta =
    options.resposta ??
    `<retEvento versao="1.00"><infEvento><tpAmb>${tpAmb}</tpAmb><cStat>${cStat}</cStat><xMotivo>Evento registrado e vinculado a NF-e</xMotivo><chNFe>${chave}</chNFe><tpEvento>${codigo}</tpEvento><xEvento>Palavras da SEFAZ</xEvento><nSeqEvento>${Number(sequencia)}</nSeqEvento><CNPJDest>${DESTINATARIO}</CNPJDest><dhRegEvento>2026-03-11T10:00:05-03:00</dhRegEvento><nProt>135260000000002</nProt></infEvento></retEvento>`;
  return `<evento${NS} versao="1.00"><infEvento Id="ID${codigo}${chave}${sequencia.padStart(2, '0')}"><cOrgao>35</cOrgao><tpAmb>${tpAmb}</tpAmb><CNPJ>${EMITENTE}</CNPJ><chNFe>${chave}</chNFe>${data}<tpEvento>${codigo}</tpEvento><nSeqEvento>${sequencia}</nSeqEvento><detEvento versao="1.00">${options.det ?? '<descEvento>Evento</descEvento>'}</detEvento></infEvento></evento>${resposta}`;
}

export function procEvento(options: OpcoesDoEvento = {}): string {
  return `<procEventoNFe${NS} versao="1.00">${eventoXml(options)}</procEventoNFe>`;
}

interface OpcoesDaInutilizacao {
  cStat?: string;
  quem?: string;
  mod?: string;
  ini?: string;
  fin?: string;
  data?: string;
}

export function retInut(options: OpcoesDaInutilizacao = {}, ns: string = NS): string {
  const { cStat = '102', quem = `<CNPJ>${EMITENTE}</CNPJ>`, mod = '55', ini = '10', fin = '12' } = options;
  const data = options.data ?? '<dhRecbto>2026-03-12T08:00:00-03:00</dhRecbto>';
  return `<retInutNFe${ns} versao="4.00"><infInut><tpAmb>1</tpAmb><cStat>${cStat}</cStat><xMotivo>Inutilização de número homologado</xMotivo><cUF>35</cUF><ano>26</ano>${quem}<mod>${mod}</mod><serie>1</serie><nNFIni>${ini}</nNFIni><nNFFin>${fin}</nNFFin>${data}<nProt>135260000000003</nProt></infInut></retInutNFe>`;
}

export const ID_INUTILIZACAO = `3526${EMITENTE}55001000000010000000012`;

export function procInut(id: string = ID_INUTILIZACAO): string {
  return `<ProcInutNFe${NS} versao="4.00"><inutNFe versao="4.00"><infInut Id="ID${id}"><tpAmb>1</tpAmb><xServ>INUTILIZAR</xServ><cUF>35</cUF><ano>26</ano><CNPJ>${EMITENTE}</CNPJ><mod>55</mod><serie>1</serie><nNFIni>10</nNFIni><nNFFin>12</nNFFin><xJust>Falha que pulou a numeração</xJust></infInut></inutNFe>${retInut({}, '')}</ProcInutNFe>`;
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Scans a fixture that must scan. */
export function treeOf(xml: string): XmlTree {
  const scan = scanXml(bytesOf(xml));
  if (!scan.ok) throw new Error(`fixture: ${scan.rejeicao.mensagem}`);
  return scan.tree;
}

export const SEM_ESQUEMA: ValidadorDeEsquema = {
  validar: () => ({ resultado: 'nao_verificado', esquema: null, motivo: 'sem esquema no teste' }),
};
