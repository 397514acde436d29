/** Many clients at once: a preview that judges every row, and the registration of those that are new. */

import { type CadastroDeps, cadastrarCliente, type Origem } from '../../contas/cadastrar.ts';
import { Campos } from '../../contas/campos.ts';
import type { CpfCnpj } from '../../fiscal/tipos.ts';
import { AppError, type ErroDeCampo } from '../../platform/errors.ts';
import { csvInvalido } from '../errors.ts';
import { dizArredondado } from './arredondado.ts';
import type { LinhaDoCsv } from './ler-csv.ts';
import { ehXlsx, readXlsx } from './ler-xlsx.ts';
import { findCadastrados } from './queries-clientes.ts';

/** Values of one `in (…)`. */
const STEP = 500;

interface LinhaJulgada extends LinhaDoCsv {
  situacao: 'nova' | 'existente' | 'repetida' | 'invalida';
  /** Why it is not registered; null: it will be. */
  mensagem: string | null;
  erros: readonly ErroDeCampo[];
}

/**
 * The list that a body carries, as text or as the file's own bytes: a CSV or an .xlsx.
 * @param email of rows that have none: most offices' lists have no such column
 * @throws csv_invalido
 */
export async function linhasDoCorpo(
  corpo: { csv?: string; arquivo?: string },
  email: string,
): Promise<LinhaDoCsv[]> {
  return (await readCorpo(corpo)).map((linha) => (linha.email === '' ? { ...linha, email } : linha));
}

async function readCorpo(corpo: { csv?: string; arquivo?: string }): Promise<LinhaDoCsv[]> {
  const { decodeCsv: decodificarCsv, readCsv, readTabela } = await import('./ler-csv.ts');
  if (corpo.csv !== undefined) return readCsv(corpo.csv);
  if (corpo.arquivo === undefined)
    throw csvInvalido('Envie o arquivo em csv (texto) ou em arquivo (Base64).');
  const bytes = Buffer.from(corpo.arquivo, 'base64');
  return ehXlsx(bytes) ? readTabela(readXlsx(bytes)) : readCsv(decodificarCsv(bytes));
}

/** Judges every row against the rules of registration, the rows above it and the clients that are there. */
export async function judgeLinhas(
  deps: Pick<CadastroDeps, 'db'>,
  input: { contadorId: number; linhas: readonly LinhaDoCsv[] },
): Promise<LinhaJulgada[]> {
  const judged = input.linhas.map((linha) => ({ ...linha, ...readFields(linha) }));
  const valid = judged.filter(({ erros }) => erros.length === 0).map(({ cpfCnpj }) => cpfCnpj);
  const there = new Set<string>();
  for (let at = 0; at < valid.length; at += STEP) {
    const cpfCnpjs = valid.slice(at, at + STEP);
    for (const one of await findCadastrados(deps.db.read, { contadorId: input.contadorId, cpfCnpjs }))
      there.add(one);
  }
  const seen = new Set<string>();
  return judged.map((row) => {
    if (row.erros.length > 0)
      return { ...row, situacao: 'invalida', mensagem: row.erros.map(emPalavras).join(' ') };
    if (seen.has(row.cpfCnpj))
      return { ...row, situacao: 'repetida', mensagem: 'Uma linha acima tem o mesmo CPF ou CNPJ.' };
    seen.add(row.cpfCnpj);
    return there.has(row.cpfCnpj)
      ? { ...row, situacao: 'existente', mensagem: 'Já é cliente do escritório.' }
      : { ...row, situacao: 'nova', mensagem: null };
  });
}

/** As a bookkeeper calls what the API names by its field. */
const NOMES: Readonly<Record<string, string>> = { cpfCnpj: 'O número', nome: 'O nome', email: 'O e-mail' };
const emPalavras = ({ campo, mensagem }: ErroDeCampo) =>
  mensagem.startsWith(`${campo} `) ? `${NOMES[campo]}${mensagem.slice(campo.length)}` : mensagem;

/** The fields as they would be kept, and every fault of the row. */
function readFields(linha: LinhaDoCsv) {
  const mensagem = dizArredondado(linha.cpfCnpj);
  if (mensagem !== null) {
    const { cpfCnpj, nome, email } = linha;
    return { cpfCnpj, nome, email, erros: [arredondado(mensagem)] };
  }
  const campos = new Campos();
  const cpfCnpj = campos.cpfCnpj('cpfCnpj', linha.cpfCnpj);
  const nome = campos.nome('nome', linha.nome);
  const email = campos.email('email', linha.email);
  return { cpfCnpj: cpfCnpj || linha.cpfCnpj, nome, email, erros: campos.error()?.erros ?? [] };
}

const arredondado = (mensagem: string): ErroDeCampo => ({
  campo: 'cpfCnpj',
  codigo: 'valor_arredondado',
  mensagem,
});

/** A row after its registration. */
interface LinhaDoLote extends Omit<LinhaJulgada, 'situacao'> {
  situacao: Exclude<LinhaJulgada['situacao'], 'nova'> | 'cadastrada';
}

/** Registers the new rows, each for itself: one that fails does not keep the others out. */
export async function registerLote(
  deps: CadastroDeps,
  input: Origem & { linhas: readonly LinhaDoCsv[]; somente: ReadonlySet<number> | null },
): Promise<LinhaDoLote[]> {
  const { contadorId, autor, somente } = input;
  const chosen = input.linhas.filter(({ linha }) => somente === null || somente.has(linha));
  const done: LinhaDoLote[] = [];
  for (const { situacao, ...row } of await judgeLinhas(deps, { contadorId, linhas: chosen })) {
    done.push(situacao === 'nova' ? await register(deps, { contadorId, autor, row }) : { ...row, situacao });
  }
  return done;
}

async function register(
  deps: CadastroDeps,
  { contadorId, autor, row }: Origem & { row: Omit<LinhaJulgada, 'situacao'> },
): Promise<LinhaDoLote> {
  const { cpfCnpj, nome, email, trabalhaComProcuracao } = row;
  const cadastro = { cpfCnpj: cpfCnpj as CpfCnpj, nome, email, trabalhaComProcuracao };
  try {
    await cadastrarCliente(deps, { contadorId, autor, cadastro });
    return { ...row, situacao: 'cadastrada' };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    // Somebody else registered it meanwhile.
    const situacao = error.codigo === 'cliente_ja_cadastrado' ? 'existente' : 'invalida';
    return { ...row, situacao, mensagem: error.message, erros: error.erros };
  }
}
