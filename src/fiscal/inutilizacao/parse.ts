import { parseChave, withoutLeadingZeros } from '../chave.ts';
import { partyId } from '../cpf-cnpj.ts';
import {
  allNamed,
  type Contexto,
  findLike,
  idOf,
  judgeNamespace,
  type LeitorDe,
  NAMESPACE_CTE,
  NAMESPACE_NFE,
  readAmbiente,
  readDateField,
  readProtocolo,
  refuseAt,
  refuseRepeated,
  sefazWords,
} from '../leitura.ts';
import type { Recusa } from '../rejeicoes.ts';
import {
  type Chave,
  type CpfCnpj,
  ESPECIE,
  type Inutilizacao,
  type Modelo,
  type Protocolo,
} from '../tipos.ts';
import { attribute, child, textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';

/** How a family writes its inutilização. @fonte XSD leiauteInutNFe_v4.00 */
interface FamiliaDeInutilizacao {
  sigla: string;
  namespace: string;
  pedido: string;
  resposta: string;
  /** What to send, by the name of its element. */
  processado: string;
  inicio: string;
  fim: string;
  modelos: readonly Modelo[];
  /** The same for people. */
  quais: string;
  /** Whether the Id has the year behind the cUF: 41 positions with it, 39 without. */
  comAno: boolean;
}

const NFE: FamiliaDeInutilizacao = {
  sigla: 'NF-e',
  namespace: NAMESPACE_NFE,
  pedido: 'inutNFe',
  resposta: 'retInutNFe',
  processado: 'ProcInutNFe',
  inicio: 'nNFIni',
  fim: 'nNFFin',
  modelos: ['55', '65'],
  quais: 'NF-e (55) e NFC-e (65)',
  comAno: true,
};

/** Only up to layout 3.00. @fonte XSD inutCTeTiposBasico_v3.00 */
const CTE: FamiliaDeInutilizacao = {
  sigla: 'CT-e',
  namespace: NAMESPACE_CTE,
  pedido: 'inutCTe',
  resposta: 'retInutCTe',
  processado: 'procInutCTe',
  inicio: 'nCTIni',
  fim: 'nCTFin',
  modelos: ['57', '67'],
  quais: 'CT-e (57) e CT-e OS (67)',
  comAno: false,
};

/** cStat of a homologated inutilização. @fonte cStat of MOC NF-e 7.0 */
const HOMOLOGADA = '102';

interface Faixa {
  cUF: string;
  ano: string;
  emitente: CpfCnpj;
  modelo: Modelo;
  serie: string;
  numeroInicial: number;
  numeroFinal: number;
}

/** The request and the answer; either may tell what the other leaves out. */
interface Partes {
  familia: FamiliaDeInutilizacao;
  request: XmlElement | null;
  answer: XmlElement;
}

function field(tree: XmlTree, { request, answer }: Partes, name: string): string | null {
  return textAt(tree, answer, name) ?? textAt(tree, request, name);
}

/** Fields that say whose numbers are given up, and which. */
const IDENTIFYING = ['tpAmb', 'cUF', 'ano', 'CNPJ', 'CPF', 'mod', 'serie'];

/**
 * Refuses an answer to another request: the signature covers the request and the fields are read from the answer, so
 * that what is told as signed must be what was answered.
 */
function refuseForeignAnswer(context: Contexto, parts: Partes): Recusa | null {
  const { tree } = context;
  const { request, answer, familia } = parts;
  const names = [...IDENTIFYING, familia.inicio, familia.fim];
  const foreign = names.find((name) => {
    const asked = textAt(tree, request, name);
    const answered = textAt(tree, answer, name);
    return (
      asked !== null && answered !== null && withoutLeadingZeros(asked) !== withoutLeadingZeros(answered)
    );
  });
  if (foreign === undefined) return null;
  return refuseAt(
    context,
    'protocolo_de_outra_chave',
    `A resposta da SEFAZ é de outra inutilização: o ${foreign} dela não é o do pedido. Envie o ${familia.processado} como a SEFAZ o homologou.`,
    { element: answer, missing: foreign },
  );
}

/** A number of the invoice sequence, 1 to 999999999; null for anything else. */
function invoiceNumber(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) : null;
}

