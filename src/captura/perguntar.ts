/** Makes one call and tells what came of it, whichever service it was. */

import type { ClienteDaCaptura } from './client/cliente.ts';
import { consChNfe, consNsu, distNsu } from './client/distribuicao.ts';
import { askForNfse, distribuirNfse } from './client/nfse.ts';
import { downloadNfce, listChaves } from './client/sae.ts';
import { FalhaDeTransporte, type Interessado, type Resposta } from './client/tipos.ts';
import type { LinhaDeEstado } from './queries.ts';
import type { Desfecho } from './seguir.ts';

/** A question with what it is about. */
export type PerguntaCompleta =
  | { tipo: 'distNSU' }
  | { tipo: 'consNSU'; nsu: number }
  | { tipo: 'consChave'; chave: string };

/** What a call brought. */
export interface Achado {
  desfecho: Omit<Desfecho, 'maisChaves'>;
  /** The answer as it came; empty where there is none. */
  bytes: Buffer;
  /** Keys that were listed instead of documents. */
  chaves: readonly string[];
}

/** @param parede ms UTC, for services that are asked by date */
export async function ask(
  cliente: ClienteDaCaptura,
  input: { estado: LinhaDeEstado; pergunta: PerguntaCompleta; quem: Interessado; parede: number },
): Promise<Achado> {
  const { pergunta, quem } = input;
  const comum = { pergunta, impressao: quem.certificado.impressao };
  try {
    const resposta = await chamar(cliente, input);
    const { codigo, motivo, esperarSegundos, bytes } = resposta;
    const { ultNsu = null, maxNsu = null, documentos, chaves = [], marco = null } = resposta;
    const desfecho = { ...comum, codigo, motivo, esperarSegundos, ultNsu, maxNsu, documentos, marco };
    return { desfecho: { ...desfecho, enviado: true }, bytes, chaves };
  } catch (error) {
    if (!(error instanceof FalhaDeTransporte)) throw error;
    const nada = { ultNsu: null, maxNsu: null, documentos: 0, esperarSegundos: null };
    const { codigo, causa: motivo, enviado } = error;
    return { desfecho: { ...comum, ...nada, codigo, motivo, enviado }, bytes: Buffer.alloc(0), chaves: [] };
  }
}

interface Bruta extends Resposta {
  ultNsu?: number | null;
  maxNsu?: number | null;
  documentos: number;
  chaves?: readonly string[];
  marco?: string | null;
}

async function chamar(
  cliente: ClienteDaCaptura,
  input: { estado: LinhaDeEstado; pergunta: PerguntaCompleta; quem: Interessado; parede: number },
): Promise<Bruta> {
  const { estado, pergunta, quem } = input;
  const { servico, ult_nsu: ultNsu } = estado;
  if (pergunta.tipo === 'consChave') return porChave(cliente, { servico, chave: pergunta.chave, quem });
  if (servico === 'nfce') return listar(cliente, input);
  if (servico === 'nfse') return distribuirNfse(cliente, { ...quem, ultNsu });
  return pergunta.tipo === 'consNSU'
    ? consNsu(cliente, servico, { ...quem, nsu: pergunta.nsu })
    : distNsu(cliente, servico, { ...quem, ultNsu });
}

async function porChave(
  cliente: ClienteDaCaptura,
  { servico, chave, quem }: Pick<LinhaDeEstado, 'servico'> & { chave: string; quem: Interessado },
): Promise<Bruta> {
  const { certificado } = quem;
  if (servico === 'nfce') return downloadNfce(cliente, { chave, certificado });
  if (servico === 'nfse') return { ...(await askForNfse(cliente, { chave, certificado })), documentos: 1 };
  return consChNfe(cliente, { ...quem, chave });
}

const DAY_MS = 86_400_000;
/** How far a first list goes back. The service has 100 days. */
const PRIMEIRA_LISTA_DIAS = 30;
/** What was issued offline is handed in up to a day later, with its own date. */
const RECUO_DIAS = 1;

/** Lists keys from the last one on; a list that was complete begins a day earlier the next time. */
async function listar(
  cliente: ClienteDaCaptura,
  { estado, quem, parede }: { estado: LinhaDeEstado; quem: Interessado; parede: number },
): Promise<Bruta> {
  const { marco, ult_nsu, max_nsu } = estado;
  const primeira = brasilia(parede - PRIMEIRA_LISTA_DIAS * DAY_MS);
  const continua = max_nsu > ult_nsu;
  const desde = marco === null ? primeira : continua ? marco : recuado(marco, primeira);
  const resposta = await listChaves(cliente, { desde, certificado: quem.certificado });
  const { chaves, ultimaData } = resposta;
  return { ...resposta, documentos: 0, chaves, marco: ultimaData ?? marco };
}

function recuado(marco: string, primeira: string): string {
  const before = new Date(Date.parse(`${marco}:00Z`) - RECUO_DIAS * DAY_MS).toISOString().slice(0, 16);
  return before > primeira ? before : primeira;
}

/** Minutes as São Paulo's clocks show them, the whole year three hours behind UTC. */
function brasilia(instante: number): string {
  return new Date(instante - 3 * 3_600_000).toISOString().slice(0, 16);
}
