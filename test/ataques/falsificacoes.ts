/**
 * Kinds of forgery, each with the genuine documents that it is about: what somebody can make who has a copy of a document
 * or knows its key, and has neither the issuer's certificate nor the authority's.
 */
import type { Chave } from '../../src/fiscal/tipos.ts';
import { type Empresa, generateEmpresa } from '../../src/gerador/empresas.ts';
import { generateEvento } from '../../src/gerador/eventos.ts';
import { generateInutilizacao } from '../../src/gerador/inutilizacao.ts';
import type { NfeGerada } from '../../src/gerador/nfe.ts';
import { generateNfse } from '../../src/gerador/nfse.ts';
import { generateEventoNfse } from '../../src/gerador/nfse-evento.ts';
import { NS_NFE } from '../../src/gerador/xml.ts';
import type { Lado } from './lado.ts';
import { comOutroValor, reassinar, semAssinatura, trocar } from './notas.ts';

export interface Genuino {
  chave: string;
  bytes: Uint8Array;
  /** Of an event; null for what is none. */
  evento: { codigo: string; sequencia: number } | null;
  /** What may be said of it, where nothing forged has an effect. */
  situacoes: readonly string[];
}

export interface Caso {
  genuinos: Genuino[];
  falsos: Uint8Array[];
  /** Keys of what is forged altogether: told with a mark, or not at all. */
  inventados?: string[];
}

export interface Mesa {
  /** Whose client buys; the supplier's documents are forged. */
  lado: Lado;
  /** Has a certificate of its own, and nothing to do with the others. */
  estranha: Empresa;
  em: Date;
  /** Of this case. */
  numero: number;
}

const DIA_MS = 86_400_000;
const SERIE = 1;
const SERIE_INUTILIZADA = 7;
const AUTORIZADA = ['Autorizada'];
const NPROT = '999999999999999';

export function mesaDe(lado: Lado, numero: number): Mesa {
  const estranha = generateEmpresa('falsos/estranha', { perfil: 'comercio', uf: 'SP' });
  return { lado, estranha, numero, em: new Date(Math.floor(Date.now() / DIA_MS) * DIA_MS - DIA_MS) };
}

function nota({ lado, em }: Mesa): { gerada: NfeGerada; genuino: Genuino } {
  const gerada = lado.proximaNota({ emissao: em });
  return { gerada, genuino: genuinoDe(gerada) };
}

function genuinoDe({ chave, bytes }: Pick<NfeGerada, 'chave' | 'bytes'>): Genuino {
  return { chave, bytes, evento: null, situacoes: AUTORIZADA };
}

function sobreUmaNota(forjar: (gerada: NfeGerada, mesa: Mesa) => string): (mesa: Mesa) => Caso {
  return (mesa) => {
    const { gerada, genuino } = nota(mesa);
    return { genuinos: [genuino], falsos: [Buffer.from(forjar(gerada, mesa))] };
  };
}

function dataHora({ em }: Mesa): string {
  return `${new Date(em.getTime() + DIA_MS / 2).toISOString().slice(0, 19)}-03:00`;
}

function protocoloCancelado(chave: string, mesa: Mesa): string {
  return `<protNFe xmlns="${NS_NFE}" versao="4.00"><infProt><tpAmb>1</tpAmb><verAplic>SP</verAplic><chNFe>${chave}</chNFe><dhRecbto>${dataHora(mesa)}</dhRecbto><cStat>101</cStat></infProt></protNFe>`;
}

/** A cancellation as the issuer would sign it. */
function cancelamento(mesa: Mesa, { chave, nProt }: { chave: Chave; nProt: string }): string {
  const autor = mesa.lado.fornecedor;
  return generateEvento({
    semente: `falso/${mesa.numero}`,
    codigo: '110111',
    chave,
    autor,
    em: mesa.em,
    nProt,
  }).xml;
}

function procCancNFe(chave: string, mesa: Mesa): string {
  const dito = `<tpAmb>1</tpAmb>`;
  const pedido = `<infCanc Id="ID${chave}">${dito}<xServ>CANCELAR</xServ><chNFe>${chave}</chNFe><nProt>${NPROT}</nProt><xJust>Cancelada a pedido do cliente</xJust></infCanc>`;
  const resposta = `<infCanc>${dito}<verAplic>SP</verAplic><cStat>101</cStat><xMotivo>Cancelamento de NF-e homologado</xMotivo><cUF>35</cUF><chNFe>${chave}</chNFe><dhRecbto>${dataHora(mesa)}</dhRecbto><nProt>${NPROT}</nProt></infCanc>`;
  return `<procCancNFe xmlns="${NS_NFE}" versao="2.00"><cancNFe versao="2.00">${pedido}</cancNFe><retCancNFe versao="2.00">${resposta}</retCancNFe></procCancNFe>`;
}

