/**
 * The consistency check of the vault (`malote verificar`). It reads everything and changes nothing. It goes page by
 * page, each page in one snapshot, so its memory does not grow with the vault and imports may go on meanwhile.
 */
import type { Tabelas } from '../../banco/tabelas.ts';
import type { Database } from '../../platform/db/connect.ts';
import type { Achado } from './achados.ts';
import { verificarCertificados, verificarConteudos } from './verificar-conteudos.ts';
import { verificarDocumentos, verificarEsperados } from './verificar-documentos.ts';
import { verificarEntradas, verificarFeeds, verificarParticipacoes } from './verificar-feeds.ts';

export interface OpcoesDaVerificacao {
  /** Whether documents of homologação are delivered (`MALOTE_HOMOLOGACAO`). */
  homologacao?: boolean;
  /** Rows in one step. */
  tamanho?: number;
  /** Told after each step how many more versions were read whole. */
  aoConferir?: (versoes: number) => void;
}

/** Everything that does not hang together, one finding for each row; none in a sound vault. */
export async function* verificarCofre(
  db: Database<Tabelas>['read'],
  options: OpcoesDaVerificacao = {},
): AsyncGenerator<Achado> {
  const { tamanho = 1_000, homologacao = false, aoConferir = () => {} } = options;
  const ambientes = homologacao ? [1, 2] : [1];
  yield* verificarFeeds(db, tamanho);
  yield* verificarEntradas(db, tamanho);
  yield* verificarParticipacoes(db, tamanho);
  yield* verificarDocumentos(db, { tamanho, ambientes });
  yield* verificarConteudos(db, { tamanho, aoConferir });
  yield* verificarCertificados(db);
  yield* verificarEsperados(db, tamanho);
}
