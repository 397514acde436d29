import type { HttpContext } from '../autorizacao/contexto.ts';
import type { TokenReader } from '../autorizacao/tokens.ts';
import type { ClientesConhecidos } from './feed/clientes-conhecidos.ts';
import type { Memoria } from './feed/memoria.ts';
import type { PartesDaPagina } from './feed/pagina-do-feed.ts';
import type { Vigencias } from './prepared/vigencia.ts';

/** What the routes of the export area are given beside the rest. */
export type ContextoDaExportacao = HttpContext &
  PartesDaPagina & {
    vigencias: Vigencias;
    memoria: Memoria;
    clientes: ClientesConhecidos;
    tokens: Pick<TokenReader, 'forget'>;
  };