function notaNacional(mesa: Mesa) {
  const { lado, em, numero } = mesa;
  return generateNfse({
    semente: `falsos/${numero}`,
    prestador: lado.fornecedor,
    tomador: lado.cliente,
    numero,
    dps: { serie: 1, numero },
    emissao: em,
  });
}

/** As the city of São Paulo writes it, of which nothing is signed. */
function textoPaulistano(chave: string, mesa: Mesa): string {
  const { fornecedor, cliente } = mesa.lado;
  const dada = `<ChaveNFe><InscricaoPrestador>40670945</InscricaoPrestador><NumeroNFe>${mesa.numero}</NumeroNFe><CodigoVerificacao>ABCDEFGH</CodigoVerificacao><ChaveNotaNacional>${chave}</ChaveNotaNacional></ChaveNFe>`;
  const partes = `<CPFCNPJPrestador><CNPJ>${fornecedor.id}</CNPJ></CPFCNPJPrestador><RazaoSocialPrestador>Outra</RazaoSocialPrestador><StatusNFe>C</StatusNFe><ValorServicos>1.00</ValorServicos><CPFCNPJTomador><CNPJ>${cliente.id}</CNPJ></CPFCNPJTomador>`;
  const nfe = `<NFe xmlns="">${dada}<DataEmissaoNFe>${dataHora(mesa).slice(0, 19)}</DataEmissaoNFe>${partes}</NFe>`;
  return `<RetornoConsulta xmlns="http://www.prefeitura.sp.gov.br/nfe"><Cabecalho xmlns="" Versao="1"><Sucesso>true</Sucesso></Cabecalho>${nfe}</RetornoConsulta>`;
}

function deUmaNotaNacional(forjar: (chave: Chave, mesa: Mesa) => string): (mesa: Mesa) => Caso {
  return (mesa) => {
    const gerada = notaNacional(mesa);
    return { genuinos: [genuinoDe(gerada)], falsos: [Buffer.from(forjar(gerada.chave, mesa))] };
  };
}

function cartaDeCorrecao(mesa: Mesa): Caso {
  const { gerada, genuino } = nota(mesa);
  const { fornecedor } = mesa.lado;
  const situacoes = [...AUTORIZADA, 'CartaCorrecao'];
  const evento = { codigo: '110110', sequencia: 1 };
  const carta = generateEvento({
    semente: `carta/${mesa.numero}`,
    ...evento,
    chave: gerada.chave,
    autor: fornecedor,
    em: mesa.em,
  });
  const outroTexto = trocar(
    carta.xml,
    /<xCorrecao>[^<]*</,
    '<xCorrecao>Onde se lê 100 unidades, leia-se 1 unidade<',
  );
  const falsa = reassinar(outroTexto, { elemento: 'infEvento', assinante: mesa.estranha, em: mesa.em });
  const daCarta = { chave: gerada.chave, bytes: carta.bytes, evento, situacoes };
  return { genuinos: [{ ...genuino, situacoes }, daCarta], falsos: [Buffer.from(falsa)] };
}

/** The cancellation of another note of the same issuer, made to speak of this one. */
function cancelamentoDeOutra(mesa: Mesa, { comId }: { comId: boolean }): Caso {
  const { gerada, genuino } = nota(mesa);
  const outra = mesa.lado.proximaNota({ emissao: mesa.em });
  const xml = cancelamento(mesa, { chave: outra.chave, nProt: outra.protocolo?.nProt ?? NPROT });
  const falso = comId
    ? xml.replaceAll(outra.chave, gerada.chave)
    : xml.replaceAll(`<chNFe>${outra.chave}`, `<chNFe>${gerada.chave}`);
  return { genuinos: [genuino], falsos: [Buffer.from(falso)] };
}

