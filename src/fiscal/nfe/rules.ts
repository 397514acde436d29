import { hasValidCheckDigit, parseChave44 } from '../chave.ts';
import { partyId } from '../cpf-cnpj.ts';
import { type Contexto, invalidChaveText, refuseAt, sefazWords } from '../leitura.ts';
import type { Recusa } from '../rejeicoes.ts';
import { statusDoProtocolo } from '../status.ts';
import type { Chave, Documento, Protocolo } from '../tipos.ts';
import { textAt, type XmlElement } from '../xml/tree.ts';
import { carriesCancellation } from './cancelamento.ts';
import type { PartesDaNota } from './partes.ts';

/** Layouts that were ever in production. */
const LAYOUTS: readonly string[] = ['1.07', '1.10', '2.00', '3.00', '3.10', '4.00'];
/** NFA-e at the Fisco's site carries the Fisco's CNPJ in its key. @fonte domain 1.2, series bands */
const AVULSA_SERIES = { first: 890, last: 899 };
const PROC_EMI_FISCO: readonly string[] = ['1', '2'];

/** Registered event: no answer to a note. */
const EVENT_REGISTERED = '135';

/** Whether the Id is a key. @param id the Id without its literal `NFe`; empty when there is none */
export function judgeChave(
  context: Contexto,
  infNFe: XmlElement,
  id: string,
): { ok: true; chave: Chave; avisos: string[] } | Recusa {
  if (id === '') {
    return refuseAt(
      context,
      'chave_ausente',
      'O elemento infNFe não tem o atributo Id com a chave de acesso. Envie o XML assinado, como a SEFAZ o autorizou.',
      { element: infNFe },
    );
  }
  const chave = parseChave44(id);
  return chave
    ? { ok: true, chave, avisos: [] }
    : refuseAt(context, 'chave_invalida', invalidChaveText(id), { element: infNFe });
}

/**
 * What the protocol makes of the note: its status, or a refusal when SEFAZ rejected it or when it is about another
 * note.
 * @fonte domain 5.1
 */
export function judgeProtocolo(
  context: Contexto,
  parts: PartesDaNota,
  chave: Chave,
): { ok: true; status: Documento['statusProtocolo']; avisos: string[] } | Recusa {
  const { tree, infProt, protocolo } = parts;
  if (!infProt || !protocolo) return withCancellation(parts, chave, { status: 'Pendente', avisos: [] });
  const chNFe = textAt(tree, infProt, 'chNFe');
  if (chNFe !== null && parseChave44(chNFe) !== chave) {
    return refuseAt(
      context,
      'protocolo_de_outra_chave',
      `O protocolo é da chave ${chNFe.slice(0, 60)} e a nota é a ${chave}. Envie a nota com o seu próprio protocolo.`,
      { element: infProt, missing: 'chNFe' },
    );
  }
  if (protocolo.cStat === EVENT_REGISTERED) {
    return refuseAt(
      context,
      'protocolo_de_evento',
      `No lugar da autorização, o protNFe traz o registro de um evento ${sefazWords(protocolo)}. Envie o nfeProc original e, à parte, o procEventoNFe.`,
      { element: infProt, missing: 'cStat' },
    );
  }
  const status = statusDoProtocolo(protocolo.cStat);
  if (status === null) {
    return refuseAt(
      context,
      'rejeitada_pela_sefaz',
      `Documento rejeitado pela SEFAZ ${sefazWords(protocolo)}. Uma nota rejeitada não existe para o Fisco: corrija-a e envie a que for autorizada.`,
      { element: infProt, missing: 'cStat' },
    );
  }
  const avisos: string[] = [];
  if (chNFe === null) avisos.push('O protocolo veio sem a chave (chNFe).');
  if (!hasValidCheckDigit(chave)) {
    avisos.push('O dígito verificador da chave não confere; a nota foi aceita pelo protocolo.');
  }
  return withCancellation(parts, chave, { status, avisos });
}

function withCancellation(
  parts: PartesDaNota,
  chave: Chave,
  judged: { status: Documento['statusProtocolo']; avisos: string[] },
): { ok: true; status: Documento['statusProtocolo']; avisos: string[] } {
  if (!carriesCancellation(parts, chave)) return { ok: true, ...judged };
  const aviso = 'O arquivo da nota traz a resposta da SEFAZ que registrou o cancelamento.';
  return { ok: true, status: 'Cancelada', avisos: [...judged.avisos, aviso] };
}

