/** Which sheet a NF-e or NFC-e asks for. @fonte MOC NF-e 7.0, tpImp; NT 2026.002 (6: simplificado tipo 2) */
import { desenharCupom } from '../cupom/cupom.ts';
import type { ContextoDoPdf } from '../marcas.ts';
import { desenharDanfe } from './danfe.ts';
import type { Nota } from './nota.ts';
import { desenharSimplificado } from './simplificado.ts';

const SIMPLIFICADO = '3';
const SIMPLIFICADO_TIPO_2 = '6';

export function desenharNota(nota: Nota, contexto: ContextoDoPdf): Promise<Uint8Array> {
  const pedida = nota.de('ide', 'tpImp');
  if (nota.de('ide', 'mod') === '65' || pedida === SIMPLIFICADO_TIPO_2) return desenharCupom(nota, contexto);
  return pedida === SIMPLIFICADO ? desenharSimplificado(nota, contexto) : desenharDanfe(nota, contexto);
}
