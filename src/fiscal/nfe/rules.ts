import type { PartesDoDfe } from '../dfe/partes.ts';
import type { VeredictoDoProtocolo } from '../dfe/rules.ts';
import type { Chave } from '../tipos.ts';
import { textAt } from '../xml/tree.ts';
import { carriesCancellation } from './cancelamento.ts';

/** NFA-e at the Fisco's site carries the Fisco's CNPJ in its key. @fonte NT 2023.002 (series bands) */
const AVULSA_SERIES = { first: 890, last: 899 };
const PROC_EMI_FISCO: readonly string[] = ['1', '2'];

/** The verdict on a note whose own file may carry SEFAZ's answer to its cancellation. */
export function withCancellation(
  parts: PartesDoDfe,
  chave: Chave,
  judged: VeredictoDoProtocolo,
): VeredictoDoProtocolo {
  if (!carriesCancellation(parts, chave)) return judged;
  const aviso = 'O arquivo da nota traz a resposta da SEFAZ que registrou o cancelamento.';
  return { ...judged, status: 'Cancelada', avisos: [...judged.avisos, aviso] };
}

/** Whether the key should carry the issuer of the note: an NFA-e of the Fisco carries the Fisco's. */
export function keyNamesIssuer({ tree, ide }: PartesDoDfe, chave: Chave): boolean {
  const series = Number(chave.slice(22, 25));
  const isAvulsa = series >= AVULSA_SERIES.first && series <= AVULSA_SERIES.last;
  return !isAvulsa && !PROC_EMI_FISCO.includes(textAt(tree, ide, 'procEmi') ?? '');
}
