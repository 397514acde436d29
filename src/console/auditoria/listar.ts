/** The audit log of an office for people: who in words, filtered, a page at a time or as a table of its own. */
import type { Db } from '../../banco/tabelas.ts';
import { formatCpfCnpj } from '../../fiscal/cpf-cnpj.ts';
import { inicioDoDia } from '../../fiscal/dia.ts';
import { instanteDe } from '../tempo.ts';
import { usuariosRemovidos } from '../usuarios/removidos.ts';
import { atosCom, palavrasDe, plain } from './palavras.ts';
import * as queries from './queries-auditoria.ts';

const DAY_MS = 86_400_000;
/** Rows read at once for the table. */
const STEP = 1_000;
/** What begins like this would be run by a spreadsheet. */
const FORMULA = /^[=+\-@\t\r]/;

interface FiltroDaConsulta {
  quem?: string | undefined;
  ato?: string | undefined;
  de?: string | undefined;
  ate?: string | undefined;
}

type Nomes = Awaited<ReturnType<typeof nomesDe>>;
type Linha = Awaited<ReturnType<typeof queries.findRegistros>>[number];

/** One page, the newest first. */
export async function paginaDaAuditoria(
  db: Db,
  input: { contadorId: number; filtro: FiltroDaConsulta; depois: number | null; tamanho: number },
) {
  const { contadorId, filtro, depois, tamanho } = input;
  const nomes = await nomesDe(db, contadorId);
  const rows = await queries.findRegistros(db, {
    ...boundsOf(filtro, nomes),
    contadorId,
    antesDe: depois,
    limite: tamanho + 1,
  });
  const itens = await presentRows(db, { contadorId, nomes, rows: rows.slice(0, tamanho) });
  const proximo = rows.length > tamanho ? String(itens.at(-1)?.id) : null;
  return { itens, proximo, total: null };
}

/** The same as CSV for spreadsheets, piece by piece: `;`, a byte order mark, nothing that would run as a formula. */
export async function* csvDaAuditoria(
  db: Db,
  { contadorId, filtro }: { contadorId: number; filtro: FiltroDaConsulta },
): AsyncGenerator<string> {
  const nomes = await nomesDe(db, contadorId);
  const bounds = boundsOf(filtro, nomes);
  yield `\ufeff${line(['numero', 'quando', 'quem', 'autor', 'ato', 'alvo', 'ip', 'detalhe', 'o_que', 'sobre'])}`;
  for (let antesDe: number | null = null; ; ) {
    const rows: Linha[] = await queries.findRegistros(db, { ...bounds, contadorId, antesDe, limite: STEP });
    const text = (await presentRows(db, { contadorId, nomes, rows })).map((one) =>
      line([
        String(one.id),
        one.em,
        one.quem,
        one.autor,
        one.ato,
        one.alvo,
        one.ip ?? '',
        JSON.stringify(one.detalhe),
        one.oQue,
        one.sobre,
      ]),
    );
    yield text.join('');
    antesDe = rows.at(-1)?.n ?? null;
    if (rows.length < STEP) return;
  }
}

/** Names of an office's users, also of those that are gone, and of its tokens. */
async function nomesDe(db: Db, contadorId: number) {
  const { usuarios, tokens } = await queries.findNomes(db, contadorId);
  const removidos = await usuariosRemovidos(db, contadorId);
  return { usuarios: [...usuarios, ...removidos.values()], tokens };
}

function boundsOf({ quem, ato, de, ate }: FiltroDaConsulta, nomes: Nomes) {
  return {
    autores: quem ? autoresDe(quem, nomes) : null,
    ato: ato ? { comeco: ato.toLowerCase(), ou: atosCom(ato) } : null,
    de: de ? inicioDoDia(de) : null,
    ate: ate ? inicioDoDia(ate) + DAY_MS - 1 : null,
  };
}

/** An author as it is written, or everybody whose name, address or token's name holds the text. */
function autoresDe(quem: string, { usuarios, tokens }: Nomes): string[] {
  if (/^(?:usuario|token|oauth):\S+$|^(?:cli|sistema)$/.test(quem)) return [quem];
  const text = plain(quem);
  return [
    ...usuarios
      .filter(({ nome, email }) => plain(`${nome} ${email}`).includes(text))
      .map(({ id }) => `usuario:${id}`),
    ...tokens.filter(({ nome }) => plain(nome).includes(text)).map(({ id }) => `token:${id}`),
    // Nobody: an empty list would mean everybody.
    '',
  ];
}

/** What has a name of its own: `cliente/7`, `usuario/3`, `token/2`. */
const COM_NOME = /^(cliente|usuario|token)\/(\d+)$/;

/** Rows for people, with the names of the clients that a page is about. */
async function presentRows(db: Db, input: { contadorId: number; nomes: Nomes; rows: readonly Linha[] }) {
  const { contadorId, nomes, rows } = input;
  const ids = rows.flatMap(({ alvo }) => {
    const [, kind, id] = COM_NOME.exec(alvo) ?? [];
    return kind === 'cliente' ? [Number(id)] : [];
  });
  const clientes = await queries.findClientes(db, { contadorId, ids: [...new Set(ids)] });
  const daPagina = { ...nomes, clientes: new Map(clientes.map((one) => [one.id, one])) };
  return rows.map((row) => presentRow(row, daPagina));
}

type Cliente = Awaited<ReturnType<typeof queries.findClientes>>[number];
type NomesDaPagina = Nomes & { clientes: ReadonlyMap<number, Cliente> };

function presentRow(row: Linha, nomes: NomesDaPagina) {
  const detalhe = JSON.parse(row.detalhe) as Record<string, unknown>;
  return {
    id: row.n,
    em: instanteDe(row.em),
    quem: quemDe(row.autor, nomes),
    autor: row.autor,
    ato: row.acao,
    oQue: palavrasDe(row.acao),
    alvo: row.alvo,
    sobre: sobreDe(row.alvo, nomes),
    ip: typeof detalhe.ip === 'string' ? detalhe.ip : null,
    detalhe,
  };
}

/** What something was done to, by its name; as it is written where it has none (any more). */
function sobreDe(alvo: string, { usuarios, tokens, clientes }: NomesDaPagina): string {
  if (alvo.startsWith('oauth/')) return `aplicação ${alvo.slice('oauth/'.length)}`;
  const [, kind, text] = COM_NOME.exec(alvo) ?? [];
  const id = Number(text);
  if (kind === 'usuario') return usuarios.find((one) => one.id === id)?.nome ?? alvo;
  if (kind === 'token') {
    const token = tokens.find((one) => one.id === id);
    return token ? `token ${token.nome}` : alvo;
  }
  const cliente = kind === 'cliente' ? clientes.get(id) : undefined;
  return cliente ? `${cliente.nome} (${formatCpfCnpj(cliente.cpf_cnpj)})` : alvo;
}

function quemDe(autor: string, { usuarios, tokens }: Nomes): string {
  const [kind, id = ''] = autor.split(/:(.*)/s);
  if (kind === 'usuario')
    return usuarios.find((one) => String(one.id) === id)?.nome ?? `usuário ${id} (removido)`;
  if (kind === 'token') return `token ${tokens.find((one) => String(one.id) === id)?.nome ?? id}`;
  if (kind === 'oauth') return `aplicação ${id}`;
  return kind === 'cli' ? 'linha de comando' : (kind ?? autor);
}

function line(cells: readonly string[]): string {
  return `${cells.map(cell).join(';')}\r\n`;
}

function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
