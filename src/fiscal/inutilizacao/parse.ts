import { parseChave, withoutLeadingZeros } from '../chave.ts';
import { partyId } from '../cpf-cnpj.ts';
import {
  allNamed,
  type Contexto,
  findLike,
  idOf,
  judgeNamespace,
  type Leitura,
  readAmbiente,
  readDateField,
  readProtocolo,
  refuseAt,
  refuseRepeated,
  sefazWords,
} from '../leitura.ts';
import type { Recusa } from '../rejeicoes.ts';
import { type Chave, type CpfCnpj, ESPECIE, type Inutilizacao, type Protocolo } from '../tipos.ts';
import { attribute, child, textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';

/** cStat of a homologated inutilização. @fonte domain 4.5 */
const HOMOLOGADA = '102';

interface Faixa {
  cUF: string;
  ano: string;
  emitente: CpfCnpj;
  modelo: '55' | '65';
  serie: string;
  numeroInicial: number;
  numeroFinal: number;
}

/** The request and the answer; either may tell what the other leaves out. */
interface Partes {
  request: XmlElement | null;
  answer: XmlElement;
}

function field(tree: XmlTree, { request, answer }: Partes, name: string): string | null {
  return textAt(tree, answer, name) ?? textAt(tree, request, name);
}

/** A number of the invoice sequence, 1 to 999999999; null for anything else. */
function invoiceNumber(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) : null;
}

function readRange(context: Contexto, parts: Partes): { ok: true; faixa: Faixa } | Recusa {
  const { tree } = context;
  const { answer } = parts;
  const emitente = partyId(field(tree, parts, 'CNPJ')) ?? partyId(field(tree, parts, 'CPF'));
  if (!emitente) {
    return refuseAt(
      context,
      'emitente_ausente',
      'Falta o CNPJ ou CPF de quem inutilizou os números (infInut/CNPJ). Envie o ProcInutNFe completo.',
      { element: answer, missing: 'CNPJ' },
    );
  }
  const modelo = field(tree, parts, 'mod');
  if (modelo !== '55' && modelo !== '65') {
    return refuseAt(
      context,
      'modelo_nao_suportado',
      `O modelo (infInut/mod) é "${modelo?.slice(0, 10) ?? ''}"; só são aceitas inutilizações de NF-e (55) e NFC-e (65).`,
      { element: answer, missing: 'mod' },
    );
  }
  const [cUF, ano, serie] = ['cUF', 'ano', 'serie'].map((name) => field(tree, parts, name));
  const numeroInicial = invoiceNumber(field(tree, parts, 'nNFIni'));
  const numeroFinal = invoiceNumber(field(tree, parts, 'nNFFin'));
  if (
    !/^\d{2}$/.test(cUF ?? '') ||
    !/^\d{1,2}$/.test(ano ?? '') ||
    !/^\d{1,3}$/.test(serie ?? '') ||
    numeroInicial === null ||
    numeroFinal === null ||
    numeroInicial > numeroFinal
  ) {
    return refuseAt(
      context,
      'numeracao_invalida',
      'A faixa inutilizada não é válida: cUF, ano, serie, nNFIni e nNFFin devem ser números e nNFIni não pode passar de nNFFin. Envie o XML como a SEFAZ o homologou.',
      { element: answer, missing: 'nNFIni' },
    );
  }
  return {
    ok: true,
    faixa: {
      cUF: cUF ?? '',
      ano: (ano ?? '').padStart(2, '0'),
      emitente,
      modelo,
      serie: withoutLeadingZeros(serie ?? ''),
      numeroInicial,
      numeroFinal,
    },
  };
}

/**
 * Id of an inutilização without `ID`, from its fields. The fields are its identity: an answer alone and the whole
 * ProcInutNFe of the same range must come out as the same one.
 * @fonte domain 4.5; XSD leiauteInutNFe_v4.00: cUF(2) ano(2) CNPJ(14) mod(2) serie(3) nNFIni(9) nNFFin(9)
 */
export function chaveDaInutilizacao(faixa: Faixa): Chave | null {
  return parseChave(
    faixa.cUF +
      faixa.ano +
      faixa.emitente.padStart(14, '0') +
      faixa.modelo +
      faixa.serie.padStart(3, '0') +
      String(faixa.numeroInicial).padStart(9, '0') +
      String(faixa.numeroFinal).padStart(9, '0'),
  );
}

