import { parseChave44 } from './chave.ts';
import { readDateTime } from './data-hora.ts';
import { type CodigoRejeicao, type Recusa, rejectAt } from './rejeicoes.ts';
import type { Ambiente, Chave, Especie, Protocolo, Registro } from './tipos.ts';
import { attribute, textAt, walk, type XmlElement, type XmlTree } from './xml/tree.ts';

/** What a reader of one kind gives: the registro and the element that its signature covers, or a refusal. */
export type Leitura<R extends Registro> = { ok: true; registro: R; assinado: XmlElement } | Recusa;

/** Reads one document of a kind, the root of its own tree; `digest` is asked once the document is known to be readable. */
export type LeitorDe<R extends Registro> = (input: {
  tree: XmlTree;
  root: XmlElement;
  digest: (signed: XmlElement) => string;
}) => Leitura<R>;

export const NAMESPACE_NFE = 'http://www.portalfiscal.inf.br/nfe';
export const NAMESPACE_CTE = 'http://www.portalfiscal.inf.br/cte';

/** The place a reader stands at, from which it refuses. */
export interface Contexto {
  tree: XmlTree;
  especie: Especie;
  /** Known as soon as it is read, so that every later refusal names it. */
  chave: Chave | null;
}

/** Refuses at an element; `missing` is the path below it that is not there. */
export function refuseAt(
  context: Contexto,
  codigo: CodigoRejeicao,
  mensagem: string,
  place: { element: XmlElement; missing?: string },
): Recusa {
  return {
    ok: false,
    especie: context.especie,
    chave: context.chave,
    rejeicao: rejectAt(codigo, mensagem, { tree: context.tree, ...place }),
  };
}

