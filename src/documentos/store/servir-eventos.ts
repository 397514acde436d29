/** Events that turn out to be of somebody who may not write them, once their document is there. */
import { provaCom } from '../../fiscal/prova.ts';
import { tryDescomprimir } from '../bytes/conteudo.ts';
import { readHash } from '../bytes/hash-guardado.ts';
import { comItensEscritos } from '../lean/itens-guardados.ts';
import { readFalhas } from '../lean/prova-guardada.ts';
import * as queries from '../queries.ts';
import { findVersao, type Leitor } from '../queries-leitura.ts';
import type { Trx } from '../tipos.ts';
import type { NotasDasChaves } from './notas-dos-eventos.ts';
import { serveVersao } from './queries-eventos.ts';
import { servirLida, type VersaoLida } from './servir.ts';

/**
 * Of events that are of somebody else another version is served, where one is kept of who may write it.
 * @returns those whose served version has changed
 */
export async function servirDeQuemPode(
  trx: Trx,
  input: {
    contadorId: number;
    agora: number;
    notas: NotasDasChaves;
    eventos: readonly queries.DaMesmaChave[];
  },
): Promise<number[]> {
  const { contadorId, agora, notas, eventos } = input;
  const trocados: number[] = [];
  const versoes = await queries.findVersoes(
    trx,
    eventos.map(({ id }) => id),
  );
  for (const { id, documento_id, servida, falhas } of versoes) {
    if (servida === 1 || trocados.includes(documento_id)) continue;
    const lida = await relida(trx, { versaoId: id, falhas });
    if (lida?.registro.classe !== 'evento' || notas.ehDeOutro(lida.registro, lida.prova.prova)) continue;
    await queries.retireVersoes(trx, [documento_id]);
    await serveVersao(trx, id);
    await servirLida(trx, { id: documento_id, contadorId, agora, alegado: null, lida });
    trocados.push(documento_id);
  }
  return trocados;
}

/** A kept event, read once more, with the proof that it was found to have. */
async function relida(
  trx: Trx,
  { versaoId, falhas: guardadas }: { versaoId: number; falhas: number | null },
): Promise<VersaoLida | null> {
  // Loaded by the few imports that need it.
  const [{ lerConteudo }, { SEM_JULGAR }] = await Promise.all([
    import('../../fiscal/ler.ts'),
    import('../../fiscal/ler-peca.ts'),
  ]);
  const row = await findVersao(trx as Leitor, versaoId);
  const bytes = row && tryDescomprimir(row, readHash(row.sha256));
  if (!bytes) return null;
  const [peca, ...mais] = lerConteudo({ bytes, nome: 'evento.xml' }, { validador: SEM_JULGAR });
  if (peca?.resultado !== 'lida' || mais.length > 0) return null;
  const falhas = guardadas === null ? peca.prova.falhas : readFalhas(guardadas);
  return { registro: comItensEscritos(peca.registro), prova: { prova: provaCom(falhas), falhas } };
}
