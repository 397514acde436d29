/** CT-e, CT-e Simplificado, CT-e OS, GTV-e and their events, signed. @fonte XSD cteTiposBasico_v4.00; XSD eventoCTeTiposBasico_v4.00 */
import type { Empresa } from '../../src/gerador/empresas.ts';
import { assinar } from './assinar.ts';
import {
  chaveDfe,
  DIA,
  EMITENTE,
  HORA,
  TERCEIRO,
  TOMADOR,
  TRANSPORTADORA,
  type Variacao,
  valorDe,
} from './partes.ts';

export const NS_CTE = 'http://www.portalfiscal.inf.br/cte';

export type TipoDeCte = 'CTe' | 'CTeSimp' | 'CTeOS' | 'GTVe';

const POR_TIPO: Readonly<Record<TipoDeCte, { modelo: string; proc: string; tpCTe: string }>> = {
  CTe: { modelo: '57', proc: 'cteProc', tpCTe: '0' },
  CTeSimp: { modelo: '57', proc: 'cteSimpProc', tpCTe: '5' },
  CTeOS: { modelo: '67', proc: 'cteOSProc', tpCTe: '0' },
  GTVe: { modelo: '64', proc: 'GTVeProc', tpCTe: '4' },
};

const parte = (nome: string, empresa: Empresa) =>
  `<${nome}><CNPJ>${empresa.id}</CNPJ><xNome>${empresa.nome.replaceAll('&', '&amp;')}</xNome></${nome}>`;

function partesDe(tipo: TipoDeCte, tomador: Empresa): string {
  switch (tipo) {
    case 'CTe':
      return `${parte('rem', TERCEIRO)}${parte('dest', tomador)}`;
    case 'GTVe':
      return `${parte('rem', tomador)}${parte('dest', TERCEIRO)}`;
    default:
      return `<toma>${tipo === 'CTeSimp' ? '<toma>3</toma>' : ''}<CNPJ>${tomador.id}</CNPJ><xNome>Tomador</xNome></toma>`;
  }
}

function protocolo(chave: string, cStat: string): string {
  const xMotivo = cStat === '100' ? 'Autorizado o uso do CT-e' : 'Uso denegado';
  return `<protCTe versao="4.00"><infProt><tpAmb>1</tpAmb><verAplic>SP-CTe-1</verAplic><chCTe>${chave}</chCTe><dhRecbto>${HORA}</dhRecbto><nProt>135260000000${chave.slice(31, 34)}</nProt><cStat>${cStat}</cStat><xMotivo>${xMotivo}</xMotivo></infProt></protCTe>`;
}

export function chaveDoCte(tipo: TipoDeCte, { numero, emitente = TRANSPORTADORA }: Variacao): string {
  return chaveDfe(emitente, POR_TIPO[tipo].modelo, numero);
}

export function cte(tipo: TipoDeCte, variacao: Variacao): string {
  const { numero, emitente = TRANSPORTADORA, tomador = TOMADOR, cStat = '100' } = variacao;
  const { modelo, proc, tpCTe } = POR_TIPO[tipo];
  const chave = chaveDoCte(tipo, variacao);
  const total =
    tipo === 'CTeSimp'
      ? `<total><vTPrest>${valorDe(variacao)}</vTPrest><vTRec>${valorDe(variacao)}</vTRec></total>`
      : `<vPrest><vTPrest>${valorDe(variacao)}</vTPrest><vRec>${valorDe(variacao)}</vRec></vPrest>`;
  const ide =
    `<ide><cUF>35</cUF><cCT>12345678</cCT><CFOP>5353</CFOP><natOp>Prestação de serviço de transporte</natOp><mod>${modelo}</mod>` +
    `<serie>1</serie><nCT>${numero}</nCT><dhEmi>${HORA}</dhEmi><tpImp>1</tpImp><tpEmis>1</tpEmis><cDV>${chave.slice(43)}</cDV>` +
    `<tpAmb>1</tpAmb><tpCTe>${tpCTe}</tpCTe><procEmi>0</procEmi>${tipo === 'CTe' ? '<toma3><toma>3</toma></toma3>' : ''}` +
    `${tipo === 'GTVe' ? '<toma><toma>0</toma></toma>' : ''}</ide>`;
  const inf =
    `<infCte Id="CTe${chave}" versao="4.00">${ide}<compl><xObs>Conteúdo ${variacao.conteudo ?? 'a'}</xObs></compl>` +
    `${parte('emit', emitente)}${partesDe(tipo, tomador)}${total}<autXML><CNPJ>${EMITENTE.id}</CNPJ></autXML></infCte>`;
  const bare = assinar(
    `<${tipo} xmlns="${NS_CTE}"${tipo === 'CTe' ? '' : ' versao="4.00"'}>${inf}</${tipo}>`,
    { nome: 'infCte', titular: emitente },
  );
  if (cStat === null) return bare;
  return `<?xml version="1.0" encoding="UTF-8"?><${proc} xmlns="${NS_CTE}" versao="4.00">${bare}${protocolo(chave, cStat)}</${proc}>`;
}

export interface VariacaoDeEvento {
  /** Key of the document. */
  chave: string;
  codigo: string;
  sequencia?: number;
  autor?: Empresa;
  conteudo?: 'a' | 'b';
}

export function eventoCte(variacao: VariacaoDeEvento): string {
  const { chave, codigo, sequencia = 1, autor = TRANSPORTADORA, conteudo = 'a' } = variacao;
  const id = `ID${codigo}${chave}${String(sequencia).padStart(3, '0')}`;
  const inf =
    `<infEvento Id="${id}"><cOrgao>35</cOrgao><tpAmb>1</tpAmb><CNPJ>${autor.id}</CNPJ><chCTe>${chave}</chCTe>` +
    `<dhEvento>${DIA}T12:00:00-03:00</dhEvento><tpEvento>${codigo}</tpEvento><nSeqEvento>${sequencia}</nSeqEvento>` +
    `<detEvento versaoEvento="4.00"><evento><descEvento>Evento ${conteudo}</descEvento><nProt>135260000000001</nProt></evento></detEvento></infEvento>`;
  const evento = assinar(`<eventoCTe xmlns="${NS_CTE}" versao="4.00">${inf}</eventoCTe>`, {
    nome: 'infEvento',
    titular: autor,
  });
  const ret = `<retEventoCTe versao="4.00"><infEvento><tpAmb>1</tpAmb><verAplic>SP</verAplic><cOrgao>35</cOrgao><cStat>135</cStat><xMotivo>Evento registrado e vinculado a CT-e</xMotivo><chCTe>${chave}</chCTe><tpEvento>${codigo}</tpEvento><nSeqEvento>${sequencia}</nSeqEvento><dhRegEvento>${DIA}T12:00:01-03:00</dhRegEvento><nProt>13526${codigo}${chave.slice(31, 34)}${sequencia}</nProt></infEvento></retEventoCTe>`;
  return `<procEventoCTe xmlns="${NS_CTE}" versao="4.00">${evento}${ret}</procEventoCTe>`;
}