function inutilizacao(mesa: Mesa): Caso {
  const { cliente } = mesa.lado;
  const range = { emitente: cliente, modelo: '55', em: mesa.em } as const;
  const serie = SERIE_INUTILIZADA + mesa.numero;
  const genuina = generateInutilizacao({
    semente: 'certa',
    ...range,
    serie,
    numeroInicial: 5,
    numeroFinal: 6,
  });
  const tudo = generateInutilizacao({
    semente: 'falsa',
    ...range,
    serie,
    numeroInicial: 1,
    numeroFinal: 999_999_999,
  });
  return {
    genuinos: [{ chave: genuina.chave, bytes: genuina.bytes, evento: null, situacoes: ['Inutilizada'] }],
    falsos: [Buffer.from(semAssinatura(tudo.xml))],
    inventados: [tudo.chave],
  };
}

/** A note that never was: the supplier's key, signed by somebody else, with a protocol of nines. */
function inventada(mesa: Mesa): Caso {
  const { lado, em, estranha } = mesa;
  const { xml, chave } = lado.proximaNota({ emissao: em, serie: SERIE + 1 });
  const assinada = reassinar(xml, { elemento: 'infNFe', assinante: estranha, em });
  const falsa = trocar(assinada, /<nProt>[^<]*</, `<nProt>${NPROT}<`);
  return { genuinos: [], falsos: [Buffer.from(falsa)], inventados: [chave] };
}

/** With an answer of SEFAZ that is about this very content. */
function comProtocoloDele(xml: string): string {
  const digest = /<DigestValue>([^<]*)</.exec(xml)?.[1] ?? '';
  return trocar(xml, /<digVal>[^<]*</, `<digVal>${digest}<`);
}

/** By what they are called (pt-BR). */
export const FALSIFICACOES: Readonly<Record<string, (mesa: Mesa) => Caso>> = {
  'cópia alterada com cStat 101': sobreUmaNota(({ xml }) =>
    trocar(comOutroValor(xml), /<cStat>100</, '<cStat>101<'),
  ),
  'cópia alterada com o protocolo certo': sobreUmaNota(({ xml }) => comOutroValor(xml)),
  'nota reassinada por outra empresa': sobreUmaNota(({ xml }, { estranha, em }) =>
    reassinar(comOutroValor(xml), { elemento: 'infNFe', assinante: estranha, em }),
  ),
  'nota de outra empresa sob a chave desta': sobreUmaNota(({ xml }, { lado, estranha, em }) =>
    comProtocoloDele(
      reassinar(
        trocar(comOutroValor(xml), `<emit><CNPJ>${lado.fornecedor.id}<`, `<emit><CNPJ>${estranha.id}<`),
        {
          elemento: 'infNFe',
          assinante: estranha,
          em,
        },
      ),
    ),
  ),
  'nota inventada': inventada,
  'carta de correção de outra empresa': cartaDeCorrecao,
  'protNFe solto': sobreUmaNota(({ chave }, mesa) => protocoloCancelado(chave, mesa)),
  retConsSitNFe: sobreUmaNota(
    ({ chave }, mesa) =>
      `<retConsSitNFe xmlns="${NS_NFE}" versao="4.00"><tpAmb>1</tpAmb><cStat>101</cStat><chNFe>${chave}</chNFe>${protocoloCancelado(chave, mesa)}</retConsSitNFe>`,
  ),
  'procEventoNFe sem assinatura': sobreUmaNota(({ chave }, mesa) =>
    semAssinatura(cancelamento(mesa, { chave, nProt: NPROT })),
  ),
  procCancNFe: sobreUmaNota(({ chave }, mesa) => procCancNFe(chave, mesa)),
  'evento assinado por outra empresa': sobreUmaNota(({ chave, protocolo }, mesa) =>
    reassinar(cancelamento(mesa, { chave, nProt: protocolo?.nProt ?? NPROT }), {
      elemento: 'infEvento',
      assinante: mesa.estranha,
      em: mesa.em,
    }),
  ),
  'evento de outra nota, com o Id dela': (mesa) => cancelamentoDeOutra(mesa, { comId: false }),
  'evento de outra nota, com o protocolo dela': (mesa) => cancelamentoDeOutra(mesa, { comId: true }),
  'evento nacional sem assinaturas': deUmaNotaNacional((chave, { lado, em, numero }) =>
    semAssinatura(generateEventoNfse({ semente: `falso/${numero}`, chave, autor: lado.fornecedor, em }).xml),
  ),
  'texto paulistano com a chave nacional': deUmaNotaNacional(textoPaulistano),
  'inutilização de tudo, sem assinatura': inutilizacao,
};
