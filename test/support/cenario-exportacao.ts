/** A small office with one document of every kind that the export area tells apart. */
import { generateEmpresa } from '../../src/gerador/empresas.ts';
import { generateEvento } from '../../src/gerador/eventos.ts';
import { generateInutilizacao } from '../../src/gerador/inutilizacao.ts';
import { type EntradaNfe, generateNfe } from '../../src/gerador/nfe.ts';
import { createEscritorio, type Escritorio, importFile, type Malote } from './malote.ts';

/** Its client in every document. */
export const emitente = generateEmpresa('emitente', { perfil: 'industria', uf: 'SP' });
const destinatario = generateEmpresa('destinatario', { perfil: 'comercio', uf: 'SP', alfanumerico: true });

/** Noon of a day of March 2026 in America/Sao_Paulo. */
const noon = (day: number) => new Date(Date.UTC(2026, 2, day, 15));

const nota = (numero: number, more: Partial<EntradaNfe> = {}) =>
  generateNfe({
    semente: `nota-${numero}`,
    emitente,
    destinatario,
    modelo: '55',
    serie: 1,
    numero,
    emissao: noon(numero),
    itens: 3,
    ...more,
  });

const autorizada = nota(1);
const cancelada = nota(2);
const corrigida = nota(3);
const denegada = nota(4, { protocolo: { cStat: '302' } });
const ultima = nota(8, { itens: 1 });
const nfce = nota(1, { modelo: '65', serie: 2, semente: 'nfce', emissao: noon(9), destinatario: null });
const cancelamento = generateEvento({
  semente: 'cancelamento',
  codigo: '110111',
  chave: cancelada.chave,
  autor: emitente,
  em: noon(2),
  nProt: cancelada.protocolo?.nProt ?? null,
});
const carta = generateEvento({
  semente: 'carta',
  codigo: '110110',
  chave: corrigida.chave,
  autor: emitente,
  em: noon(3),
});
/** Numbers 5 and 6 are given up; number 7 is missing. */
const inutilizacao = generateInutilizacao({
  semente: 'inutilizacao',
  emitente,
  modelo: '55',
  serie: 1,
  numeroInicial: 5,
  numeroFinal: 6,
  em: noon(6),
});

/** In order of import; in the issuer's feed each has the NSU of its place, counted from 1. */
export const EM_ORDEM = [
  autorizada,
  cancelada,
  cancelamento,
  corrigida,
  carta,
  denegada,
  inutilizacao,
  ultima,
  nfce,
] as const;

const DO_EVENTO = new Map<unknown, typeof cancelada>([
  [cancelamento, cancelada],
  [carta, corrigida],
]);

/** What each of them shows: an event the document that it is about. */
export const MOSTRADOS = EM_ORDEM.map((um) => DO_EVENTO.get(um) ?? um);

export const DOCUMENTOS = {
  autorizada,
  cancelada,
  corrigida,
  denegada,
  ultima,
  nfce,
  cancelamento,
  carta,
  inutilizacao,
};

export interface CenarioDeExportacao extends Escritorio {
  emitente: string;
  destinatario: string;
  /** Base address of a client: of the issuer, or of the one that is named. */
  base(cpfCnpj?: string): string;
}

/** Opens the office and imports everything through the API, one file after the other. */
export async function prepareCenario(malote: Malote, input: { crm: string }): Promise<CenarioDeExportacao> {
  const escritorio = await createEscritorio(malote.dataFolder, {
    crm: input.crm,
    clientes: [emitente.id, destinatario.id],
  });
  const { token, codigoCrm } = escritorio;
  for (const { bytes } of EM_ORDEM) await importFile(malote, { token, bytes, extension: '.xml' });
  return {
    ...escritorio,
    emitente: emitente.id,
    destinatario: destinatario.id,
    base: (cpfCnpj = emitente.id) => `${malote.url}/api/v1/${codigoCrm}/${encodeURIComponent(cpfCnpj)}`,
  };
}
