/** Small documents of the CT-e family for tests: invented companies, valid check digits, nothing else. */
import { chaveDe, cnpj, EMITENTE } from '../amostras-de-teste.ts';
import { NAMESPACE_CTE } from '../leitura.ts';

export const NS_CTE = ` xmlns="${NAMESPACE_CTE}"`;
export const REMETENTE = cnpj('414141410001');
export const EXPEDIDOR = cnpj('515151510001');
export const RECEBEDOR = cnpj('616161610001');
export const DESTINO = cnpj('717171710001');
export const TOMADOR = cnpj('818181810001');

export const CHAVE_CTE = chaveDe({ modelo: '57' });

export interface OpcoesDoCte {
  /** CTe, CTeOS, CTeSimp or GTVe. */
  elemento?: string;
  modelo?: string;
  chave?: string;
  /** Replaces the whole Id attribute; '' leaves it out. */
  id?: string;
  versao?: string;
  data?: string;
  tpCTe?: string;
  cct?: string;
  /** In ide, behind the fixed fields: the tomador. */
  toma?: string;
  emit?: string;
  /** What stands behind `emit`. */
  partes?: string;
  valor?: string;
  /** What stands behind the value. */
  depois?: string;
  ns?: string;
}

export function parteDoCte(elemento: string, id: string, nome: string): string {
  return `<${elemento}><CNPJ>${id}</CNPJ><xNome>${nome}</xNome></${elemento}>`;
}

export const QUATRO_PARTES =
  parteDoCte('rem', REMETENTE, 'Fábrica Norte') +
  parteDoCte('exped', EXPEDIDOR, 'Expedidora') +
  parteDoCte('receb', RECEBEDOR, 'Recebedora') +
  parteDoCte('dest', DESTINO, 'Loja Sul');

/** A bare CT-e of the issuer 313131310001, series 1, number 42. */
export function cte(options: OpcoesDoCte = {}): string {
  const { elemento = 'CTe', modelo = '57', versao = '4.00', ns = NS_CTE, tpCTe = '0' } = options;
  const chave = options.chave ?? chaveDe({ modelo });
  const id = options.id ?? ` Id="CTe${chave}"`;
  const data = options.data ?? '<dhEmi>2026-03-10T09:30:00-03:00</dhEmi>';
  const cct = options.cct ?? chave.slice(35, 43);
  const toma = options.toma ?? '<toma3><toma>0</toma></toma3>';
  const emit = options.emit ?? parteDoCte('emit', EMITENTE, 'Transportes Aurora');
  const valor = options.valor ?? '<vPrest><vTPrest>310.50</vTPrest><vRec>310.50</vRec></vPrest>';
  const ide = `<ide><cUF>${chave.slice(0, 2)}</cUF><cCT>${cct}</cCT><CFOP>5353</CFOP><natOp>Transporte</natOp><mod>${modelo}</mod><serie>1</serie><nCT>42</nCT>${data}<tpEmis>1</tpEmis><cDV>${chave.slice(43)}</cDV><tpAmb>1</tpAmb><tpCTe>${tpCTe}</tpCTe>${toma}</ide>`;
  const inside = `<infCte${id} versao="${versao}">${ide}${emit}${options.partes ?? QUATRO_PARTES}${valor}${options.depois ?? ''}</infCte>`;
  return `<${elemento}${ns}>${inside}</${elemento}>`;
}

export function protCte(
  options: { chave?: string; cStat?: string; xMotivo?: string; infFisco?: string } = {},
): string {
  const { chave = CHAVE_CTE, cStat = '100', xMotivo = 'Autorizado o uso do CT-e', infFisco = '' } = options;
  return `<protCTe versao="4.00"><infProt><tpAmb>1</tpAmb><chCTe>${chave}</chCTe><dhRecbto>2026-03-10T09:31:00-03:00</dhRecbto><nProt>135260000000011</nProt><cStat>${cStat}</cStat><xMotivo>${xMotivo}</xMotivo></infProt>${infFisco}</protCTe>`;
}

export function cteProc(inside: string = cte() + protCte(), elemento = 'cteProc'): string {
  return `<${elemento}${NS_CTE} versao="4.00">${inside}</${elemento}>`;
}

export interface OpcoesDoEventoCte {
  chave?: string;
  codigo?: string;
  sequencia?: string;
  /** Digits of the sequence in the Id: 3 in layout 4.00, 2 before. */
  digitos?: number;
  /** Element in detEvento, with its content. */
  det?: string;
  cStat?: string;
  /** Replaces the whole answer; '' leaves it out. */
  resposta?: string;
}

export function procEventoCte(options: OpcoesDoEventoCte = {}): string {
  const { chave = CHAVE_CTE, codigo = '110111', sequencia = '1', digitos = 3, cStat = '135' } = options;
  const det = options.det ?? '<evCancCTe><descEvento>Cancelamento</descEvento></evCancCTe>';
  const id = `ID${codigo}${chave}${sequencia.padStart(digitos, '0')}`;
  const resposta =
    options.resposta ??
    `<retEventoCTe versao="4.00"><infEvento><tpAmb>1</tpAmb><cStat>${cStat}</cStat><xMotivo>Evento registrado</xMotivo><chCTe>${chave}</chCTe><tpEvento>${codigo}</tpEvento><xEvento>Palavras da SEFAZ</xEvento><nSeqEvento>${sequencia}</nSeqEvento><dhRegEvento>2026-03-11T10:00:05-03:00</dhRegEvento><nProt>135260000000012</nProt></infEvento></retEventoCTe>`;
  return `<procEventoCTe${NS_CTE} versao="4.00"><eventoCTe versao="4.00"><infEvento Id="${id}"><cOrgao>35</cOrgao><tpAmb>1</tpAmb><CNPJ>${EMITENTE}</CNPJ><chCTe>${chave}</chCTe><dhEvento>2026-03-11T10:00:00-03:00</dhEvento><tpEvento>${codigo}</tpEvento><nSeqEvento>${sequencia}</nSeqEvento><detEvento versaoEvento="4.00">${det}</detEvento></infEvento></eventoCTe>${resposta}</procEventoCTe>`;
}

export const ID_INUTILIZACAO_CTE = `35${EMITENTE}57001000000010000000012`;

export function retInutCte(
  options: { cStat?: string; mod?: string; ini?: string } = {},
  ns = NS_CTE,
): string {
  const { cStat = '102', mod = '57', ini = '10' } = options;
  return `<retInutCTe${ns} versao="3.00"><infInut><tpAmb>1</tpAmb><cStat>${cStat}</cStat><xMotivo>Inutilização homologada</xMotivo><cUF>35</cUF><ano>26</ano><CNPJ>${EMITENTE}</CNPJ><mod>${mod}</mod><serie>1</serie><nCTIni>${ini}</nCTIni><nCTFin>12</nCTFin><dhRecbto>2026-03-12T08:00:00-03:00</dhRecbto><nProt>135260000000013</nProt></infInut></retInutCTe>`;
}

export function procInutCte(): string {
  return `<procInutCTe${NS_CTE} versao="3.00"><inutCTe versao="3.00"><infInut Id="ID${ID_INUTILIZACAO_CTE}"><tpAmb>1</tpAmb><xServ>INUTILIZAR</xServ><cUF>35</cUF><ano>26</ano><CNPJ>${EMITENTE}</CNPJ><mod>57</mod><serie>1</serie><nCTIni>10</nCTIni><nCTFin>12</nCTFin><xJust>Falha que pulou a numeração</xJust></infInut></inutCTe>${retInutCte({}, '')}</procInutCTe>`;
}
