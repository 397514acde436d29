/** What is noted of a document whose groups repeat more often than its layout admits: the first ones, and that it is so. */
import type { Registro } from '../tipos.ts';

/**
 * Each party is a row of the document, and of each of its events. The layouts admit ten `autXML` and some seven others.
 * @fonte XSD leiauteNFe_v4.00, cteTiposBasico_v4.00 (`autXML`, maxOccurs 10)
 */
export const PARTICIPANTES_MAX = 50;
/** The longest note has 990. @fonte XSD leiauteNFe_v4.00 (`det`, maxOccurs 990) */
export const ITENS_MAX = 1_000;

/** A record without what stands behind as much as is noted; an aviso tells of that, and the bytes have it. */
export function anotar(registro: Registro): Registro {
  if (registro.classe !== 'documento') return registro;
  const { participantes, itens, avisos } = registro;
  if (participantes.length <= PARTICIPANTES_MAX && itens.length <= ITENS_MAX) return registro;
  const anotadoEmParte = [
    ...cortados(
      participantes.length,
      PARTICIPANTES_MAX,
      'participantes',
      'Quem vem depois não recebe o documento.',
    ),
    ...cortados(itens.length, ITENS_MAX, 'itens', 'O XML fica guardado inteiro.'),
  ].join(' ');
  return {
    ...registro,
    participantes: participantes.slice(0, PARTICIPANTES_MAX),
    itens: itens.slice(0, ITENS_MAX),
    anotadoEmParte,
    avisos: [...avisos, anotadoEmParte],
  };
}

function cortados(quantos: number, max: number, grupo: string, consequencia: string): string[] {
  if (quantos <= max) return [];
  return [`O documento traz ${quantos} ${grupo}, e só os ${max} primeiros foram anotados. ${consequencia}`];
}
