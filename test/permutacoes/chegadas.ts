/** Everything that may arrive in a permutation: documents, copies, conflicting versions and events of every family. */

import type { PecaLida } from '../../src/documentos/tipos.ts';
import { readContent } from '../../src/importacao/reading/leitor.ts';
import { cfe, cfeCanc } from '../sementes/cfe.ts';
import { chaveDoCte, cte, eventoCte, type TipoDeCte } from '../sementes/cte.ts';
import { eventoNfe, inutilizacaoNfe, nfe } from '../sementes/nfe.ts';
import {
  cancelamentoAbrasf,
  chaveDaNfse,
  eventoNfse,
  nfseAbrasf,
  nfseIpm,
  nfseNacional,
  nfsePaulistana,
} from '../sementes/nfse.ts';
import { EMITENTE, HORA, TOMADOR, TRANSPORTADORA, type Variacao } from '../sementes/partes.ts';

/** What a person would say that arrived, without reading it. */
export interface Chegada {
  nome: string;
  /** Family and number of the document that it is, or is about. */
  alvo: string;
  diz: 'pendente' | 'autorizada' | 'denegada' | 'cancelada' | 'cancela' | 'evento' | 'inutilizacao' | 'chave';
  pecas: readonly PecaLida[];
}

const validador = {
  validar: () => ({ resultado: 'nao_verificado' as const, esquema: null, motivo: null }),
};

const CONTEUDOS = ['a', 'b'] as const;

type Linha = [alvo: string, diz: Chegada['diz'], text: string, extra?: string];

/** White space between the elements around the signed one: other bytes of the same document. */
const outraCopia = (xml: string) => xml.replace(/>\s*(<\/[\w:]+>)\s*$/, '>\n$1\n');
/** As an editor would leave it: the signature does not verify any more. */
const indentado = (xml: string) => xml.replaceAll('><', '>\n<');

/** SEFAZ's summary of a note: 1 authorised, 2 denied, 3 cancelled. */
const resumo = (chave: string, cSitNFe: string) =>
  `<resNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.01"><chNFe>${chave}</chNFe><CNPJ>${EMITENTE.id}</CNPJ><xNome>Emitente</xNome><IE>111</IE><dhEmi>${HORA}</dhEmi><tpNF>1</tpNF><vNF>1.00</vNF><digVal>AAAAAAAAAAAAAAAAAAAAAAAAAAA=</digVal><dhRecbto>${HORA}</dhRecbto><nProt>135260000000001</nProt><cSitNFe>${cSitNFe}</cSitNFe></resNFe>`;

/** As a program wrote it before it was signed. */
const rascunho = (xml: string) => xml.replace(/<Signature .*?<\/Signature>/s, '');

/** A document with and without protocol, copied, indented, and with another content under the same key. */
function versoes(alvo: string, make: (variacao: Pick<Variacao, 'conteudo' | 'cStat'>) => string): Linha[] {
  const authorised = make({ conteudo: 'a', cStat: '100' });
  const bare = make({ conteudo: 'a', cStat: null });
  return [
    [alvo, 'pendente', rascunho(bare)],
    [alvo, 'pendente', bare],
    [alvo, 'autorizada', authorised],
    [alvo, 'autorizada', outraCopia(authorised)],
    [alvo, 'autorizada', indentado(authorised)],
    [alvo, 'pendente', make({ conteudo: 'b', cStat: null })],
    [alvo, 'autorizada', make({ conteudo: 'b', cStat: '100' })],
  ];
}

function daNfe(): Linha[] {
  const rows: Linha[] = [];
  for (const modelo of ['55', '65'] as const) {
    for (const numero of [1, 2, 5]) {
      const alvo = `nfe${modelo}/${numero}`;
      const { chave } = nfe(modelo, { numero });
      rows.push(...versoes(alvo, (variacao) => nfe(modelo, { numero, ...variacao }).xml));
      for (const conteudo of CONTEUDOS)
        rows.push([alvo, 'cancela', eventoNfe({ chave, codigo: '110111', conteudo })]);
      rows.push([alvo, 'chave', chave]);
      if (modelo === '65') continue;
      for (const cSitNFe of ['1', '2', '3'])
        rows.push([alvo, 'chave', resumo(chave, cSitNFe), `resumo${cSitNFe}`]);
      for (const sequencia of [1, 2])
        rows.push([alvo, 'evento', eventoNfe({ chave, codigo: '110110', sequencia })]);
      for (const codigo of ['210210', '210200', '210220'])
        rows.push([alvo, 'evento', eventoNfe({ chave, codigo, autor: TOMADOR })]);
    }
    const denied = `nfe${modelo}/7`;
    rows.push([denied, 'denegada', nfe(modelo, { numero: 7, cStat: '302' }).xml]);
    rows.push([denied, 'pendente', nfe(modelo, { numero: 7, cStat: null }).xml]);
    const { inteira, resposta } = inutilizacaoNfe({ de: 3, ate: 4, modelo });
    rows.push([`inut${modelo}`, 'inutilizacao', inteira], [`inut${modelo}`, 'inutilizacao', resposta]);
  }
  return rows;
}

