/** A page of a feed out of what is prepared. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { CodificacaoPronta } from '../codificacao.ts';
import type { Paginacao } from '../paginas.ts';
import { type Alocar, fatiasDe, paginaComXml, paginaSemXml } from './pagina.ts';
import { type Intervalo, type Preparador, RESTAM_SECONDS } from './preparador.ts';
import type { TrechoPreparado } from './preparar-trechos.ts';

/** Texts of one prepared page; a page with more is sent slice by slice, without ever being in memory as a whole. */
const TEXTOS_BYTES = 8 * 1024 * 1024;
/** As other answers are compressed; small ones are not. */
const GZIP_LEVEL = 4;
const COMPRESS_FROM_BYTES = 1_024;
const compress = promisify(gzip);

export interface PaginaPronta {
  body: Buffer;
  codificacao: CodificacaoPronta;
  /** Until when its addresses may be handed out, Unix seconds. */
  untilSeconds: number;
  kid: string | null;
}

/** @returns null when the ordinary way has to answer @throws when a thread fails, or a document is damaged */
export async function paginaPronta(
  preparador: Preparador,
  input: {
    intervalo: Intervalo;
    paginacao: Paginacao;
    comXml: boolean;
    codificacao: CodificacaoPronta;
    allocate?: Alocar;
  },
): Promise<PaginaPronta | null> {
  const { intervalo, paginacao, comXml, codificacao, allocate } = input;
  const { de, ate } = intervalo;
  const trechos = de > ate ? [] : await preparador.trechos(intervalo);
  const fatias = fatiasDe(trechos, de, ate);
  const lifetime = lifetimeOf(trechos);
  if (!comXml) {
    const asItIs = codificacao === 'identity';
    const plain = paginaSemXml(paginacao, fatias, asItIs ? allocate : undefined);
    const small = plain.length < COMPRESS_FROM_BYTES;
    if (asItIs || small) return { ...lifetime, body: plain, codificacao: 'identity' };
    return { ...lifetime, body: await compress(plain, { level: GZIP_LEVEL }), codificacao };
  }
  const registros = fatias.flatMap((fatia) => fatia.registros);
  if (registros.reduce((sum, { tamanho }) => sum + tamanho, 0) > TEXTOS_BYTES) return null;
  const segmentos = await preparador.segmentos(registros.flatMap(({ versaoId }) => versaoId ?? []));
  const body = paginaComXml(paginacao, fatias, segmentos, allocate);
  return body && { ...lifetime, body, codificacao: 'gzip' };
}

function lifetimeOf(trechos: readonly TrechoPreparado[]): Pick<PaginaPronta, 'untilSeconds' | 'kid'> {
  const ends = trechos.map(({ expiresAtSeconds }) => expiresAtSeconds);
  return {
    untilSeconds: Math.min(Number.MAX_SAFE_INTEGER, ...ends) - RESTAM_SECONDS,
    kid: trechos[0]?.kid ?? null,
  };
}