/** Attribute `Id`, which some systems write `ID` or `id`. */
export function idOf(element: XmlElement | null): string | null {
  const value = attribute(element, 'Id') ?? attribute(element, 'ID') ?? attribute(element, 'id');
  const trimmed = value?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

/** Every element below and including `root` with this local name. */
export function allNamed(root: XmlElement, localName: string): XmlElement[] {
  return root.namedWithin(localName);
}

/** First element below `root`, in document order, whose local name fits in any case. */
export function findLike(root: XmlElement, localName: string): XmlElement | null {
  const wanted = localName.toLowerCase();
  for (const element of walk(root)) if (element.localName.toLowerCase() === wanted) return element;
  return null;
}

/** The namespace of a family, and what people call the family. */
export interface NamespaceDaFamilia {
  namespace: string;
  sigla: string;
}

const NFE: NamespaceDaFamilia = { namespace: NAMESPACE_NFE, sigla: 'NF-e' };

/**
 * Judges the namespace of the signed group: the one of its family, or none, which some vendors strip (then the
 * signature cannot hold, and a note says why).
 */
export function judgeNamespace(
  context: Contexto,
  element: XmlElement,
  { namespace, sigla }: NamespaceDaFamilia = NFE,
): { ok: true; avisos: string[] } | Recusa {
  if (element.namespace === namespace) return { ok: true, avisos: [] };
  if (element.namespace === '') {
    return { ok: true, avisos: [`O documento veio sem o namespace ${namespace}.`] };
  }
  return refuseAt(
    context,
    'namespace_invalido',
    `O elemento ${element.localName} está no namespace ${element.namespace.slice(0, 120)}; o de ${sigla} é ${namespace}. Envie o XML como a SEFAZ o autorizou.`,
    { element },
  );
}

/** Refuses a second element where only one may stand: which of them counts could be read in two ways. */
export function refuseRepeated(context: Contexto, found: readonly XmlElement[]): Recusa | null {
  const [, second] = found;
  if (!second) return null;
  return refuseAt(
    context,
    'elemento_repetido',
    `O elemento ${second.localName} aparece ${found.length} vezes e só pode aparecer uma. Envie cada documento em seu próprio XML.`,
    { element: second },
  );
}

/** Reads a date field, or refuses with its path. */
export function readDateField(
  context: Contexto,
  parent: XmlElement,
  input: { names: readonly string[]; cUF: string | null },
): { ok: true; data: string } | Recusa {
  const [preferred = ''] = input.names;
  for (const name of input.names) {
    const text = textAt(context.tree, parent, name);
    if (text === null) continue;
    const data = readDateTime(text, input.cUF);
    if (data !== null) return { ok: true, data };
    return refuseAt(
      context,
      'data_emissao_invalida',
      `A data ${name} "${text.slice(0, 40)}" não é válida; o formato é AAAA-MM-DDThh:mm:ss-03:00. Baixe o XML de novo, ou peça-o a quem o emitiu.`,
      { element: parent.children.find((c) => c.localName === name) ?? parent },
    );
  }
  return refuseAt(
    context,
    'data_emissao_ausente',
    `Falta a data ${preferred}. Envie o XML completo, como a SEFAZ o autorizou.`,
    { element: parent, missing: preferred },
  );
}

/** tpAmb of the first of the elements that says it. */
export function readAmbiente(
  context: Contexto,
  elements: readonly (XmlElement | null)[],
): { ok: true; ambiente: Ambiente } | Recusa {
  for (const element of elements) {
    const text = element ? textAt(context.tree, element, 'tpAmb') : null;
    if (text === '1') return { ok: true, ambiente: 1 };
    if (text === '2') return { ok: true, ambiente: 2 };
  }
  const place = elements.find((element) => element !== null) ?? context.tree.root;
  return refuseAt(
    context,
    'ambiente_invalido',
    'O elemento tpAmb deve ser 1 (produção) ou 2 (homologação). Baixe o XML de novo, ou peça-o a quem o emitiu.',
    { element: place, missing: 'tpAmb' },
  );
}

/**
 * An answer with what tells it from one that counts: of homologação, to what was written for produção, it authorises, registers
 * and cancels nothing. The other way round, which old programs wrote, what was written for homologação stays there.
 */
export function comAmbiente(
  tree: XmlTree,
  protocolo: Protocolo | null,
  { asked, answer }: { asked: XmlElement | null; answer: XmlElement },
): Protocolo | null {
  const deHomologacao =
    asked !== null && textAt(tree, asked, 'tpAmb') === '1' && textAt(tree, answer, 'tpAmb') === '2';
  return protocolo && deHomologacao ? { ...protocolo, deHomologacao } : protocolo;
}

/** Reads a 44-character key out of an element, or refuses. */
export function readChaveField(
  context: Contexto,
  parent: XmlElement,
  name: string,
): { ok: true; chave: Chave } | Recusa {
  const text = textAt(context.tree, parent, name);
  if (text === null) {
    return refuseAt(context, 'chave_ausente', `Falta a chave de acesso (${name}). Envie o XML completo.`, {
      element: parent,
      missing: name,
    });
  }
  const chave = parseChave44(text);
  return chave
    ? { ok: true, chave }
    : refuseAt(context, 'chave_invalida', invalidChaveText(text), { element: parent, missing: name });
}

/** The message of `chave_invalida`, for people. */
export function invalidChaveText(text: string): string {
  return `A chave de acesso "${text.slice(0, 60)}" não tem 44 posições na forma prevista (letras só no CNPJ). Envie o XML como a SEFAZ o autorizou.`;
}

/** The answer of SEFAZ as it stands in `infProt`, `infEvento` or `infInut`. */
export function readProtocolo(
  tree: XmlTree,
  info: XmlElement,
  names: { recebimento: string },
): Protocolo | null {
  const cStat = textAt(tree, info, 'cStat');
  if (cStat === null) return null;
  return {
    cStat,
    xMotivo: textAt(tree, info, 'xMotivo'),
    nProt: textAt(tree, info, 'nProt'),
    dhRecbto: textAt(tree, info, names.recebimento),
    digVal: textAt(tree, info, 'digVal'),
  };
}

/** `[cStat] xMotivo`, the words that users know from SEFAZ. */
export function sefazWords(protocolo: Protocolo): string {
  const motive = protocolo.xMotivo?.slice(0, 300) ?? 'sem motivo informado';
  return `[${protocolo.cStat.slice(0, 10)}] ${motive}`;
}
