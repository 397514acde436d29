/** Many clients at once: a preview that judges every row, and the registration of those that are new. */
import { type CadastroDeps, cadastrarCliente, type Origem } from '../../contas/cadastrar.ts';
import { Campos } from '../../contas/campos.ts';
import { AppError, type ErroDeCampo } from '../../platform/errors.ts';
import { csvInvalido } from '../errors.ts';
import { decodificarCsv, type LinhaDoCsv, lerCsv } from './ler-csv.ts';
import { findCadastrados } from './queries-clientes.ts';

/** Values of one `in (…)`. */
const STEP = 500;

export interface LinhaJulgada extends LinhaDoCsv {
  veredito: 'novo' | 'ja_cadastrado' | 'repetido' | 'invalido';
  erros: readonly ErroDeCampo[];
}

/** The list that a body carries, as text or as the file's own bytes. @throws csv_invalido */
export function linhasDoCorpo(corpo: { csv?: string; arquivo?: string }): LinhaDoCsv[] {
  if (corpo.csv !== undefined) return lerCsv(corpo.csv);
  if (corpo.arquivo === undefined)
    throw csvInvalido('Envie o arquivo em csv (texto) ou em arquivo (Base64).');
  return lerCsv(decodificarCsv(Buffer.from(corpo.arquivo, 'base64')));
}

/** Judges every row against the rules of registration, the rows above it and the clients that are there. */
export async function julgarLinhas(
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
    if (row.erros.length > 0) return { ...row, veredito: 'invalido' as const };
    if (seen.has(row.cpfCnpj)) return { ...row, veredito: 'repetido' as const };
    seen.add(row.cpfCnpj);
    return { ...row, veredito: there.has(row.cpfCnpj) ? ('ja_cadastrado' as const) : ('novo' as const) };
  });
}

/** The fields as they would be kept, and every fault of the row. */
function readFields(linha: LinhaDoCsv) {
  const campos = new Campos();
  const cpfCnpj = campos.cpfCnpj('cpfCnpj', linha.cpfCnpj);
  const nome = campos.nome('nome', linha.nome);
  const email = campos.email('email', linha.email);
  return { cpfCnpj: cpfCnpj || linha.cpfCnpj, nome, email, erros: campos.error()?.erros ?? [] };
}

/** Registers the new rows, each for itself: one that fails does not keep the others out. */
export async function cadastrarLote(
  deps: CadastroDeps,
  input: Origem & { linhas: readonly LinhaDoCsv[]; somente: ReadonlySet<number> | null },
) {
  const { contadorId, autor, somente } = input;
  const chosen = input.linhas.filter(({ linha }) => somente === null || somente.has(linha));
  const itens = [];
  for (const row of await julgarLinhas(deps, { contadorId, linhas: chosen })) {
    const { veredito, erros, ...fields } = row;
    if (veredito !== 'novo') {
      itens.push({ ...fields, erros, resultado: veredito });
      continue;
    }
    itens.push({ ...fields, ...(await register(deps, { contadorId, autor, row })) });
  }
  const cadastrados = itens.filter(({ resultado }) => resultado === 'cadastrado').length;
  return { cadastrados, total: itens.length, itens };
}

async function register(deps: CadastroDeps, { contadorId, autor, row }: Origem & { row: LinhaJulgada }) {
  const campos = new Campos();
  const cadastro = {
    cpfCnpj: campos.cpfCnpj('cpfCnpj', row.cpfCnpj),
    nome: row.nome,
    email: row.email,
    trabalhaComProcuracao: row.trabalhaComProcuracao,
  };
  try {
    await cadastrarCliente(deps, { contadorId, autor, cadastro });
    return { resultado: 'cadastrado' as const, erros: [] };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    // Somebody else registered it meanwhile.
    const taken = error.codigo === 'cliente_ja_cadastrado';
    return { resultado: taken ? ('ja_cadastrado' as const) : ('invalido' as const), erros: error.erros };
  }
}
