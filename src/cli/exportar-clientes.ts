/** Whose documents one call of `malote exportar` brings: one client, those of a list, or all that the token reaches. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cliente } from '../cliente/cliente.ts';
import { MaloteError } from '../cliente/erros.ts';
import { dizArredondado } from '../console/clientes/arredondado.ts';
import { decodeCsv } from '../console/clientes/ler-csv.ts';
import { ehXlsx, readXlsx } from '../console/clientes/ler-xlsx.ts';
import { formatCpfCnpj, parseCpfCnpj } from '../fiscal/cpf-cnpj.ts';
import { AppError } from '../platform/errors.ts';
import { contar } from './contar.ts';
import type { ResumoDaExportacao } from './exportar.ts';
import { FalhaDoComando, type Saida } from './saida.ts';

interface Quais {
  /** As they were typed; several in one with a comma or `;` between them. */
  cpfCnpj: readonly string[];
  /** Path of a text with one CPF or CNPJ a line, or of an .xlsx with them in its first column. */
  lista: string | undefined;
  todos: boolean;
}

/** What became of one client: its summary, or why it has none. */
type FeitoDoCliente = { cpf_cnpj: string } & (
  | ResumoDaExportacao
  | { pasta: string; erro: { codigo: string; mensagem: string } }
);

interface ResumoDeClientes {
  pasta: string;
  clientes: FeitoDoCliente[];
  documentos: number;
  novos: number;
  /** Clients whose folder was not brought up to date. */
  falhas: number;
}

/** Whether each client gets a folder of its own below the one that was named. */
export function saoVarios({ cpfCnpj, lista, todos }: Quais): boolean {
  return todos || lista !== undefined || cpfCnpj.flatMap(separados).length > 1;
}

/**
 * The CPF/CNPJ of a call, each once, in their order.
 * @throws FalhaDoComando where none is named, or one is no CPF or CNPJ
 */
export async function readQuais(cliente: Pick<Cliente, 'clientes'>, quais: Quais): Promise<string[]> {
  if (quais.todos && (quais.cpfCnpj.length > 0 || quais.lista !== undefined))
    throw new FalhaDoComando('clientes_em_duvida', 'Use --todos, ou --cpf-cnpj e --lista, e não os dois.');
  const ids = quais.todos
    ? await todosOs(cliente)
    : [
        ...quais.cpfCnpj.flatMap(separados).map(deUmCliente),
        ...(quais.lista === undefined ? [] : await readListaDe(quais.lista)),
      ];
  if (ids.length > 0) return [...new Set(ids)];
  throw new FalhaDoComando(
    'nenhum_cliente',
    quais.todos || quais.lista !== undefined
      ? `${quais.todos ? 'O token não alcança nenhum cliente' : `A lista ${quais.lista} não tem nenhum CPF ou CNPJ`}.`
      : 'Diga de quem: --cpf-cnpj (um ou vários), --lista com um arquivo deles, ou --todos.',
  );
}

async function todosOs(cliente: Pick<Cliente, 'clientes'>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { cpf_cnpj } of cliente.clientes()) ids.push(cpf_cnpj);
  return ids;
}

const separados = (text: string) => text.split(/[,;\s]+/).filter((one) => one !== '');

/** What is typed becomes the name of a folder. */
function deUmCliente(text: string): string {
  const id = parseCpfCnpj(text);
  if (id !== null) return id;
  throw new FalhaDoComando('cpf_cnpj_invalido', `--cpf-cnpj: "${text}" não é um CPF nem um CNPJ.`);
}

/** One a line, in the first column; a heading and what stands behind `#` are passed over. */
async function readListaDe(path: string): Promise<string[]> {
  const bytes = await readFile(path);
  return linhasDe(path, bytes).flatMap(({ primeira, linha }) => {
    if (!/\d/.test(primeira)) return [];
    const id = parseCpfCnpj(primeira);
    if (id !== null) return [id];
    const porque =
      dizArredondado(primeira) ?? `"${primeira}" não é um CPF nem um CNPJ. Corrija a linha e chame de novo.`;
    throw listaInvalida(`${path}, linha ${linha}: ${porque}`);
  });
}

