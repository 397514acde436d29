/** Whether goods and services come to a company by a document, leave it, or only pass by; and whether it acquired them. */
import { type Modelo, PAPEL, type Papel } from './tipos.ts';

export type Direcao = 'Entrada' | 'Saída';

/** A company's part in a document. */
interface ParteNoDocumento {
  modelo: Modelo;
  /** The strongest one. */
  papel: Papel;
  /** 0: the issuer takes in; 1: the issuer gives out; null where the kind has none. */
  tpNF: '0' | '1' | null;
  /** Whether it is the one who pays for a transport, beside its strongest part. */
  ehTomador: boolean;
}

/** In these the service is the transport itself: it is rendered to the tomador, whoever sends or gets the goods. */
export const DE_TRANSPORTE: readonly Modelo[] = ['57', '67', '64'];

/**
 * Who issues gives out, unless the note is one of entry (tpNF 0); who is named as the other side has the reverse of it. Of a
 * transport only the issuer and the tomador have a direction; who carries, delivers or may read has none.
 * @fonte MOC NF-e 7.0 Anexo I, B11 (tpNF); docs/regras.md, purpose
 */
export function direcaoDe({ modelo, papel, tpNF, ehTomador }: ParteNoDocumento): Direcao | null {
  if (papel === PAPEL.emitente || papel === PAPEL.prestador) return tpNF === '0' ? 'Entrada' : 'Saída';
  if (papel === PAPEL.tomador || (DE_TRANSPORTE.includes(modelo) && ehTomador)) return 'Entrada';
  if (papel === PAPEL.destinatario && !DE_TRANSPORTE.includes(modelo))
    return tpNF === '0' ? 'Saída' : 'Entrada';
  return null;
}

/** finNFe of a NF-e or NFC-e by which something is bought: 1 normal, 2 complementary. Adjustments, returns, credits and debits are none. */
const DE_COMPRA: readonly string[] = ['1', '2'];
const COM_FIN_NFE: readonly Modelo[] = ['55', '65'];

/**
 * Whether the company acquired goods or services by the document, so that it can be asked what for.
 * @param parte.finalidade finNFe; null where it is not known, or the kind has none
 * @fonte docs/regras.md, purpose; XSD leiauteNFe_v4.00 (TFinNFe)
 */
export function adquiriu(parte: ParteNoDocumento & { finalidade: string | null }): boolean {
  const { modelo, finalidade } = parte;
  if (COM_FIN_NFE.includes(modelo) && finalidade !== null && !DE_COMPRA.includes(finalidade.slice(0, 1)))
    return false;
  return direcaoDe(parte) === 'Entrada';
}
