/** Files of an office and what was found in them, as the console shows them. */
import type { Deps } from '../../deps.ts';
import { isArriving } from '../../importacao/arriving.ts';
import { expiradosAntesDe, statusEm } from '../../importacao/status.ts';
import { instanteDe } from '../tempo.ts';
import { comRemovidos } from '../usuarios/removidos.ts';
import { findComFalha } from './queries-falhas.ts';
import * as queries from './queries-importacoes.ts';
import { REMEDIOS } from './remedios.ts';

type ListaDeps = Pick<Deps, 'db' | 'clock'>;

/** A page of files, the newest first. @returns `proximo`: where the next page begins, null behind the last */
export async function listImportacoes(
  deps: ListaDeps,
  input: {
    filtro: Omit<queries.FiltroDeImportacoes, 'expiradosAntesDe'>;
    depois: { em: number; id: string } | null;
    tamanho: number;
  },
) {
  const { filtro, depois, tamanho } = input;
  const agora = deps.clock.now();
  const rows = await queries.findArquivos(deps.db.read, {
    filtro: { ...filtro, expiradosAntesDe: expiradosAntesDe(agora) },
    depois,
    limite: tamanho + 1,
  });
  const shown = rows.slice(0, tamanho);
  const last = rows.length > tamanho ? shown.at(-1) : undefined;
  const linhas = await comRemovidos(deps.db.read, { contadorId: filtro.contadorId, linhas: shown });
  const falharam = await findFalharam(deps.db.read, linhas);
  return {
    itens: linhas.map((row) => ({
      ...resumoDe(row, agora),
      falhou: falharam.has(row.numero),
    })),
    proximo: last ? `${last.criado_em}.${last.id}` : null,
  };
}

/** One file with the count of its items by outcome; null when the office has none with that id. */
export async function verImportacao(deps: ListaDeps, scope: queries.QuemVe & { id: string }) {
  const { db, clock } = deps;
  const row = await queries.findArquivo(db.read, scope);
  if (!row) return null;
  const [linha = row] = await comRemovidos(db.read, { contadorId: scope.contadorId, linhas: [row] });
  return {
    ...resumoDe(linha, clock.now()),
    falhou: (await findFalharam(db.read, [linha])).has(linha.numero),
    log: row.log,
    sha256: row.sha256,
    temArquivo: Boolean(row.tem_bytes),
    resultados: await queries.countItens(db.read, row.numero),
    reimportacoes: await queries.findTentativas(db.read, scope),
  };
}

/** Which of these files failed, whole or in part: not those of which documents only wait for a client. */
async function findFalharam(
  db: Deps['db']['read'],
  linhas: readonly queries.LinhaDaImportacao[],
): Promise<Set<number>> {
  const comErro = linhas.filter(({ status }) => status === 'Com Erro');
  const found = await findComFalha(
    db,
    comErro.map(({ numero }) => numero),
  );
  for (const { numero, itens, erro } of comErro) if (erro !== null || itens === 0) found.add(numero);
  return found;
}

/** A page of a file's items with cause and remedy of each problem; null when the office has no such file. */
export async function listItens(
  deps: Pick<Deps, 'db'>,
  input: queries.QuemVe & { id: string; resultado: string | null; depois: number; tamanho: number },
) {
  const { resultado, depois, tamanho } = input;
  const arquivo = await queries.findArquivo(deps.db.read, input);
  if (!arquivo) return null;
  const rows = await queries.findItens(deps.db.read, {
    arquivoNumero: arquivo.numero,
    resultado,
    depois,
    limite: tamanho + 1,
  });
  const shown = rows.slice(0, tamanho);
  return {
    itens: shown.map(({ arquivo_numero: _file, documento_id, ...row }) => ({
      ...row,
      causa: REMEDIOS.get(row.codigo ?? '')?.causa ?? null,
      remedio: REMEDIOS.get(row.codigo ?? '')?.remedio ?? null,
      documentoId: documento_id,
    })),
    proximo: rows.length > tamanho ? String(shown.at(-1)?.ordem) : null,
  };
}

function resumoDe(row: queries.LinhaDaImportacao, agora: number) {
  return {
    id: row.id,
    nome: row.nome,
    extensao: row.extensao,
    status: statusEm(row, { agora, chegando: isArriving(row.id) }),
    tamanho: row.tamanho ?? row.tamanho_anunciado,
    origem: row.origem,
    token: row.token,
    usuario: row.usuario,
    criadaEm: instanteDe(row.criado_em),
    recebidaEm: instanteDe(row.recebido_em),
    inicioEm: instanteDe(row.inicio_em),
    fimEm: instanteDe(row.fim_em),
    itens: row.itens ?? 0,
    resumo: row.log === '' ? null : (row.log.split('\n')[0] ?? null),
    reimportadoDe: row.reimportado_de,
  };
}
