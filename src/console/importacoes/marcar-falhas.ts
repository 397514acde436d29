/** Who says of which failures that they are seen or solved, and why; and that they are not. */

import { ACAO, auditar } from '../../auditoria/auditar.ts';
import type { TabelaFalhaVista } from '../../banco/tabelas-falhas.ts';
import type { Deps } from '../../deps.ts';
import { falhasAbertas } from './falhas.ts';
import * as queries from './queries-falhas.ts';

/** What is named by people: a file's id and a place in it. */
interface LugarNomeado {
  arquivo: string;
  ordem: number;
}

interface Pedido {
  contadorId: number;
  autor: string;
  /** Name of who says so, as the list shows it. */
  por: string;
}

/**
 * Marks all open failures of a cause, or those among them that are named. What came after `ate` (ms UTC) nobody has seen.
 * @returns how many
 */
export async function markFalhas(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  pedido: Pedido & {
    codigo: string;
    lugares: readonly LugarNomeado[] | null;
    ate: number;
    situacao: TabelaFalhaVista['situacao'];
    motivo: string;
  },
): Promise<number> {
  const { contadorId, autor, por, codigo, lugares, ate, situacao, motivo } = pedido;
  const agora = clock.now();
  const { abertas } = await falhasAbertas(db.read, { contadorId, agora });
  const nomeados = lugares && new Set(await lugaresDe(db.read, { contadorId, lugares }));
  const delas = abertas.filter(
    (falha) => falha.codigo === codigo && falha.criado_em <= ate && (nomeados?.has(lugar(falha)) ?? true),
  );
  if (delas.length === 0) return 0;
  await db.write.transaction().execute(async (trx) => {
    await queries.upsertVistas(
      trx,
      delas.map(({ arquivo_numero, ordem }) => ({
        contador_id: contadorId,
        arquivo_numero,
        ordem,
        codigo,
        situacao,
        motivo,
        por,
        em: agora,
      })),
    );
    await auditar(trx, {
      em: agora,
      acao: situacao === 'visto' ? ACAO.falhasVistas : ACAO.falhasResolvidas,
      contadorId,
      autor,
      alvo: `falhas/${codigo}`,
      detalhe: { falhas: delas.length, motivo },
    });
  });
  return delas.length;
}

const lugar = ({ arquivo_numero, ordem }: queries.LugarDaFalha) => `${arquivo_numero}/${ordem}`;

async function lugaresDe(
  db: Parameters<typeof queries.findNumeros>[0],
  { contadorId, lugares }: { contadorId: number; lugares: readonly LugarNomeado[] },
): Promise<string[]> {
  return (await comNumeros(db, { contadorId, lugares })).map(lugar);
}

async function comNumeros(
  db: Parameters<typeof queries.findNumeros>[0],
  { contadorId, lugares }: { contadorId: number; lugares: readonly LugarNomeado[] },
): Promise<queries.LugarDaFalha[]> {
  const ids = [...new Set(lugares.map(({ arquivo }) => arquivo))];
  const numeros = new Map(
    (await queries.findNumeros(db, { contadorId, ids })).map(({ id, numero }) => [id, numero]),
  );
  return lugares.flatMap(({ arquivo, ordem }) => {
    const arquivo_numero = numeros.get(arquivo);
    return arquivo_numero === undefined ? [] : [{ arquivo_numero, ordem }];
  });
}

/** Makes these pending again. @returns how many were not */
export async function reabrirFalhas(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { contadorId, autor, lugares }: Omit<Pedido, 'por'> & { lugares: readonly LugarNomeado[] },
): Promise<number> {
  const quais = await comNumeros(db.read, { contadorId, lugares });
  return db.write.transaction().execute(async (trx) => {
    const reabertas = await queries.deleteVistas(trx, { contadorId, lugares: quais });
    if (reabertas > 0) {
      await auditar(trx, {
        em: clock.now(),
        acao: ACAO.falhasReabertas,
        contadorId,
        autor,
        alvo: 'falhas',
        detalhe: { falhas: reabertas },
      });
    }
    return reabertas;
  });
}
