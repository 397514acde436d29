/** A page of a feed out of what is prepared. */

import type { Paginacao } from '../paginas.ts';
import type { CodificacaoPronta } from './codificacao.ts';
import { bytesDe, fatiasDe, paginaComXml, paginaSemXml, paginaSemXmlEmGzip } from './pagina.ts';
import type { PaginaInteira } from './pagina-inteira.ts';
import { type Intervalo, type Preparador, RESTAM_SECONDS } from './preparador.ts';
import type { TrechoPreparado } from './preparar-trechos.ts';

/** Texts of one prepared page; a page with more is sent slice by slice, without ever being in memory as a whole. */
const TEXTOS_BYTES = 8 * 1024 * 1024;
/** As with other answers: small ones are not compressed. */
const COMPRESS_FROM_BYTES = 1_024;

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
  },
): Promise<PaginaPronta | null> {
  const { intervalo, paginacao, comXml, codificacao } = input;
  const { de, ate } = intervalo;
  const comTextos = comXml && de <= ate;
  if (comTextos) {
    const inteira = await preparador.paginaInteira(intervalo, { paginacao, codificacao });
    if (inteira) return respostaDe(inteira, codificacao);
    // Slice by slice.
    if (codificacao === 'identity') return null;
  }
  const trechos = de > ate ? [] : await preparador.trechos(intervalo);
  const fatias = fatiasDe(trechos, de, ate);
  const lifetime = lifetimeOf(trechos);
  if (!comTextos) {
    if (codificacao === 'identity' || bytesDe(fatias) < COMPRESS_FROM_BYTES)
      return { ...lifetime, body: paginaSemXml(paginacao, fatias), codificacao: 'identity' };
    return { ...lifetime, body: paginaSemXmlEmGzip(paginacao, fatias), codificacao };
  }
  const registros = fatias.flatMap((fatia) => fatia.registros);
  if (registros.reduce((sum, { tamanho }) => sum + tamanho, 0) > TEXTOS_BYTES) return null;
  const versaoIds = registros.flatMap(({ textos }) => textos.map(({ versaoId }) => versaoId));
  const segmentos = await preparador.segmentos(intervalo.contadorId, [...new Set(versaoIds)]);
  const body = paginaComXml(paginacao, fatias, segmentos);
  return body && { ...lifetime, body, codificacao: 'gzip' };
}

function respostaDe(
  { bytes, kid, expiresAtSeconds }: PaginaInteira,
  codificacao: CodificacaoPronta,
): PaginaPronta {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return { body, codificacao, untilSeconds: expiresAtSeconds - RESTAM_SECONDS, kid };
}

function lifetimeOf(trechos: readonly TrechoPreparado[]): Pick<PaginaPronta, 'untilSeconds' | 'kid'> {
  const ends = trechos.map(({ expiresAtSeconds }) => expiresAtSeconds);
  return {
    untilSeconds: Math.min(Number.MAX_SAFE_INTEGER, ...ends) - RESTAM_SECONDS,
    kid: trechos[0]?.kid ?? null,
  };
}
