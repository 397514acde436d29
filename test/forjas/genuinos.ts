/** What is true: documents of a laboratory whose root is trusted, and in half of them the event that cancels them. */

import type { Chave } from '../../src/fiscal/tipos.ts';
import { SEMENTE_DE_ESTRANHOS } from '../../src/gerador/certificado.ts';
import { generateCfe, generateCfeCanc } from '../../src/gerador/cfe.ts';
import { generateCte } from '../../src/gerador/cte.ts';
import { generateEventoCte } from '../../src/gerador/cte-evento.ts';
import { type Empresa, generateEmpresa } from '../../src/gerador/empresas.ts';
import { generateEvento } from '../../src/gerador/eventos.ts';
import { generateNfe } from '../../src/gerador/nfe.ts';
import { generateNfse } from '../../src/gerador/nfse.ts';
import { generateNfseAbrasf } from '../../src/gerador/nfse-abrasf.ts';
import { generateEventoNfse } from '../../src/gerador/nfse-evento.ts';
import { generateCancelamentoDaConta, generateConta } from './comuns.ts';
import { generateDesacordo } from './desacordo.ts';

export type Familia = 'nfe' | 'nfce' | 'cte' | 'nfse' | 'comum' | 'cfe' | 'municipal';
export const FAMILIAS: readonly Familia[] = ['nfe', 'comum', 'nfce', 'cfe', 'cte', 'municipal', 'nfse'];

export interface Genuino {
  familia: Familia;
  chave: Chave;
  /** Name of the document and of its namespace, such as `NFCom`; null where nothing answers with a protocol. */
  nome: string | null;
  /** The document with its authorisation. */
  documento: string;
  /** The same before it was authorised; null where a family has none. */
  pendente: string | null;
  nProt: string | null;
  digest: string;
  emitente: Empresa;
  /** Events that happened; the cancellation among them where it was cancelled. */
  eventos: readonly string[];
  cancelada: boolean;
  /** A cancellation that anybody can write: signed by who answers for himself, in the issuer's name. */
  cancelamentoDe(autor: Empresa, opcoes: { estranho: boolean; nProt?: string; semente: string }): string;
  /** What its recipient, or who pays for it, said of it; null where nobody did. */
  manifestacao: string | null;
  /** The same said by anybody, in his own name and well signed; null where nobody says such things. */
  manifestacaoDe?(autor: Empresa, semente: string): string;
  /** Another content under the same key, signed by a device of a stranger's own making; only of coupons. */
  outroConteudo?(): string;
}

const EM = new Date('2026-03-10T13:00:00Z');
const DEPOIS = new Date('2026-03-10T15:00:00Z');
/** A coupon is cancelled within half an hour. */
const LOGO_DEPOIS = new Date('2026-03-10T13:20:00Z');
export const EMITENTE = generateEmpresa('forjas/emitente', { uf: 'SP' });
export const DESTINATARIO = generateEmpresa('forjas/destinatario', { uf: 'MG' });
export const ESTRANHO = generateEmpresa('forjas/estranho', { uf: 'SP' });
const certificados = (estranho: boolean) => (estranho ? `${SEMENTE_DE_ESTRANHOS}/forjas` : 'forjas');

/** @param numero tells one from the other of its family */
export function generateGenuino(familia: Familia, numero: number, cancelada: boolean): Genuino {
  if (familia === 'cte') return cte(numero, cancelada);
  if (familia === 'comum') return conta(numero, cancelada);
  if (familia === 'cfe') return cupom(numero, cancelada);
  if (familia === 'municipal') return municipal(numero, cancelada);
  return familia === 'nfse' ? nfse(numero, cancelada) : nota(familia, numero, cancelada);
}

