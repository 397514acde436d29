import { weightsOf } from '../../platform/http/accept-encoding.ts';

/** Which coding of an answer a request wants, of those that pages are prepared in (RFC 9110 §12.5.3). */
export type CodificacaoPronta = 'gzip' | 'identity';

/**
 * gzip when it is welcome and nothing is more so: to those who take br as well it goes too, since it is ready.
 * Null: the ordinary way decides.
 */
export function codificacaoPronta(headers: Record<string, unknown>): CodificacaoPronta | null {
  if (headers['x-no-compression'] !== undefined) return 'identity';
  const accepted = headers['accept-encoding'];
  if (accepted === undefined || accepted === '' || accepted === 'identity') return 'identity';
  if (typeof accepted !== 'string') return null;
  const weights = weightsOf(accepted);
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? 0;
  if (gzip === 0) return null;
  const others = [...weights].filter(([name]) => name === 'br' || name === 'identity');
  return others.every(([, weight]) => weight <= gzip) ? 'gzip' : null;
}