function doCte(): Linha[] {
  const tipos: readonly TipoDeCte[] = ['CTe', 'CTeSimp', 'CTeOS', 'GTVe'];
  return tipos.flatMap((tipo, at) => {
    // The two of model 57 share one numbering.
    const numero = at + 1;
    const alvo = tipo;
    const chave = chaveDoCte(tipo, { numero });
    return [
      ...versoes(alvo, (variacao) => cte(tipo, { numero, ...variacao })),
      ...CONTEUDOS.map(
        (conteudo): Linha => [alvo, 'cancela', eventoCte({ chave, codigo: '110111', conteudo })],
      ),
      [alvo, 'evento', eventoCte({ chave, codigo: '110110' })],
      [alvo, 'evento', eventoCte({ chave, codigo: '610110', autor: TOMADOR }), 'desacordo'],
    ] satisfies Linha[];
  });
}

function doCfe(): Linha[] {
  const variants = CONTEUDOS.map((conteudo): Linha => ['cfe', 'autorizada', cfe({ numero: 1, conteudo })]);
  return [
    ...variants,
    ['cfe', 'autorizada', outraCopia(cfe({ numero: 1 }))],
    ['cfe', 'cancela', cfeCanc({ numero: 1 })],
    ['cfe/2', 'autorizada', cfe({ numero: 2 })],
  ];
}

function daNfse(): Linha[] {
  const chave = chaveDaNfse({ numero: 1 });
  const rows: Linha[] = CONTEUDOS.flatMap((conteudo): Linha[] => [
    ['nfse', 'autorizada', nfseNacional({ numero: 1, conteudo })],
    ['nfse', 'cancela', eventoNfse({ chave, codigo: '101101', conteudo })],
  ]);
  for (const codigo of ['202203', '203206']) rows.push(['nfse', 'evento', eventoNfse({ chave, codigo })]);
  rows.push(['nfse/2', 'autorizada', nfseNacional({ numero: 2 })]);
  rows.push(['nfse/2', 'cancela', eventoNfse({ chave: chaveDaNfse({ numero: 2 }), codigo: '105102' })]);
  const municipal: readonly [string, (variacao: Variacao) => string][] = [
    ['abrasf', nfseAbrasf],
    ['paulistana', nfsePaulistana],
    ['ipm', nfseIpm],
  ];
  for (const [alvo, make] of municipal) {
    for (const conteudo of CONTEUDOS) rows.push([alvo, 'autorizada', make({ numero: 1, conteudo })]);
    rows.push([alvo, 'cancelada', make({ numero: 1, cancelada: true })]);
    rows.push([`${alvo}/2`, 'autorizada', make({ numero: 2 })]);
  }
  rows.push(['abrasf/2', 'cancela', cancelamentoAbrasf({ numero: 2 })]);
  return rows;
}

/** Who is a client from the start, and who becomes one on the way. */
export const CLIENTES = { antes: [EMITENTE.id, TRANSPORTADORA.id], depois: TOMADOR.id };

/** A CT-e as it was authorised, and as a later query told it: the same content, cancelled by its protocol (101). */
export function canceladaNoProtocolo(): Chegada[] {
  return lidas([
    ['CTe/9', 'autorizada', cte('CTe', { numero: 9 })],
    ['CTe/9', 'cancelada', cte('CTe', { numero: 9, cStat: '101' })],
  ]);
}

/** All that may arrive. */
export function todasAsChegadas(): Chegada[] {
  return lidas([...daNfe(), ...doCte(), ...doCfe(), ...daNfse()]);
}

/** Read by the product, once. */
function lidas(linhas: readonly Linha[]): Chegada[] {
  return linhas.map(([alvo, diz, text, extra = ''], at) => {
    const extension = text.startsWith('<') ? 'xml' : 'txt';
    const nome = `${at}-${alvo.replace('/', '-')}-${diz}${extra}.${extension}`;
    const bytes = Buffer.from(text);
    const pecas = readContent({ caminho: nome, bytes }, { validador });
    if (pecas.length !== 1 || pecas[0]?.kind === 'rejeitado' || pecas[0]?.kind === 'ignorado')
      throw new Error(`${nome}: ${JSON.stringify(pecas)}`);
    return { nome, alvo, diz, pecas };
  });
}