function judgeAnswer(context: Contexto, answer: XmlElement): { ok: true; protocolo: Protocolo } | Recusa {
  const protocolo = readProtocolo(context.tree, answer, { recebimento: 'dhRecbto' });
  if (protocolo?.cStat === HOMOLOGADA) return { ok: true, protocolo };
  return refuseAt(
    context,
    'inutilizacao_nao_homologada',
    protocolo
      ? `Inutilização não homologada pela SEFAZ ${sefazWords(protocolo)}. Ela não tem efeito: envie a que for homologada.`
      : 'A resposta da SEFAZ (retInutNFe) não traz cStat. Envie o ProcInutNFe completo.',
    { element: answer, missing: 'cStat' },
  );
}

function idWarning(request: XmlElement | null, chave: Chave): string[] {
  const id = idOf(request)?.replace(/^ID/i, '').toUpperCase() ?? null;
  return id === null || id === chave
    ? []
    : ['O Id do pedido não confere com os campos da resposta da SEFAZ. Vale o que a SEFAZ homologou.'];
}

/**
 * Reads a homologated inutilização: `ProcInutNFe` (request and answer) or the answer alone, by CNPJ or, as in MT,
 * by CPF.
 *
 * @param input.root the `ProcInutNFe` or `retInutNFe`, root of its own tree
 * @param input.digest identity of the signed content
 * @fonte domain 4.5
 */
export function parseInutilizacao(input: {
  tree: XmlTree;
  root: XmlElement;
  digest: (signed: XmlElement) => string;
}): Leitura<Inutilizacao> {
  const { tree, root } = input;
  const context: Contexto = { tree, especie: ESPECIE.inutilizacao, chave: null };
  const inut = findLike(root, 'inutNFe');
  const ret = findLike(root, 'retInutNFe');
  const repeated = [inut, ret]
    .flatMap((part) => (part ? [refuseRepeated(context, allNamed(part, 'infInut'))] : []))
    .find((refusal) => refusal !== null);
  if (repeated) return repeated;
  const answer = child(ret, 'infInut');
  if (!answer) {
    return refuseAt(
      context,
      'inutilizacao_sem_registro',
      'A inutilização é só o pedido: falta o retInutNFe com a homologação da SEFAZ. Envie o ProcInutNFe completo.',
      { element: root, missing: 'retInutNFe/infInut' },
    );
  }
  const request = child(inut, 'infInut');
  const parts: Partes = { request, answer };
  const signed = request ?? answer;
  const namespace = judgeNamespace(context, signed);
  if (!namespace.ok) return namespace;
  const judged = judgeAnswer(context, answer);
  if (!judged.ok) return judged;
  const range = readRange(context, parts);
  if (!range.ok) return range;
  const { faixa } = range;
  const chave = chaveDaInutilizacao(faixa);
  if (!chave) {
    return refuseAt(context, 'chave_invalida', 'Os campos da inutilização não formam um Id válido.', {
      element: answer,
    });
  }
  context.chave = chave;
  const environment = readAmbiente(context, [answer, request]);
  if (!environment.ok) return environment;
  const date = readDateField(context, answer, { names: ['dhRecbto'], cUF: faixa.cUF });
  if (!date.ok) return date;
  return {
    ok: true,
    assinado: signed,
    registro: {
      classe: 'inutilizacao',
      especie: ESPECIE.inutilizacao,
      chave,
      modelo: faixa.modelo,
      ambiente: environment.ambiente,
      layout: attribute(inut, 'versao') ?? attribute(ret, 'versao'),
      serie: faixa.serie,
      numeroInicial: faixa.numeroInicial,
      numeroFinal: faixa.numeroFinal,
      ano: faixa.ano,
      emitente: faixa.emitente,
      justificativa: textAt(tree, request, 'xJust'),
      dataEmissao: date.data,
      protocolo: judged.protocolo,
      digest: input.digest(signed),
      avisos: [...namespace.avisos, ...idWarning(request, chave)],
    },
  };
}
