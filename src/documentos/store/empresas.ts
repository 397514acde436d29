/**
 * The index of companies: names and their words, for the search as one types. Names repeat, so a batch of documents
 * mostly finds all of its own there already and writes nothing.
 */
import type { TabelaEmpresa, TabelaEmpresaPalavra } from '../../banco/tabelas-consulta.ts';
import type { Trx } from '../tipos.ts';
import { nomeGuardado, palavrasDe } from './palavras.ts';
import * as queries from './queries-empresas.ts';

/** Companies of one step of the catching up; bounds a transaction to some milliseconds. */
const STEP = 500;

/** Takes over the names that the parties of new documents bring. In the transaction that stores the documents. */
export async function noteEmpresas(
  trx: Trx,
  input: { contadorId: number; partes: readonly { cpf_cnpj: string; nome: string | null }[] },
): Promise<void> {
  const { contadorId } = input;
  const vistas = new Map<string, queries.Empresa>();
  for (const { cpf_cnpj, nome } of input.partes) {
    const guardado = nome ? nomeGuardado(nome) : '';
    if (guardado !== '') vistas.set(`${cpf_cnpj} ${guardado}`, { cpf_cnpj, nome: guardado });
  }
  if (vistas.size === 0) return;
  const conhecidas = await queries.findEmpresas(trx, { contadorId, empresas: [...vistas.values()] });
  for (const { cpf_cnpj, nome } of conhecidas) vistas.delete(`${cpf_cnpj} ${nome}`);
  await inserir(trx, contadorId, [...vistas.values()]);
}

async function inserir(trx: Trx, contadorId: number, empresas: readonly queries.Empresa[]): Promise<void> {
  if (empresas.length === 0) return;
  const ordered = empresas.toSorted(byCpfCnpj);
  const linhasDeEmpresa: TabelaEmpresa[] = [];
  for (const { cpf_cnpj, nome } of ordered) linhasDeEmpresa.push({ contador_id: contadorId, cpf_cnpj, nome });
  await queries.insertEmpresas(trx, linhasDeEmpresa);
  const palavras = new Map<string, TabelaEmpresaPalavra>();
  for (const { cpf_cnpj, nome } of ordered) {
    for (const palavra of palavrasDe(nome)) {
      palavras.set(`${palavra} ${cpf_cnpj}`, { contador_id: contadorId, palavra, cpf_cnpj });
    }
  }
  // In one order for every writer, so that two of them cannot wait for each other.
  const keys = [...palavras.keys()].sort();
  const linhas: TabelaEmpresaPalavra[] = [];
  for (const key of keys) {
    const linha = palavras.get(key);
    if (linha) linhas.push(linha);
  }
  await queries.insertPalavras(trx, linhas);
}

function byCpfCnpj(a: queries.Empresa, b: queries.Empresa): number {
  return a.cpf_cnpj < b.cpf_cnpj ? -1 : 1;
}

/**
 * Takes over names of documents that were stored before there was an index, one step a transaction.
 * @returns false when nothing is left
 */
export async function indexarAntigas(trx: Trx): Promise<boolean> {
  const pendente = await queries.findPendente(trx);
  if (!pendente) return false;
  const { contadorId, depoisDe } = pendente;
  const empresas = await queries.findEmpresasDosDocumentos(trx, { contadorId, depoisDe, limite: STEP });
  await noteEmpresas(trx, { contadorId, partes: empresas });
  const last = empresas.at(-1);
  await queries.advancePendente(trx, { contadorId, depoisDe: last?.cpf_cnpj ?? null });
  return true;
}

/**
 * Forgets the names of companies that no document names any more: what was deleted is not found by searching either.
 * Call it in the transaction of the deletion, behind it.
 */
export async function esquecerNomes(
  trx: Trx,
  input: { contadorId: number; cpfCnpjs: readonly string[] },
): Promise<void> {
  const esquecidas: string[] = [];
  for (const cpfCnpj of new Set(input.cpfCnpjs)) {
    if (!(await queries.isNomeada(trx, { contadorId: input.contadorId, cpfCnpj }))) esquecidas.push(cpfCnpj);
  }
  await queries.deleteEmpresas(trx, { contadorId: input.contadorId, cpfCnpjs: esquecidas });
}