const listaInvalida = (mensagem: string) => new FalhaDoComando('lista_invalida', mensagem);

/** The first column of a text or a spreadsheet (.xlsx), as the console reads lists of clients. */
function linhasDe(path: string, bytes: Buffer): { primeira: string; linha: number }[] {
  try {
    if (ehXlsx(bytes))
      return readXlsx(bytes).map(({ record, linha }) => ({ primeira: (record[0] ?? '').trim(), linha }));
    return decodeCsv(bytes)
      .split(/\r\n|\r|\n/)
      .map((line, at) => ({ primeira: primeiraDe(line), linha: at + 1 }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw listaInvalida(`${path}: ${error.message}`);
  }
}

function primeiraDe(line: string): string {
  const cell = (text: string | undefined) => (text ?? '').replaceAll('"', '').trim();
  const first = cell(line.replace(/#.*/, '').split(/[;\t]/)[0]);
  // The comma of a number that was rounded separates no columns.
  return dizArredondado(first) ? first : cell(first.split(',')[0]);
}

/**
 * Brings the folder of each client up to date, one after the other. What one client cannot have (not registered, a folder
 * of another one) is told and keeps no other from his; what would meet all of them, such as a token that is refused, ends the call.
 */
export async function exportVarios(
  { saida, exportarUm }: { saida: Saida; exportarUm: ExportarUm },
  { ids, pasta }: { ids: readonly string[]; pasta: string },
): Promise<ResumoDeClientes> {
  const clientes: FeitoDoCliente[] = [];
  for (const [at, cpf_cnpj] of ids.entries()) {
    const sua = join(pasta, cpf_cnpj);
    const feito = await exportarUm(cpf_cnpj, sua).catch((error: unknown) => ({
      pasta: sua,
      erro: soDesteCliente(error),
    }));
    clientes.push({ cpf_cnpj, ...feito });
    const dizer = `${at + 1} de ${ids.length}  ${formatCpfCnpj(cpf_cnpj).padEnd(18)}  `;
    if ('erro' in feito) saida.aviso(`${dizer}${feito.erro.mensagem}`);
    else saida.info(dizer + frase(feito));
  }
  const feitos = clientes.filter((um) => !('erro' in um)) as ResumoDaExportacao[];
  return {
    pasta,
    clientes,
    documentos: feitos.reduce((sum, { documentos }) => sum + documentos, 0),
    novos: feitos.reduce((sum, { novos }) => sum + novos, 0),
    falhas: clientes.length - feitos.length,
  };
}

export type ExportarUm = (cpfCnpj: string, pasta: string) => Promise<ResumoDaExportacao>;

/** What the service answers of one client, by status. */
const DO_CLIENTE: ReadonlySet<number> = new Set([400, 403, 404]);

function soDesteCliente(error: unknown): { codigo: string; mensagem: string } {
  const dele =
    error instanceof FalhaDoComando || (error instanceof MaloteError && DO_CLIENTE.has(error.status));
  if (!dele) throw error;
  return { codigo: error.codigo, mensagem: error.message };
}

/** One client's summary in words. */
export function frase(resumo: ResumoDaExportacao): string {
  const { desde, nsu, documentos, novos, iguais, substituidos, excluidos, movidos, pasta } = resumo;
  const mudaram =
    movidos > 0
      ? `${contar(movidos, 'arquivo mudou', 'arquivos mudaram')} de pasta com a situação do documento`
      : '';
  if (documentos === 0) return `Nada de novo depois do NSU ${desde}.${mudaram && ` ${mudaram}.`}`;
  return `${contar(documentos, 'documento')} do NSU ${desde + 1} ao ${nsu} em ${pasta} (${contar(novos, 'novo')}, ${contar(iguais, 'que já estava lá', 'que já estavam lá')}, ${substituidos} com versão nova${excluidos > 0 ? `, ${excluidos} com o conteúdo excluído` : ''}${mudaram && `; ${mudaram}`}).`;
}
