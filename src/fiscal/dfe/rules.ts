import { hasValidCheckDigit, parseChave44 } from '../chave.ts';
import { partyId } from '../cpf-cnpj.ts';
import { type Contexto, refuseAt, sefazWords } from '../leitura.ts';
import type { Recusa } from '../rejeicoes.ts';
import { statusDoProtocolo } from '../status.ts';
import { type Chave, type Documento, type Protocolo, STATUS_DOCUMENTO } from '../tipos.ts';
import { textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';
import type { PartesDoDfe } from './partes.ts';

/** Registered event: no answer to a document. */
const EVENT_REGISTERED = '135';

const BAIXADA =
  'O protocolo veio como a SEFAZ-SP o dá no download da NFC-e: só o número e a hora (nProt, dhInc), sem situação e sem digVal.';

/** What a protocol makes of a document. */
export interface VeredictoDoProtocolo {
  ok: true;
  status: Documento['statusProtocolo'];
  avisos: string[];
  /** The answer to this very document; null where there is none. */
  protocolo: Protocolo | null;
  ressalva?: NonNullable<Documento['ressalva']>;
}

/**
 * What the protocol makes of the document: its status, or a refusal when SEFAZ rejected it or when it is about
 * another one.
 * @fonte cStat of MOC NF-e 7.0
 */
export function judgeProtocolo(
  context: Contexto,
  parts: PartesDoDfe,
  chave: Chave,
): VeredictoDoProtocolo | Recusa {
  const { nomes, tree, infProt, protocolo } = parts;
  if (parts.baixada) return { ok: true, status: STATUS_DOCUMENTO.autorizada, protocolo, avisos: [BAIXADA] };
  if (!infProt || !protocolo) return { ok: true, status: 'Pendente', protocolo: null, avisos: [] };
  const said = textAt(tree, infProt, nomes.chave);
  if (said !== null && parseChave44(said) !== chave) {
    return refuseAt(
      context,
      'protocolo_de_outra_chave',
      `O protocolo é da chave ${said.slice(0, 60)} e o documento é o ${chave}. Envie o documento com o seu próprio protocolo.`,
      { element: infProt, missing: nomes.chave },
    );
  }
  if (protocolo.cStat === EVENT_REGISTERED) {
    const mensagem =
      `No lugar da autorização, o ${nomes.protocolo} traz o registro de um evento ${sefazWords(protocolo)}, que não diz se o documento está autorizado ou cancelado: ` +
      `foi guardado como pendente. Envie o ${nomes.processado} original e, à parte, o ${nomes.procEvento}.`;
    const ressalva = { codigo: 'protocolo_de_evento', mensagem };
    return { ok: true, status: STATUS_DOCUMENTO.pendente, protocolo: null, avisos: [mensagem], ressalva };
  }
  const status = statusDoProtocolo(protocolo.cStat);
  if (status === null) {
    return refuseAt(
      context,
      'rejeitada_pela_sefaz',
      `Documento rejeitado pela SEFAZ ${sefazWords(protocolo)}. Um documento rejeitado não existe para o Fisco: corrija-o e envie o que for autorizado.`,
      { element: infProt, missing: 'cStat' },
    );
  }
  const avisos: string[] = [];
  if (said === null) avisos.push(`O protocolo veio sem a chave (${nomes.chave}).`);
  if (parts.respostas > 1) {
    avisos.push(
      `O arquivo traz ${parts.respostas} respostas da SEFAZ (infProt) ao documento; vale a de situação ${sefazWords(protocolo)}.`,
    );
  }
  if (!hasValidCheckDigit(chave)) {
    avisos.push('O dígito verificador da chave não confere; o documento foi aceito pelo protocolo.');
  }
  return { ok: true, status, protocolo, avisos };
}

/** A key with a wrong check digit is taken only where SEFAZ confirmed it. @fonte MOC NF-e 7.0 Anexo I */
export function judgeCheckDigit(context: Contexto, parts: PartesDoDfe, chave: Chave): Recusa | null {
  if (parts.protocolo || hasValidCheckDigit(chave)) return null;
  return refuseAt(
    context,
    'chave_com_dv_invalido',
    `O dígito verificador da chave ${chave} não confere e não há protocolo da SEFAZ que a confirme. Envie o ${parts.nomes.processado} com o protocolo.`,
    { element: parts.inf },
  );
}

/** Whether the document says who issued it. Check digits of the parties are not judged. */
export function judgeEmitente(
  context: Contexto,
  parts: { tree: XmlTree; emit: XmlElement | null; inf: XmlElement },
): { ok: true } | Recusa {
  const { tree, emit, inf } = parts;
  const text = textAt(tree, emit, 'CNPJ') ?? textAt(tree, emit, 'CPF');
  if (partyId(textAt(tree, emit, 'CNPJ')) ?? partyId(textAt(tree, emit, 'CPF'))) return { ok: true };
  if (text === null || /^0+$/.test(text)) {
    return refuseAt(
      context,
      'emitente_ausente',
      'Falta o CNPJ ou CPF do emitente (emit/CNPJ). Envie o XML completo, como foi autorizado.',
      { element: emit ?? inf, missing: emit ? 'CNPJ' : 'emit' },
    );
  }
  return refuseAt(
    context,
    'emitente_invalido',
    `O emitente "${text.slice(0, 30)}" não é CNPJ (14 posições) nem CPF (11 dígitos). Baixe o XML de novo, ou peça-o a quem o emitiu.`,
    { element: emit ?? inf },
  );
}

/** A field with the zeros that the key gives it. */
export function padded(text: string | null, length: number): string | null {
  return text === null ? null : text.padStart(length, '0');
}

/** What the key and the signed fields say of the same thing: name, the field (null: it is silent), the key. */
export type LinhaDaChave = readonly [nome: string, campo: string | null, naChave: string];

/** Where the key and the signed fields disagree; the signed XML counts, and a note tells. @fonte MOC NF-e 7.0 Anexo I */
export function differenceWarning(rows: readonly LinhaDaChave[]): string[] {
  return differenceIn(
    rows.filter(([, said, inKey]) => said !== null && said !== inKey).map(([name]) => name),
  );
}

function differenceIn(different: readonly string[]): string[] {
  return different.length === 0
    ? []
    : [
        `A chave não confere com o conteúdo do documento em: ${different.join(', ')}. Vale o que está no XML.`,
      ];
}

/**
 * {@link differenceWarning} for the key layout of NF-e and CT-e.
 *
 * @param input.semTpEmis layouts 1.x up to 1.10: the random code takes the place of tpEmis too, with 9 digits
 * @param input.comEmitente false where the key rightly carries another issuer (NFA-e)
 */
export function keyWarnings(input: {
  parts: PartesDoDfe;
  chave: Chave;
  dataEmissao: string;
  semTpEmis: boolean;
  comEmitente: boolean;
}): string[] {
  const { parts, chave, dataEmissao } = input;
  const { nomes, tree, ide, emit } = parts;
  const different: string[] = [];
  const compare = (name: string, said: string | null, inKey: string): void => {
    if (said !== null && said !== inKey) different.push(name);
  };
  const field = (name: string): string | null => textAt(tree, ide, name);
  compare('ide/cUF', field('cUF'), chave.slice(0, 2));
  const anoMes = dataEmissao.slice(2, 4) + dataEmissao.slice(5, 7);
  compare('ano e mês da emissão', anoMes, chave.slice(2, 6));
  compare('ide/mod', field('mod'), chave.slice(20, 22));
  compare('ide/serie', padded(field('serie'), 3), chave.slice(22, 25));
  compare(`ide/${nomes.numero}`, padded(field(nomes.numero), 9), chave.slice(25, 34));
  compare('ide/cDV', field('cDV'), chave.slice(43));
  if (!input.semTpEmis) compare('ide/tpEmis', field('tpEmis'), chave.slice(34, 35));
  const codigo = input.semTpEmis ? chave.slice(34, 43) : chave.slice(35, 43);
  compare(`ide/${nomes.codigo}`, padded(field(nomes.codigo), codigo.length), codigo);
  if (input.comEmitente) {
    const issuer = padded(textAt(tree, emit, 'CNPJ') ?? textAt(tree, emit, 'CPF'), 14);
    compare('emit', issuer?.toUpperCase() ?? null, chave.slice(6, 20));
  }
  return differenceIn(different);
}

/** A layout that nobody here has read about is read all the same, and a note tells. */
export function layoutWarning(layout: string | null, known: readonly string[]): string[] {
  if (layout !== null && known.includes(layout)) return [];
  return [`A versão do layout (${layout?.slice(0, 20) ?? 'ausente'}) não é conhecida.`];
}

/** SEFAZ writes down the digest of what it authorised: another one means that this is not that text. @fonte XSD leiauteNFe_v4.00 (digVal) */
export function digestWarning(protocolo: Protocolo | null, signedDigest: string | null): string[] {
  const bare = (text: string): string => text.replace(/\s/g, '');
  if (!protocolo?.digVal || signedDigest === null || protocolo.digVal === signedDigest) return [];
  if (bare(protocolo.digVal) === bare(signedDigest)) return [];
  return ['O protocolo é de outra versão do conteúdo: o digVal difere do DigestValue da assinatura.'];
}
