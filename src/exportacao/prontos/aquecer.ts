/**
 * After a start, pages that nobody gets: threads are started and V8 compiles what makes pages, so that who comes first
 * finds both done. As soon as somebody waits it ends, since real pages do the same.
 */
import type { Deps } from '../../deps.ts';
import { runAsService } from '../../platform/db/tenant.ts';
import { findMaiorFeed } from '../queries-novidades.ts';
import type { Preparador } from './preparador.ts';

/** Less than this is read before it would matter. */
const MENOR_FEED = 300;
/** Of all threads. More make no page faster (measured). */
const PAGINAS = 20;
const TAMANHO = 100;

export interface Aquecimento {
  db: Pick<Deps['db'], 'read'>;
  preparador: Pick<Preparador, 'idle' | 'threads' | 'ensaiar'>;
  log: Pick<Deps['log'], 'debug'>;
}

/** Never fails: what is broken is told to who asks for it. */
export async function aquecer({ db, preparador, log }: Aquecimento): Promise<void> {
  try {
    const feed = await runAsService(() => findMaiorFeed(db.read));
    if (!feed || feed.ultimoNsu < MENOR_FEED) return;
    const paginas = paginasDoFim(feed.ultimoNsu);
    const make = async () => {
      for (let pagina = paginas.pop(); pagina && preparador.idle; pagina = paginas.pop()) {
        await preparador.ensaiar({ clienteId: feed.clienteId, ...pagina });
      }
    };
    await Promise.all(Array.from({ length: preparador.threads }, make));
    log.debug('pages were rehearsed');
  } catch (err) {
    log.debug({ err }, 'pages could not be rehearsed');
  }
}

/** Full pages from the end of a feed backwards, and again from there where it has fewer. */
function paginasDoFim(ultimoNsu: number): { de: number; ate: number }[] {
  const full = Math.floor(ultimoNsu / TAMANHO);
  return Array.from({ length: PAGINAS }, (_, at) => {
    const ate = ultimoNsu - (at % full) * TAMANHO;
    return { de: ate - TAMANHO + 1, ate };
  });
}
