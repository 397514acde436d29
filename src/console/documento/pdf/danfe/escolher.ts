/** Which sheet a NF-e or NFC-e asks for. @fonte MOC NF-e 7.0, tpImp; NT 2026.002 (6: simplificado tipo 2) */
import { drawCupom } from '../cupom/cupom.ts';
import type { ContextoDoPdf } from '../marcas.ts';
import { drawDanfe } from './danfe.ts';
import type { Nota } from './nota.ts';
import { drawSimplificado } from './simplificado.ts';

const SIMPLIFICADO = '3';
const SIMPLIFICADO_TIPO_2 = '6';

export function drawNota(nota: Nota, contexto: ContextoDoPdf): Promise<Uint8Array> {
  const pedida = nota.de('ide', 'tpImp');
  if (nota.de('ide', 'mod') === '65' || pedida === SIMPLIFICADO_TIPO_2) return drawCupom(nota, contexto);
  return pedida === SIMPLIFICADO ? drawSimplificado(nota, contexto) : drawDanfe(nota, contexto);
}
