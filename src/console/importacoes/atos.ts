/** What the console needs of the import area, which stands beside it: `app.ts` hands it in. */
import type { FastifyRequest } from 'fastify';
import type { Alcance } from '../acesso.ts';

export interface AtosDaImportacao {
  /** Announces a file that somebody sends from the console. @returns where the browser is to PUT it */
  anunciar(input: {
    request: FastifyRequest;
    contadorId: number;
    usuarioId: number;
    alcance: Alcance;
    nome: string;
    tamanho: number;
    extensao: string;
  }): Promise<{ id: string; url: string }>;
  /** Imports the kept bytes of a file again, as a new file. @returns its id, or why it cannot be done */
  reimportar(input: {
    contadorId: number;
    usuarioId: number;
    alcance: Alcance;
    id: string;
  }): Promise<{ id: string } | { motivo: string } | null>;
  /** Removes a file of these bytes, which hold no document: a connection was tried. @returns whether it was there */
  esquecer(input: { contadorId: number; id: string; conteudo: string }): Promise<boolean>;
  /** The state of a file at an instant (ms UTC), as the API tells it: one whose address lapsed unused is `Expirado`. */
  statusEm(
    arquivo: { id: string; status: string; expira_em: number; chegando_ate: number | null },
    agora: number,
  ): string;
  /** For filters by that state, Unix seconds: whose address, and noted body, ended before that has lapsed. */
  expiradosAntesDe(agora: number): number;
  /** The bytes as they came; null when there are none. */
  bytes(input: { contadorId: number; id: string }): Promise<Buffer | null>;
}
