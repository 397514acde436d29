/** Legal holds: whatever one of them covers is not deleted, however old it is. */

import { ACAO, auditar } from '../auditoria/auditar.ts';
import type { Db } from '../banco/tabelas.ts';
import type { TabelaGuardaLegal } from '../banco/tabelas-retencao.ts';
import { findCliente } from '../contas/clientes.ts';
import { clienteNaoEncontrado } from '../contas/errors.ts';
import type { Deps } from '../deps.ts';
import { parseChave } from '../fiscal/chave.ts';
import { ehDia } from '../fiscal/dia.ts';
import type { ErroDeCampo } from '../platform/errors.ts';
import { dadosInvalidos } from '../platform/http/errors.ts';
import { guardaNaoEncontrada } from './errors.ts';
import { MODELOS } from './prazos.ts';
import * as queries from './queries-regras.ts';

export interface Guarda {
  id: number;
  cliente: { id: number; cpfCnpj: string; nome: string } | null;
  chave: string | null;
  modelo: string | null;
  emissaoDe: string | null;
  emissaoAte: string | null;
  motivo: string;
  criadaEm: number;
  criadaPor: string;
  levantadaEm: number | null;
  levantadaPor: string | null;
  levantadaMotivo: string | null;
}

interface NovaGuarda {
  cpfCnpj?: string | undefined;
  chave?: string | undefined;
  modelo?: string | undefined;
  emissaoDe?: string | undefined;
  emissaoAte?: string | undefined;
  motivo: string;
}

/** A document as a hold sees it. */
interface Guardavel {
  chave: string;
  modelo: string;
  dia: string;
  clientes: readonly number[];
}

const MOTIVO_MAX = 500;
const MOTIVO_MIN = 5;

/** The first hold that covers a document, or null. */
export function guardaQueCobre(
  documento: Guardavel,
  guardas: readonly Pick<
    TabelaGuardaLegal,
    'cliente_id' | 'chave' | 'modelo' | 'emissao_de' | 'emissao_ate'
  >[],
): number | null {
  const at = guardas.findIndex(
    (guarda) =>
      (guarda.cliente_id === null || documento.clientes.includes(guarda.cliente_id)) &&
      (guarda.chave === null || guarda.chave === documento.chave) &&
      (guarda.modelo === null || guarda.modelo === documento.modelo) &&
      (guarda.emissao_de === null || documento.dia >= guarda.emissao_de) &&
      (guarda.emissao_ate === null || documento.dia <= guarda.emissao_ate),
  );
  return at === -1 ? null : at;
}

/**
 * Puts a hold; absent limits restrict nothing.
 * @throws dados_invalidos naming every faulty field, cliente_nao_encontrado
 */
export async function putGuarda(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: { contadorId: number; autor: string; guarda: NovaGuarda },
): Promise<{ id: number }> {
  const { contadorId, autor, guarda } = input;
  const erros = faultsOf(guarda);
  if (erros.length > 0) throw dadosInvalidos(erros);
  const cliente =
    guarda.cpfCnpj === undefined
      ? null
      : await findCliente(deps.db.read, { contadorId, cpfCnpj: guarda.cpfCnpj });
  if (guarda.cpfCnpj !== undefined && cliente === null) throw clienteNaoEncontrado();
  return deps.db.write.transaction().execute(async (trx) => {
    const id = await queries.insertGuarda(trx, {
      contador_id: contadorId,
      cliente_id: cliente?.id ?? null,
      chave: guarda.chave ?? null,
      modelo: guarda.modelo ?? null,
      emissao_de: guarda.emissaoDe ?? null,
      emissao_ate: guarda.emissaoAte ?? null,
      motivo: guarda.motivo.trim(),
      criada_em: deps.clock.now(),
      criada_por: autor,
    });
    const { motivo, ...limites } = guarda;
    await auditar(trx, {
      em: deps.clock.now(),
      acao: ACAO.guardaCriada,
      contadorId,
      autor,
      alvo: `guarda/${id}`,
      detalhe: { ...semAusentes(limites), motivo: motivo.trim() },
    });
    return { id };
  });
}

/** Lifts a hold, with a reason. @throws dados_invalidos, guarda_nao_encontrada */
export async function liftGuarda(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: { contadorId: number; autor: string; id: number; motivo: string },
): Promise<void> {
  const motivo = input.motivo.trim();
  const erros = faultsOfMotivo(motivo);
  if (erros.length > 0) throw dadosInvalidos(erros);
  const { contadorId, autor, id } = input;
  if (!Number.isSafeInteger(id)) throw guardaNaoEncontrada();
  const em = deps.clock.now();
  await deps.db.write.transaction().execute(async (trx) => {
    if (!(await queries.liftGuarda(trx, { contadorId, id, em, por: autor, motivo })))
      throw guardaNaoEncontrada();
    const acao = ACAO.guardaLevantada;
    await auditar(trx, { em, acao, contadorId, autor, alvo: `guarda/${id}`, detalhe: { motivo } });
  });
}

/** Holds of an office, those in force first, the newest first. */
export async function listGuardas(db: Db, contadorId: number): Promise<Guarda[]> {
  const rows = await queries.findGuardas(db, contadorId);
  return rows.map((row) => ({
    id: row.id,
    cliente:
      row.cliente_id === null || row.cpf_cnpj === null
        ? null
        : { id: row.cliente_id, cpfCnpj: row.cpf_cnpj, nome: row.nome ?? '' },
    chave: row.chave,
    modelo: row.modelo,
    emissaoDe: row.emissao_de,
    emissaoAte: row.emissao_ate,
    motivo: row.motivo,
    criadaEm: row.criada_em,
    criadaPor: row.criada_por,
    levantadaEm: row.levantada_em,
    levantadaPor: row.levantada_por,
    levantadaMotivo: row.levantada_motivo,
  }));
}

function faultsOf(guarda: NovaGuarda): ErroDeCampo[] {
  const erros = faultsOfMotivo(guarda.motivo);
  const fault = (campo: string, mensagem: string) =>
    erros.push({ campo, codigo: 'valor_invalido', mensagem });
  if (guarda.chave !== undefined && parseChave(guarda.chave) === null)
    fault('chave', 'chave não é uma chave de acesso válida.');
  if (guarda.modelo !== undefined && !MODELOS.some((modelo) => modelo === guarda.modelo))
    fault('modelo', `modelo deve ser um de: ${MODELOS.join(', ')}.`);
  for (const campo of ['emissaoDe', 'emissaoAte'] as const) {
    const dia = guarda[campo];
    if (dia !== undefined && !ehDia(dia)) fault(campo, `${campo} deve ser uma data AAAA-MM-DD.`);
  }
  if (guarda.emissaoDe && guarda.emissaoAte && guarda.emissaoAte < guarda.emissaoDe)
    fault('emissaoAte', 'emissaoAte é anterior a emissaoDe.');
  return erros;
}

function faultsOfMotivo(motivo: string): ErroDeCampo[] {
  const { length } = motivo.trim();
  if (length >= MOTIVO_MIN && length <= MOTIVO_MAX) return [];
  const mensagem = `Diga o motivo, com ${MOTIVO_MIN} a ${MOTIVO_MAX} letras.`;
  return [{ campo: 'motivo', codigo: length === 0 ? 'obrigatorio' : 'tamanho_invalido', mensagem }];
}

function semAusentes(limites: Omit<NovaGuarda, 'motivo'>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(limites).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
