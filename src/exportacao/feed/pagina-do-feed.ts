/** One page of a feed at one state of it, out of what is prepared; knows nothing of how it is asked for. */
import type { HttpContext } from '../../autorizacao/contexto.ts';
import type { RegistroDeAcessos } from '../../documentos/read/acessos.ts';
import { LAST_PAGE, linkDe } from '../paginas.ts';
import type { CodificacaoPronta } from '../prepared/codificacao.ts';
import type { Preparador } from '../prepared/preparador.ts';
import { paginaPronta } from '../prepared/responder.ts';
import type { Vigencia } from '../prepared/vigencia.ts';
import type { Vigia } from '../prepared/vigia.ts';

/** Feeds end far below; clamping here keeps sums of NSU and page exact. */
export const LAST_NSU = 2 ** 52;

interface PedidoDePagina {
  contadorId: number;
  clienteId: number;
  /** Who asks; null and `oauth:…` for an access token. */
  tokenId: number | null;
  autor: string;
  /** Public address, without trailing slash. */
  origin: string;
  /** Path and query, as they came. */
  url: string;
  nsu: number;
  pagina: number;
  tamanho: number;
  comXml: boolean;
  comFinalidade: boolean;
  codificacao: CodificacaoPronta;
}

export interface PaginaDoFeed {
  body: Buffer;
  /** Small pages are not compressed. */
  codificacao: CodificacaoPronta;
  link: string | null;
  /** The key of its signed addresses, and until when these may be handed out (Unix seconds). */
  kid: string;
  untilSeconds: number;
  /** Who read what; to be told whenever the page is given. */
  note(): void;
}

/** What a record with its text takes of a page, about. */
const BYTES_COM_TEXTO: Readonly<Record<CodificacaoPronta, number>> = { identity: 16_000, gzip: 4_000 };

/** What a page takes in memory, about; nothing where there are no texts, or nothing is new. */
export function reservaDe(
  pedido: Pick<PedidoDePagina, 'nsu' | 'pagina' | 'tamanho' | 'comXml' | 'codificacao'>,
  feed: Vigencia,
): number {
  if (!pedido.comXml) return 0;
  const antes = pedido.nsu + (pedido.pagina - 1) * pedido.tamanho;
  const registros = Math.min(pedido.tamanho, Math.max(0, feed.ultimoNsu - antes));
  return registros * BYTES_COM_TEXTO[pedido.codificacao];
}

export interface PartesDaPagina extends Pick<HttpContext, 'deps' | 'enderecos'> {
  acessos: RegistroDeAcessos;
  preparador: Preparador;
  vigia: Vigia;
}

/** @returns null when the ordinary way has to answer */
export async function makePagina(
  ctx: PartesDaPagina,
  pedido: PedidoDePagina,
  feed: Vigencia,
): Promise<PaginaDoFeed | null> {
  const { clienteId, contadorId, tokenId, autor, tamanho, comXml, comFinalidade, origin } = pedido;
  const nsu = Math.min(pedido.nsu, LAST_NSU);
  const paginacao = { total: Math.max(0, feed.ultimoNsu - nsu), tamanho, pagina: pedido.pagina };
  const de = nsu + (Math.min(pedido.pagina, LAST_PAGE) - 1) * tamanho + 1;
  const ate = Math.min(feed.ultimoNsu, de + tamanho - 1);
  const variante = { origin, comFinalidade };
  const { codificacao } = pedido;
  const comGrupos = !comXml && codificacao === 'gzip';
  const intervalo = { clienteId, variante, contadorId, feed, de, ate, comGrupos };
  try {
    const pronta = await paginaPronta(ctx.preparador, {
      intervalo,
      paginacao,
      comXml,
      codificacao,
    });
    if (!pronta) return null;
    const lido = de > ate ? { de: nsu + 1, ate: nsu } : { de, ate };
    return {
      ...pronta,
      kid: pronta.kid ?? ctx.enderecos.current().kid,
      link: linkDe({ paginacao, origin, url: pedido.url }),
      note: () => {
        ctx.acessos.feed({ contadorId, clienteId, tokenId, autor, ...lido });
        // Texts are prepared compressed only.
        ctx.vigia.lido({
          contadorId,
          clienteId,
          variante,
          comXml: comXml && codificacao === 'gzip',
          comGrupos,
          ate: lido.ate,
        });
      },
    };
  } catch (err) {
    ctx.deps.log.warn({ err, clienteId, de, ate }, 'a page could not be prepared');
    return null;
  }
}