function readRange(context: Contexto, parts: Partes): { ok: true; faixa: Faixa } | Recusa {
  const { tree } = context;
  const { answer, familia } = parts;
  const foreign = refuseForeignAnswer(context, parts);
  if (foreign) return foreign;
  const emitente = partyId(field(tree, parts, 'CNPJ')) ?? partyId(field(tree, parts, 'CPF'));
  if (!emitente) {
    return refuseAt(
      context,
      'emitente_ausente',
      `Falta o CNPJ ou CPF de quem inutilizou os números (infInut/CNPJ). Envie o ${familia.processado} completo.`,
      { element: answer, missing: 'CNPJ' },
    );
  }
  const mod = field(tree, parts, 'mod');
  const modelo = familia.modelos.find((known) => known === mod);
  if (!modelo) {
    return refuseAt(
      context,
      'modelo_nao_suportado',
      `O modelo (infInut/mod) é "${mod?.slice(0, 10) ?? ''}"; neste formato só são aceitas inutilizações de ${familia.quais}.`,
      { element: answer, missing: 'mod' },
    );
  }
  const [cUF, ano, serie] = ['cUF', 'ano', 'serie'].map((name) => field(tree, parts, name));
  const numeroInicial = invoiceNumber(field(tree, parts, familia.inicio));
  const numeroFinal = invoiceNumber(field(tree, parts, familia.fim));
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
      `A faixa inutilizada não é válida: cUF, ano, serie, ${familia.inicio} e ${familia.fim} devem ser números e ${familia.inicio} não pode passar de ${familia.fim}. Envie o XML como a SEFAZ o homologou.`,
      { element: answer, missing: familia.inicio },
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
 * @fonte XSD leiauteInutNFe_v4.00: cUF(2) ano(2) CNPJ(14) mod(2) serie(3) nNFIni(9) nNFFin(9);
 *   inutCTeTiposBasico_v3.00: the same without ano
 */
function chaveDaInutilizacao(faixa: Faixa, { comAno }: FamiliaDeInutilizacao): Chave | null {
  return parseChave(
    faixa.cUF +
      (comAno ? faixa.ano : '') +
      faixa.emitente.padStart(14, '0') +
      faixa.modelo +
      faixa.serie.padStart(3, '0') +
      String(faixa.numeroInicial).padStart(9, '0') +
      String(faixa.numeroFinal).padStart(9, '0'),
  );
}

function judgeAnswer(
  context: Contexto,
  { familia, answer }: Partes,
): { ok: true; protocolo: Protocolo } | Recusa {
  const protocolo = readProtocolo(context.tree, answer, { recebimento: 'dhRecbto' });
  if (protocolo?.cStat === HOMOLOGADA) return { ok: true, protocolo };
  return refuseAt(
    context,
    'inutilizacao_nao_homologada',
    protocolo
      ? `Inutilização não homologada pela SEFAZ ${sefazWords(protocolo)}. Ela não tem efeito: envie a que for homologada.`
      : `A resposta da SEFAZ (${familia.resposta}) não traz cStat. Envie o ${familia.processado} completo.`,
    { element: answer, missing: 'cStat' },
  );
}

function idWarning(request: XmlElement | null, chave: Chave): string[] {
  const id = idOf(request)?.replace(/^ID/i, '').toUpperCase() ?? null;
  return id === null || id === chave
    ? []
    : ['O Id do pedido não confere com os campos da resposta da SEFAZ. Vale o que a SEFAZ homologou.'];
}

/** SEFAZ refuses to give up more numbers at once, so that a wider range gives up none. @fonte MOC 7.0, rejeição 201 */
export const MAIOR_FAIXA = 10_000;

function rangeWarning({ numeroInicial, numeroFinal }: Faixa): string[] {
  return numeroFinal - numeroInicial < MAIOR_FAIXA
    ? []
    : [
        'A SEFAZ não homologa a inutilização de mais de 10.000 números de uma vez: esta fica guardada, mas não tira números da lista dos que faltam.',
      ];
}

/** Request and answer of the kept element, or a refusal where the answer is missing or something is there twice. */
function takeApart(
  context: Contexto,
  root: XmlElement,
  familia: FamiliaDeInutilizacao,
): { ok: true; parts: Partes; layout: string | null } | Recusa {
  const inut = findLike(root, familia.pedido);
  const ret = findLike(root, familia.resposta);
  const repeated = [inut, ret]
    .flatMap((part) => (part ? [refuseRepeated(context, allNamed(part, 'infInut'))] : []))
    .find((refusal) => refusal !== null);
  if (repeated) return repeated;
  const answer = child(ret, 'infInut');
  if (answer) {
    const parts = { familia, request: child(inut, 'infInut'), answer };
    return { ok: true, parts, layout: attribute(inut, 'versao') ?? attribute(ret, 'versao') };
  }
  return refuseAt(
    context,
    'inutilizacao_sem_registro',
    `A inutilização é só o pedido: falta o ${familia.resposta} com a homologação da SEFAZ. Envie o ${familia.processado} completo.`,
    { element: root, missing: `${familia.resposta}/infInut` },
  );
}

/** Which numbers are asked for, as the key of what homologates it will be; null where the request does not say so. */
export function chaveDoPedido(tree: XmlTree, root: XmlElement): Chave | null {
  for (const familia of [NFE, CTE]) {
    const request = child(findLike(root, familia.pedido), 'infInut');
    if (!request) continue;
    const context: Contexto = { tree, especie: ESPECIE.inutilizacao, chave: null };
    const range = readRange(context, { familia, request, answer: request });
    return range.ok ? chaveDaInutilizacao(range.faixa, familia) : null;
  }
  return null;
}

function inutilizacaoReader(familia: FamiliaDeInutilizacao): LeitorDe<Inutilizacao> {
  return ({ tree, root, digest }) => {
    const context: Contexto = { tree, especie: ESPECIE.inutilizacao, chave: chaveDoPedido(tree, root) };
    const found = takeApart(context, root, familia);
    if (!found.ok) return found;
    const { parts } = found;
    const { request, answer } = parts;
    const signed = request ?? answer;
    const namespace = judgeNamespace(context, signed, familia);
    if (!namespace.ok) return namespace;
    const judged = judgeAnswer(context, parts);
    if (!judged.ok) return judged;
    const range = readRange(context, parts);
    if (!range.ok) return range;
    const { faixa } = range;
    const chave = chaveDaInutilizacao(faixa, familia);
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
    const { modelo, serie, numeroInicial, numeroFinal, ano, emitente } = faixa;
    return {
      ok: true,
      assinado: signed,
      registro: {
        classe: 'inutilizacao',
        especie: ESPECIE.inutilizacao,
        chave,
        modelo,
        ambiente: environment.ambiente,
        layout: found.layout,
        serie,
        numeroInicial,
        numeroFinal,
        ano,
        emitente,
        justificativa: textAt(tree, request, 'xJust'),
        dataEmissao: date.data,
        protocolo: judged.protocolo,
        ...(request ? {} : { soResposta: true }),
        digest: digest(signed),
        avisos: [...namespace.avisos, ...idWarning(request, chave), ...rangeWarning(faixa)],
      },
    };
  };
}

/**
 * Reads a homologated inutilização of NF-e or NFC-e: `ProcInutNFe` (request and answer) or the answer alone, by
 * CNPJ or, as in MT, by CPF.
 *
 * @param input.root the `ProcInutNFe` or `retInutNFe`, root of its own tree
 * @param input.digest identity of the signed content
 * @fonte XSD leiauteInutNFe_v4.00
 */
export const parseInutilizacao = inutilizacaoReader(NFE);

/** Reads a homologated inutilização of CT-e or CT-e OS: `procInutCTe`, or `retInutCTe` alone. @fonte XSD inutCTeTiposBasico_v3.00 */
export const parseInutilizacaoCte = inutilizacaoReader(CTE);
