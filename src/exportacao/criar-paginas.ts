import type { TokenReader } from '../autorizacao/tokens.ts';
import type { Deps } from '../deps.ts';
import type { Contador } from '../platform/http/limite.ts';
import type { Metrics } from '../platform/http/metricas.ts';
import { ClientesConhecidos } from './clientes-conhecidos.ts';
import { Memoria } from './memoria.ts';
import type { ContextoDaExportacao } from './novos.ts';
import { Preparador } from './prontos/preparador.ts';
import { Vigia } from './prontos/vigia.ts';
import { Vigencias } from './vigencia.ts';

/** Joins the parts that make pages of feeds fast; one set for the process. */
export function createPaginas(
  deps: Deps,
  parts: {
    enderecos: { current(): { kid: string; secret: Uint8Array } };
    tokens: Pick<TokenReader, 'lastUseIsDue' | 'forget'>;
    contar: Contador;
    metrics: Metrics;
    stopping: () => boolean;
  },
): {
  contexto: Pick<
    ContextoDaExportacao,
    'vigencias' | 'preparador' | 'vigia' | 'memoria' | 'clientes' | 'tokens'
  >;
  close(): Promise<void>;
} {
  const vigencias = new Vigencias(deps);
  const preparador = new Preparador({ ...deps, enderecos: parts.enderecos });
  const vigia = new Vigia({ vigencias, preparador, log: deps.log });
  const memoria = new Memoria({
    ...parts,
    clock: deps.clock,
    log: deps.log,
    vigencias,
  });
  return {
    contexto: {
      vigencias,
      preparador,
      vigia,
      memoria,
      tokens: parts.tokens,
      clientes: new ClientesConhecidos(deps),
    },
    close: async () => {
      await Promise.all([vigia.stop(), preparador.close()]);
    },
  };
}
