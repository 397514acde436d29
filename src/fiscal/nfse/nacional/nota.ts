import { hasValidCheckDigit, withoutLeadingZeros } from '../../chave.ts';
import { readDateTime } from '../../data-hora.ts';
import {
  type Contexto,
  idOf,
  type Leitura,
  readAmbiente,
  readProtocolo,
  refuseAt,
  refuseRepeated,
} from '../../leitura.ts';
import type { Recusa } from '../../rejeicoes.ts';
import { type Ambiente, type Chave, type Documento, ESPECIE, PAPEL, type Protocolo } from '../../tipos.ts';
import { child, childrenNamed, textAt, type XmlElement, type XmlTree } from '../../xml/tree.ts';
import { childrenLike, isLike } from '../nomes.ts';
import { readMunicipalDate } from '../valores.ts';
import { checkDigitWarning, judgeChave50, namespaceWarning } from './chave-nacional.ts';
import {
  avisosDasPartes,
  type PartesDaNfse,
  readFinalidade,
  readLayout,
  readMunicipioPrestacao,
  readParticipantes,
  readValor,
  substituida,
  takeApart,
} from './partes.ts';

/** All of them mean that the note exists; none that it was cancelled, which is what events are for. @fonte XSD NFSe 1.01 */
const GERADA: readonly string[] = ['100', '101', '102', '103', '107'];

/** ABRASF has elements of the same names in another case: the national note has a DPS or a nNFSe. */
export function isNfseNacional(element: XmlElement): boolean {
  if (!isLike(element, 'NFSe')) return false;
  return childrenLike(element, 'infNFSe').some(
    (inf) => inf.localName === 'infNFSe' || child(inf, 'nNFSe') !== null || child(inf, 'DPS') !== null,
  );
}

function judgeChave(
  context: Contexto,
  parts: PartesDaNfse,
  protocolo: Protocolo | null,
): { ok: true; chave: Chave; avisos: string[] } | Recusa {
  const { tree, root, infNFSe } = parts;
  const id = idOf(infNFSe)?.replace(/^NFS/i, '') ?? textAt(tree, infNFSe, 'chNFSe');
  const key = judgeChave50(context, id, { element: infNFSe, nome: 'infNFSe/@Id' });
  if (!key.ok) return key;
  // The key of a real note is right; of a copy that neither the answer nor the signature of the system backs, not.
  const isBacked = protocolo !== null || child(root, 'Signature') !== null;
  if (!isBacked && !hasValidCheckDigit(key.chave)) {
    context.chave = key.chave;
    return refuseAt(
      context,
      'chave_com_dv_invalido',
      `O dígito verificador da chave ${key.chave} não confere, e a NFS-e não traz assinatura nem cStat que a confirmem. Envie o XML como o sistema nacional o gerou.`,
      { element: infNFSe },
    );
  }
  return { ...key, avisos: checkDigitWarning(key.chave) };
}

function judgeParties(context: Contexto, parts: PartesDaNfse): Recusa | Documento['participantes'] {
  const parties = readParticipantes(parts);
  if (parties.some((p) => p.papel === PAPEL.prestador || p.papel === PAPEL.tomador)) return parties;
  return refuseAt(
    context,
    'emitente_ausente',
    'A NFS-e não traz o CNPJ ou CPF do prestador (DPS/infDPS/prest, ou emit). Envie o XML completo, como o sistema nacional o gerou.',
    { element: parts.infNFSe, missing: 'DPS/infDPS/prest' },
  );
}

function judgeDate(context: Contexto, parts: PartesDaNfse): { ok: true; data: string } | Recusa {
  const { tree, infNFSe, infDPS } = parts;
  const cUF = (textAt(tree, infDPS, 'cLocEmi') ?? textAt(tree, infNFSe, 'emit', 'enderNac', 'cMun'))?.slice(
    0,
    2,
  );
  const rows = [
    [infDPS, 'dhEmi'],
    [infNFSe, 'dhProc'],
  ] as const;
  let invalid: string | null = null;
  for (const [element, name] of rows) {
    const text = textAt(tree, element, name);
    if (text === null) continue;
    // Cities that write this layout keep to their own forms of a date at times.
    const data =
      readDateTime(text, cUF ?? null) ?? readMunicipalDate({ texto: text, municipio: cUF ?? null });
    if (data !== null) return { ok: true, data };
    invalid ??= `${name} "${text.slice(0, 40)}"`;
  }
  return invalid
    ? refuseAt(
        context,
        'data_emissao_invalida',
        `A data ${invalid} não é válida; o formato é AAAA-MM-DDThh:mm:ss-03:00. Baixe o XML de novo, ou peça-o a quem o emitiu.`,
        { element: infDPS ?? infNFSe, missing: 'dhEmi' },
      )
    : refuseAt(
        context,
        'data_emissao_ausente',
        'Falta a data dhEmi (ou dhProc). Envie o XML completo, como o sistema nacional o gerou.',
        { element: infDPS ?? infNFSe, missing: 'dhEmi' },
      );
}