function nota(familia: 'nfe' | 'nfce', numero: number, cancelada: boolean): Genuino {
  const modelo = familia === 'nfe' ? '55' : '65';
  const input = {
    semente: `forjas/${familia}/${numero}`,
    sementeCertificados: certificados(false),
    emitente: EMITENTE,
    destinatario: DESTINATARIO,
    modelo,
    serie: 1,
    numero,
    emissao: EM,
    itens: 1,
  } as const;
  const gerada = generateNfe(input);
  const { chave, xml, digest, protocolo } = gerada;
  const nProt = protocolo?.nProt ?? null;
  const evento = (
    codigo: string,
    autor: Empresa,
    mais: { estranho: boolean; nProt?: string | null; semente: string },
  ) =>
    generateEvento({
      semente: mais.semente,
      sementeCertificados: certificados(mais.estranho),
      codigo,
      chave,
      autor,
      em: DEPOIS,
      nProt: mais.nProt ?? nProt,
    }).xml;
  const semente = `forjas/${familia}/${numero}/evento`;
  const manifestacaoDe = (autor: Empresa, daManifestacao: string) =>
    evento('210200', autor, { estranho: false, semente: daManifestacao });
  return {
    familia,
    chave,
    nome: 'NFe',
    documento: xml,
    pendente: generateNfe({ ...input, protocolo: null }).xml,
    nProt,
    digest,
    emitente: EMITENTE,
    eventos: cancelada
      ? [evento('110111', EMITENTE, { estranho: false, semente })]
      : familia === 'nfe'
        ? [evento('110110', EMITENTE, { estranho: false, semente }), manifestacaoDe(DESTINATARIO, semente)]
        : [],
    cancelada,
    cancelamentoDe: (autor, opcoes) => evento('110111', autor, opcoes),
    manifestacao: !cancelada && familia === 'nfe' ? '210200' : null,
    ...(familia === 'nfe' ? { manifestacaoDe } : {}),
  };
}

function cte(numero: number, cancelada: boolean): Genuino {
  const input = {
    semente: `forjas/cte/${numero}`,
    sementeCertificados: certificados(false),
    emitente: EMITENTE,
    remetente: ESTRANHO,
    destinatario: DESTINATARIO,
    serie: 1,
    numero,
    emissao: EM,
    tomador: 'destinatario',
    carga: { notas: [], valor: 100_000 },
  } as const;
  const gerado = generateCte(input);
  const { chave, xml, digest } = gerado;
  const nProt = /<nProt>(\d+)</.exec(xml)?.[1] ?? null;
  const desacordoDe = (autor: Empresa) =>
    generateDesacordo({ chave, autor, em: DEPOIS, sementeCertificados: certificados(false) });
  const cancelamento = (
    autor: Empresa,
    mais: { estranho: boolean; nProt?: string | null; semente: string },
  ) =>
    generateEventoCte({
      semente: mais.semente,
      sementeCertificados: certificados(mais.estranho),
      codigo: '110111',
      chave,
      autor,
      em: DEPOIS,
      nProt: mais.nProt ?? nProt,
    }).xml;
  return {
    familia: 'cte',
    chave,
    nome: 'CTe',
    documento: xml,
    pendente: generateCte({ ...input, autorizado: false }).xml,
    nProt,
    digest,
    emitente: EMITENTE,
    eventos: cancelada
      ? [cancelamento(EMITENTE, { estranho: false, semente: `forjas/cte/${numero}/evento` })]
      : [desacordoDe(DESTINATARIO)],
    cancelada,
    cancelamentoDe: cancelamento,
    manifestacao: cancelada ? null : '610110',
    manifestacaoDe: desacordoDe,
  };
}