/** Whether the note says who issued it. Check digits of the parties are not judged (domain 3). */
export function judgeEmitente(context: Contexto, parts: PartesDaNota): { ok: true } | Recusa {
  const { tree, emit, infNFe } = parts;
  const text = textAt(tree, emit, 'CNPJ') ?? textAt(tree, emit, 'CPF');
  if (partyId(textAt(tree, emit, 'CNPJ')) ?? partyId(textAt(tree, emit, 'CPF'))) return { ok: true };
  if (text === null || /^0+$/.test(text)) {
    return refuseAt(
      context,
      'emitente_ausente',
      'Falta o CNPJ ou CPF do emitente (emit/CNPJ). Envie o XML completo, como a SEFAZ o autorizou.',
      { element: emit ?? infNFe, missing: emit ? 'CNPJ' : 'emit' },
    );
  }
  return refuseAt(
    context,
    'emitente_invalido',
    `O emitente "${text.slice(0, 30)}" não é CNPJ (14 posições) nem CPF (11 dígitos). Corrija na origem e envie de novo.`,
    { element: emit ?? infNFe },
  );
}

function padded(text: string | null, length: number): string | null {
  return text === null ? null : text.padStart(length, '0');
}

/** Whether the key should carry the issuer of the note: an NFA-e of the Fisco carries the Fisco's. */
function keyNamesIssuer({ tree, ide }: PartesDaNota, chave: Chave): boolean {
  const series = Number(chave.slice(22, 25));
  const isAvulsa = series >= AVULSA_SERIES.first && series <= AVULSA_SERIES.last;
  return !isAvulsa && !PROC_EMI_FISCO.includes(textAt(tree, ide, 'procEmi') ?? '');
}

/**
 * Where the key and the signed fields disagree; the signed XML counts, and a note tells.
 * Up to layout 1.10 the key has no tpEmis: cNF takes its place with 9 digits.
 * @fonte domain 2.2
 */
export function keyWarnings(input: {
  parts: PartesDaNota;
  chave: Chave;
  layout: string | null;
  dataEmissao: string;
}): string[] {
  const { parts, chave, layout, dataEmissao } = input;
  const { tree, ide, emit } = parts;
  const field = (name: string): string | null => textAt(tree, ide, name);
  const issuer = padded(textAt(tree, emit, 'CNPJ') ?? textAt(tree, emit, 'CPF'), 14);
  const isOld = layout?.startsWith('1.') === true;
  const rows: (readonly [string, string | null, string])[] = [
    ['ide/cUF', field('cUF'), chave.slice(0, 2)],
    ['ano e mês da emissão', dataEmissao.slice(2, 4) + dataEmissao.slice(5, 7), chave.slice(2, 6)],
    ['ide/mod', field('mod'), chave.slice(20, 22)],
    ['ide/serie', padded(field('serie'), 3), chave.slice(22, 25)],
    ['ide/nNF', padded(field('nNF'), 9), chave.slice(25, 34)],
    ['ide/cDV', field('cDV'), chave.slice(43)],
    ...(isOld
      ? [['ide/cNF', padded(field('cNF'), 9), chave.slice(34, 43)] as const]
      : [
          ['ide/tpEmis', field('tpEmis'), chave.slice(34, 35)] as const,
          ['ide/cNF', padded(field('cNF'), 8), chave.slice(35, 43)] as const,
        ]),
  ];
  if (keyNamesIssuer(parts, chave)) rows.push(['emit', issuer?.toUpperCase() ?? null, chave.slice(6, 20)]);
  const different = rows.filter(([, said, inKey]) => said !== null && said !== inKey).map(([name]) => name);
  return different.length === 0
    ? []
    : [`A chave não confere com o conteúdo da nota em: ${different.join(', ')}. Vale o que está no XML.`];
}

export function layoutWarning(layout: string | null): string[] {
  if (layout !== null && LAYOUTS.includes(layout)) return [];
  return [`A versão do layout (${layout?.slice(0, 20) ?? 'ausente'}) não é conhecida.`];
}

/** SEFAZ writes down the digest of what it authorised: another one means that this is not that text. @fonte domain 12 */
export function digestWarning(protocolo: Protocolo | null, signedDigest: string | null): string[] {
  const bare = (text: string): string => text.replace(/\s/g, '');
  if (!protocolo?.digVal || signedDigest === null || bare(protocolo.digVal) === bare(signedDigest)) return [];
  return ['O protocolo é de outra versão do conteúdo: o digVal difere do DigestValue da assinatura.'];
}