const SEM_DPS =
  'A NFS-e veio sem a DPS, que diz o ambiente, o tomador e o serviço: foi lida como de produção, emitida pelo prestador.';

/** The DPS says the environment; some systems give the note out without it. */
function judgeAmbiente(
  context: Contexto,
  { tree, infDPS, infNFSe }: PartesDaNfse,
): { ok: true; ambiente: Ambiente; avisos: string[] } | Recusa {
  if (infDPS === null && textAt(tree, infNFSe, 'tpAmb') === null)
    return { ok: true, ambiente: 1, avisos: [SEM_DPS] };
  const environment = readAmbiente(context, [infDPS, infNFSe]);
  return environment.ok ? { ...environment, avisos: [] } : environment;
}

function numberOf({ tree, infNFSe }: PartesDaNfse, chave: Chave): string {
  const text = textAt(tree, infNFSe, 'nNFSe');
  return withoutLeadingZeros(text !== null && /^\d{1,13}$/.test(text) ? text : chave.slice(23, 36));
}

function seriesOf({ tree, infDPS }: PartesDaNfse): string {
  const text = textAt(tree, infDPS, 'serie');
  return text !== null && /^[0-9A-Za-z]{1,5}$/.test(text) ? withoutLeadingZeros(text) : '';
}

interface Julgado {
  chave: Chave;
  ambiente: Ambiente;
  data: string;
  participantes: Documento['participantes'];
  protocolo: Protocolo | null;
  digest: string;
  avisos: string[];
}

function buildDocumento(parts: PartesDaNfse, judged: Julgado): Documento {
  const { tree, infNFSe } = parts;
  const { chave, data, avisos, ...rest } = judged;
  const { valor, avisos: doValor } = readValor(parts);
  const replaces = substituida(parts);
  const cStat = judged.protocolo?.cStat ?? null;
  const duvidas = avisosDasPartes(parts);
  return {
    ...rest,
    ...(duvidas.length > 0 ? { ressalva: { codigo: 'lido_com_duvida', mensagem: duvidas.join(' ') } } : {}),
    classe: 'documento',
    especie: ESPECIE.nfse,
    chave,
    modelo: 'NFSe',
    layout: readLayout(parts),
    serie: seriesOf(parts),
    numero: numberOf(parts, chave),
    dataEmissao: data,
    tpNF: null,
    natureza: textAt(tree, infNFSe, 'xTribNac'),
    valor,
    finalidade: readFinalidade(parts),
    itens: [{ numero: 1, cfop: null, ncm: null, valor }],
    statusProtocolo: 'Autorizada',
    layoutNacional: true,
    municipioPrestacao: readMunicipioPrestacao(parts),
    avisos: [
      ...avisos,
      ...duvidas,
      ...doValor,
      ...(replaces ? [`Esta NFS-e substitui a de chave ${replaces}.`] : []),
      ...(cStat !== null && !GERADA.includes(cStat)
        ? [`A situação da NFS-e (cStat ${cStat.slice(0, 10)}) não é conhecida; foi lida como gerada.`]
        : []),
      ...(cStat === null ? ['A NFS-e veio sem a situação (cStat); foi lida como gerada.'] : []),
    ],
  };
}

/**
 * Reads a national NFS-e, layout 1.00 or 1.01.
 *
 * @param input.root the `NFSe`, root of its own tree
 * @param input.digest identity of the signed content
 * @fonte XSD NFSe 1.01; XSD TSIdNFSe 1.01
 */
export function parseNfseNacional(input: {
  tree: XmlTree;
  root: XmlElement;
  digest: (signed: XmlElement) => string;
}): Leitura<Documento> {
  const { tree, root } = input;
  const context: Contexto = { tree, especie: ESPECIE.nfse, chave: null };
  const infs = childrenLike(root, 'infNFSe');
  const [infNFSe = root] = infs;
  const repeated =
    refuseRepeated(context, infs) ??
    refuseRepeated(context, [...childrenNamed(infNFSe, 'DPS'), ...childrenNamed(root, 'DPS')]);
  if (repeated) return repeated;
  const parts = takeApart(tree, root, infNFSe);
  const protocolo = readProtocolo(tree, infNFSe, { recebimento: 'dhProc' });
  const key = judgeChave(context, parts, protocolo);
  if (!key.ok) return key;
  context.chave = key.chave;
  const parties = judgeParties(context, parts);
  if ('ok' in parties) return parties;
  const environment = judgeAmbiente(context, parts);
  if (!environment.ok) return environment;
  const date = judgeDate(context, parts);
  if (!date.ok) return date;
  const registro = buildDocumento(parts, {
    chave: key.chave,
    ambiente: environment.ambiente,
    data: date.data,
    participantes: parties,
    protocolo,
    digest: input.digest(infNFSe),
    avisos: [...namespaceWarning(infNFSe), ...key.avisos, ...environment.avisos],
  });
  return { ok: true, registro, assinado: infNFSe };
}
