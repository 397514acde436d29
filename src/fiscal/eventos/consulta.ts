/**
 * The answer to a query that says in its head that the document is cancelled (`cStat` 101, 151, 155 of `retConsSitNFe` and
 * `retConsSitCTe`) and holds no cancellation: the layout allows that. It is told as the bare answer that it is.
 */
import { splitChave } from '../chave.ts';
import { isNamed, isNamedOneOf } from '../dfe/reconhecer.ts';
import {
  type Contexto,
  judgeNamespace,
  type Leitura,
  readAmbiente,
  readChaveField,
  readDateField,
  readProtocolo,
  refuseAt,
} from '../leitura.ts';
import { ESPECIE, type Evento } from '../tipos.ts';
import { attribute, child, textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { EVENTOS_DA_NFE, EVENTOS_DO_CTE, type FamiliaDeEventos } from './familias.ts';

const CONSULTAS = ['retConsSitNFe', 'retConsSitCTe'] as const;
/** @fonte MOC 7.0, table of cStat */
const CANCELADA: readonly string[] = ['101', '151', '155'];
const CANCELAMENTO = '110111';

function isInside({ parent }: XmlElement): boolean {
  for (let around = parent; around; around = around.parent) if (isConsulta(around)) return true;
  return false;
}

function familyOf(consulta: XmlElement): FamiliaDeEventos {
  return isNamed(consulta, 'retConsSitCTe') ? EVENTOS_DO_CTE : EVENTOS_DA_NFE;
}

/** Whether one of its children says the same, and more: who asked for it, and when. */
function holdsCancellation(tree: XmlTree, consulta: XmlElement): boolean {
  const { tipos, processado } = familyOf(consulta);
  return consulta.children.some((inner) => {
    if (isNamedOneOf(inner, ['retCancNFe', 'retCancCTe', 'procCancNFe', 'procCancCTe'])) return true;
    if (!isNamed(inner, processado)) return false;
    return inner.namedWithin('tpEvento').some((code) => tipos[tree.text(code).trim()]?.efeito === 'cancela');
  });
}

/** The answer to a query, whatever it says. */
export function isConsulta(element: XmlElement): boolean {
  return isNamedOneOf(element, CONSULTAS);
}

/**
 * Whether an element is such an answer. What else it holds, protocol and events, is read by itself. One inside another is
 * none: each would be kept with all that stand in it.
 */
export function isConsultaCancelada(tree: XmlTree, element: XmlElement): boolean {
  if (!isConsulta(element) || isInside(element)) return false;
  if (!CANCELADA.includes(textAt(tree, element, 'cStat') ?? '')) return false;
  return !holdsCancellation(tree, element);
}

/** The protocol of the authorisation, which stands in the answer: it has the key where the head has none (CT-e). */
function protocolIn(consulta: XmlElement): XmlElement | null {
  const wrapper = consulta.children.find((inner) => isNamedOneOf(inner, ['protNFe', 'protCTe'])) ?? null;
  return child(wrapper, 'infProt');
}

const SEM_EVENTO =
  'A resposta da consulta diz que o documento foi cancelado, mas não traz o evento: a data do cancelamento não está nela.';

/**
 * Reads such an answer as the cancellation that it tells of: the event 110111, the first of its key, of which only the answer
 * is here. Its date is that of the answer, or where that has none, of the authorisation.
 *
 * @param input.root the `retConsSitNFe` or `retConsSitCTe`, root of its own tree
 * @fonte docs/regras.md, status
 */
export function parseConsultaCancelada(input: {
  tree: XmlTree;
  root: XmlElement;
  digest: (signed: XmlElement) => string;
}): Leitura<Evento> {
  const { tree, root } = input;
  const context: Contexto = { tree, especie: ESPECIE.evento, chave: null };
  const familia = familyOf(root);
  const namespace = judgeNamespace(context, root, familia);
  if (!namespace.ok) return namespace;
  const infProt = protocolIn(root);
  const headed = textAt(tree, root, familia.chave) !== null || infProt === null;
  const key = readChaveField(context, headed ? root : infProt, familia.chave);
  if (!key.ok) return key;
  const { chave } = key;
  context.chave = chave;
  const modelo = familia.modelos.find((known) => known === chave.slice(20, 22));
  if (!modelo) {
    return refuseAt(
      context,
      'modelo_nao_suportado',
      `A consulta é de um documento do modelo ${chave.slice(20, 22)}; esta resposta é só de ${familia.quais}.`,
      { element: root, missing: familia.chave },
    );
  }
  const environment = readAmbiente(context, [root, infProt]);
  if (!environment.ok) return environment;
  const dated = textAt(tree, root, 'dhRecbto') !== null || infProt === null ? root : infProt;
  const date = readDateField(context, dated, { names: ['dhRecbto'], cUF: chave.slice(0, 2) });
  if (!date.ok) return date;
  const answer = readProtocolo(tree, root, { recebimento: 'dhRecbto' });
  return {
    ok: true,
    assinado: root,
    registro: {
      classe: 'evento',
      especie: ESPECIE.evento,
      chave,
      modelo,
      ambiente: environment.ambiente,
      layout: attribute(root, 'versao'),
      codigo: CANCELAMENTO,
      descricao: familia.tipos[CANCELAMENTO]?.descricao ?? 'Cancelamento',
      sequencia: 1,
      efeito: 'cancela',
      autor: splitChave(chave).emitente,
      destinatario: null,
      dataEmissao: date.data,
      protocolo: {
        cStat: answer?.cStat ?? '',
        xMotivo: answer?.xMotivo ?? null,
        nProt: null,
        dhRecbto: answer?.dhRecbto ?? null,
        digVal: null,
      },
      desfaz: null,
      soResposta: true,
      protocoloDaNota: infProt && textAt(tree, infProt, 'nProt'),
      digest: input.digest(root),
      avisos: [...namespace.avisos, SEM_EVENTO],
    },
  };
}
