/** The clients of an office as the console lists them. */

import { diasRestantes } from '../../contas/certificado/vigia.ts';
import type { Deps } from '../../deps.ts';
import { diaDe } from '../../fiscal/dia.ts';
import type { Alcance } from '../acesso.ts';
import { plain } from '../auditoria/palavras.ts';
import { instanteDe } from '../tempo.ts';
import * as queries from './queries-clientes.ts';

/** From here on a certificate is shown as about to end. */
const SOON_DAYS = 30;

export const ORDENS = ['nome', 'cpfCnpj', 'certificado', 'ultimoNsu'] as const;
type Ordem = (typeof ORDENS)[number];

type Linha = Awaited<ReturnType<typeof queries.findParaLista>>[number];

type ListaDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * A page of clients. An office has some thousands of them at most, so they are searched and sorted here, without
 * regard to case and accents, and only the page is looked at closely.
 */
export async function listarClientes(
  deps: ListaDeps,
  input: {
    contadorId: number;
    alcance: Alcance;
    busca: string;
    ordem: Ordem;
    pagina: number;
    tamanho: number;
  },
) {
  const { contadorId, pagina, tamanho } = input;
  const rows = await queries.findParaLista(deps.db.read, input);
  const found = rows.filter((row) => matches(row, input.busca)).sort(ORDER[input.ordem]);
  const ids = found.slice((pagina - 1) * tamanho, pagina * tamanho).map(({ id }) => id);
  return {
    total: found.length,
    paginas: Math.ceil(found.length / tamanho),
    tamanho,
    pagina,
    itens: await detalhar(deps, { contadorId, ids }),
  };
}

/** Some clients of an office, in the order of their ids. */
export async function detalhar(deps: ListaDeps, input: { contadorId: number; ids: readonly number[] }) {
  const { ids } = input;
  if (ids.length === 0) return [];
  const agora = deps.clock.now();
  const dia = `${diaDe(agora).slice(0, 7)}-01`;
  const [rows, entries, counts, reads] = await Promise.all([
    queries.findDetalhes(deps.db.read, input),
    queries.findUltimasEntradas(deps.db.read, ids),
    queries.countDesde(deps.db.read, { ids, dia }),
    queries.findUltimasLeituras(deps.db.read, ids),
  ]);
  // In ascending order: the furthest of a client stays.
  const readOf = new Map(reads.map((row) => [row.cliente_id, row]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const lastOf = new Map(entries.map((row) => [row.id, row.importado_em]));
  const countOf = new Map(counts.map((row) => [row.cliente_id, Number(row.quantidade)]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const lida = readOf.get(id);
    return [
      {
        cpfCnpj: row.cpf_cnpj,
        nome: row.nome,
        email: row.email,
        trabalhaComProcuracao: row.trabalha_com_procuracao === 1,
        certificado: certificadoDe(row, agora),
        ultimoDocumentoEm: instanteDe(lastOf.get(id) ?? null),
        ultimoNsu: row.ultimo_nsu,
        ultimoNsuLido: lida ? { nsu: lida.nsu, em: instanteDe(lida.em), token: lida.nome } : null,
        documentosNoMes: countOf.get(id) ?? 0,
        criadoEm: instanteDe(row.criado_em),
      },
    ];
  });
}

type Detalhe = Awaited<ReturnType<typeof queries.findDetalhes>>[number];

function certificadoDe(row: Detalhe, agora: number) {
  const { valido_de: validoDe, valido_ate: validoAte } = row;
  if (validoDe === null || validoAte === null) return null;
  const dias = diasRestantes(validoAte, agora);
  return {
    titular: row.titular,
    titularNome: row.titular_nome,
    serie: row.serie ?? '',
    impressao: row.impressao ?? '',
    uf: row.uf ?? '',
    validoDe: instanteDe(validoDe),
    validoAte: instanteDe(validoAte),
    dias,
    situacao: situacaoDe({ validoDe, validoAte, dias, agora }),
  };
}

function situacaoDe(at: { validoDe: number; validoAte: number; dias: number; agora: number }) {
  if (at.validoAte < at.agora) return 'vencido';
  if (at.validoDe > at.agora) return 'ainda_nao_valido';
  return at.dias <= SOON_DAYS ? 'vence_em_breve' : 'valido';
}

export const collator = new Intl.Collator('pt-BR', { sensitivity: 'base', numeric: true });
const byName = (a: Linha, b: Linha) => collator.compare(a.nome, b.nome) || (a.cpf_cnpj < b.cpf_cnpj ? -1 : 1);

const ORDER: Record<Ordem, (a: Linha, b: Linha) => number> = {
  nome: byName,
  cpfCnpj: (a, b) => (a.cpf_cnpj < b.cpf_cnpj ? -1 : 1),
  // The first to end first; those without one last.
  certificado: (a, b) =>
    (a.valido_ate ?? Number.MAX_SAFE_INTEGER) - (b.valido_ate ?? Number.MAX_SAFE_INTEGER) || byName(a, b),
  ultimoNsu: (a, b) => b.ultimo_nsu - a.ultimo_nsu || byName(a, b),
};

/** Every word of the search is in the name, or the whole of it, without mask, in the CPF/CNPJ. */
function matches(row: Linha, busca: string): boolean {
  if (busca === '') return true;
  const bare = busca.replace(/[.\-/\s]/g, '').toUpperCase();
  if (bare !== '' && row.cpf_cnpj.includes(bare)) return true;
  const nome = plain(row.nome);
  return plain(busca)
    .split(/\s+/)
    .every((word) => nome.includes(word));
}