function nfse(numero: number, cancelada: boolean): Genuino {
  const gerada = generateNfse({
    semente: `forjas/nfse/${numero}`,
    sementeCertificados: certificados(false),
    prestador: EMITENTE,
    tomador: DESTINATARIO,
    numero,
    dps: { serie: 1, numero },
    emissao: EM,
  });
  const { chave, xml, digest } = gerada;
  const cancelamento = (autor: Empresa, mais: { estranho: boolean; semente: string }) =>
    generateEventoNfse({
      semente: mais.semente,
      sementeCertificados: certificados(mais.estranho),
      chave,
      autor,
      em: DEPOIS,
    }).xml;
  return {
    familia: 'nfse',
    chave,
    nome: null,
    documento: xml,
    pendente: null,
    nProt: null,
    digest,
    emitente: EMITENTE,
    eventos: cancelada
      ? [cancelamento(EMITENTE, { estranho: false, semente: `forjas/nfse/${numero}/evento` })]
      : [],
    cancelada,
    cancelamentoDe: cancelamento,
    manifestacao: null,
  };
}

function conta(numero: number, cancelada: boolean): Genuino {
  const sementeCertificados = certificados(false);
  const gerada = generateConta({
    ...{ numero, emitente: EMITENTE, destinatario: DESTINATARIO },
    ...{ em: EM, sementeCertificados },
  });
  const cancelamentoDe: Genuino['cancelamentoDe'] = (autor, { estranho, nProt = gerada.nProt }) =>
    generateCancelamentoDaConta({
      ...{ conta: gerada, autor, em: DEPOIS, nProt },
      sementeCertificados: certificados(estranho),
    });
  const eventos = cancelada ? [cancelamentoDe(EMITENTE, { estranho: false, semente: '' })] : [];
  return {
    ...gerada,
    familia: 'comum',
    emitente: EMITENTE,
    eventos,
    cancelada,
    cancelamentoDe,
    manifestacao: null,
  };
}

/** Of a device, whose cancellations have numbers of their own. */
function cupom(numero: number, cancelada: boolean): Genuino {
  const dados = (estranho: boolean) => ({
    semente: `forjas/cfe/${numero}`,
    sementeCertificados: certificados(estranho),
    ...{ emitente: EMITENTE, nserieSAT: '000123456' },
  });
  const venda = { consumidor: { id: DESTINATARIO.id }, numero, emissao: EM, itens: 1 };
  const gerado = generateCfe({ ...dados(false), ...venda });
  const cancelamentoDe: Genuino['cancelamentoDe'] = (_autor, { estranho }) =>
    generateCfeCanc({ ...dados(estranho), cancelado: gerado, numero: numero + 1, emissao: LOGO_DEPOIS }).xml;
  return {
    familia: 'cfe',
    chave: gerado.chave,
    nome: null,
    documento: gerado.xml,
    pendente: null,
    nProt: null,
    digest: gerado.digest,
    emitente: EMITENTE,
    eventos: cancelada ? [cancelamentoDe(EMITENTE, { estranho: false, semente: '' })] : [],
    cancelada,
    cancelamentoDe,
    manifestacao: null,
    outroConteudo: () => generateCfe({ ...dados(true), ...venda, itens: 3 }).xml,
  };
}

/** Nothing proves one of these: the first to come is served, and whatever is said of it is marked. */
function municipal(numero: number, cancelada: boolean): Genuino {
  const nota = {
    semente: `forjas/municipal/${numero}`,
    ...{ prestador: EMITENTE, tomador: DESTINATARIO, numero },
    ...{ rps: { serie: '1', numero }, emissao: EM },
  };
  const { chave, xml } = generateNfseAbrasf(nota);
  const canceladaXml = generateNfseAbrasf({ ...nota, cancelamento: DEPOIS }).xml;
  const dentro = /<NfseCancelamento.*<\/NfseCancelamento>/.exec(canceladaXml)?.[0] ?? '';
  const cancelamento = dentro.replace(
    '<NfseCancelamento',
    '<NfseCancelamento xmlns="http://www.abrasf.org.br/nfse.xsd"',
  );
  return {
    familia: 'municipal',
    chave,
    nome: null,
    documento: xml,
    pendente: null,
    nProt: null,
    digest: '',
    emitente: EMITENTE,
    eventos: cancelada ? [cancelamento] : [],
    cancelada,
    cancelamentoDe: () => cancelamento,
    manifestacao: null,
  };
}
