import { type CpfCnpj, PAPEIS_POR_FORCA, PAPEL, type Papel, type Participante } from './tipos.ts';

/** Parts that a document's issuer, and its recipient, go by in one kind or another. */
export const COMO_O_EMITENTE: readonly Papel[] = [PAPEL.emitente, PAPEL.prestador];
export const COMO_O_DESTINATARIO: readonly Papel[] = [PAPEL.destinatario, PAPEL.tomador];

/** Part that a company plays in a document, the strongest where it plays several; null when it plays none. @fonte docs/regras.md, parts */
export function papelDe(participantes: readonly Participante[], cpfCnpj: CpfCnpj): Papel | null {
  const papeis = new Set(participantes.filter((p) => p.cpfCnpj === cpfCnpj).map((p) => p.papel));
  return PAPEIS_POR_FORCA.find((papel) => papeis.has(papel)) ?? null;
}

/**
 * `Emitida` for the issuer (NFS-e: prestador), `Recebida` for every other part. An entry note of the company's own
 * (tpNF 0) is issued by it, and stays `Emitida`.
 * @fonte docs/regras.md, the feed, parts
 */
export function tipoDe(papel: Papel): 'Emitida' | 'Recebida' {
  return COMO_O_EMITENTE.includes(papel) ? 'Emitida' : 'Recebida';
}
