import { nomeDoEventoComum } from '../comuns/reconhecer.ts';
import { partyId } from '../cpf-cnpj.ts';
import { N_PROT } from '../dfe/partes.ts';
import { isNamed } from '../dfe/reconhecer.ts';
import {
  allNamed,
  type Contexto,
  comAmbiente,
  idOf,
  judgeNamespace,
  type LeitorDe,
  readAmbiente,
  readChaveField,
  readDateField,
  readProtocolo,
  refuseAt,
  refuseRepeated,
  sefazWords,
} from '../leitura.ts';
import type { Recusa } from '../rejeicoes.ts';
import { type Chave, type CpfCnpj, ESPECIE, type Evento, type Modelo, type Protocolo } from '../tipos.ts';
import { attribute, child, childrenNamed, textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { EVENTOS_DA_NFE, EVENTOS_DO_CTE, type FamiliaDeEventos, familiaComum } from './familias.ts';
import { ATOR_INTERESSADO, type TipoDeEvento } from './tabela.ts';

function partyOf(tree: XmlTree, element: XmlElement, ...names: string[]): CpfCnpj | null {
  for (const name of names) {
    const id = partyId(textAt(tree, element, name));
    if (id) return id;
  }
  return null;
}

/** nSeqEvento as a number: "01" and "1" are one event. */
function sequenceOf(text: string | null): number | null {
  return text !== null && /^\d{1,3}$/.test(text) ? Number(text) : null;
}

/** The event's own answer as it is looked for: which family, in which context, where. */
interface Pedido {
  familia: FamiliaDeEventos;
  /** The kept element. */
  root: XmlElement;
  /** `infEvento` of the event. */
  request: XmlElement;
}

/** Whether an answer speaks of this very event; what it leaves out is not held against it. */
function answers(tree: XmlTree, { familia, request }: Pedido, answer: XmlElement): boolean {
  const same = (name: string, read: (text: string | null) => string | number | null): boolean => {
    const said = read(textAt(tree, answer, name));
    return said === null || said === read(textAt(tree, request, name));
  };
  return (
    same(familia.chave, (text) => text?.toUpperCase() ?? null) &&
    same('tpEvento', (text) => text) &&
    same('nSeqEvento', sequenceOf)
  );
}

/** Groups of answers in the wrapper; some systems left out the retEvento around them. */
function answersIn({ familia, root, request }: Pedido): XmlElement[] {
  const bare = childrenNamed(root, 'infEvento').filter((info) => info !== request);
  return [...allNamed(root, familia.resposta).flatMap((ret) => child(ret, 'infEvento') ?? []), ...bare];
}

/** The answer to the event: the one that speaks of it, where a lot's answers stand in the wrapper. */
function findAnswer(
  context: Contexto,
  pedido: Pedido,
): { ok: true; answer: XmlElement; protocolo: Protocolo } | Recusa {
  const { tree } = context;
  const { familia, root } = pedido;
  const all = answersIn(pedido);
  const answer = all.find((candidate) => answers(tree, pedido, candidate));
  const read = answer ? readProtocolo(tree, answer, { recebimento: 'dhRegEvento' }) : null;
  const protocolo = answer ? comAmbiente(tree, read, { asked: pedido.request, answer }) : null;
  if (answer && protocolo) return { ok: true, answer, protocolo };
  const [other] = all;
  const baixado = other ? null : readBaixado(tree, root);
  if (baixado) return { ok: true, answer: root, protocolo: baixado };
  if (other && !answer) {
    return refuseAt(
      context,
      'protocolo_de_outra_chave',
      `O ${familia.resposta} é a resposta de outro evento (${familia.chave}, tpEvento ou nSeqEvento diferem). Envie o evento com a sua própria resposta.`,
      { element: other },
    );
  }
  return refuseAt(
    context,
    'evento_sem_registro',
    `O evento é só o pedido: falta o ${familia.resposta} com o cStat da SEFAZ. Envie o ${familia.processado} completo.`,
    { element: answer ?? root, missing: answer ? 'cStat' : familia.resposta },
  );
}

/** SEFAZ-SP's download of NFC-e has number and time of the registration in the wrapper, and no answer. */
function readBaixado(tree: XmlTree, root: XmlElement): Protocolo | null {
  const nProt = textAt(tree, root, 'nProt');
  if (nProt === null || !N_PROT.test(nProt)) return null;
  return { cStat: REGISTRADO, xMotivo: null, nProt, dhRecbto: textAt(tree, root, 'dhInc'), digVal: null };
}
/** @fonte MOC 7.0, resultado do processamento do evento */
const REGISTRADO = '135';

function readModelo(
  context: Contexto,
  chave: Chave,
  { familia, request }: Pedido,
): { ok: true; modelo: Modelo } | Recusa {
  const inKey = chave.slice(20, 22);
  const modelo = familia.modelos.find((known) => known === inKey);
  if (modelo) return { ok: true, modelo };
  return refuseAt(
    context,
    'modelo_nao_suportado',
    `O evento é de um documento do modelo ${inKey}; neste formato só são aceitos eventos de ${familia.quais}.`,
    { element: request, missing: familia.chave },
  );
}

function readCodigo(context: Contexto, request: XmlElement): { ok: true; codigo: string } | Recusa {
  const codigo = textAt(context.tree, request, 'tpEvento') ?? '';
  if (/^\d{6}$/.test(codigo)) return { ok: true, codigo };
  return refuseAt(
    context,
    'tipo_evento_invalido',
    `O código do evento (tpEvento) "${codigo.slice(0, 20)}" não tem seis dígitos. Envie o XML como a SEFAZ o registrou.`,
    { element: request, missing: 'tpEvento' },
  );
}

/** A field of the event's own content: NF-e has it in detEvento, CT-e in the one element that stands in there. */
function detailText(tree: XmlTree, detEvento: XmlElement | null, name: string): string | null {
  return textAt(tree, detEvento, name) ?? textAt(tree, detEvento?.children[0], name);
}

/** Which event is undone: named by the code's own row, or by the event (110001). @fonte XSD e110001, e110131, evCanc* */
function readDesfaz(tree: XmlTree, tipo: TipoDeEvento, detEvento: XmlElement | null): Evento['desfaz'] {
  if (tipo.efeito !== 'cancela_evento') return null;
  const codigo = tipo.desfaz ?? detailText(tree, detEvento, 'tpEventoAut');
  if (!codigo) return null;
  return {
    codigo,
    sequencia: null,
    nProt: detailText(tree, detEvento, tipo.protocoloDesfeito ?? 'nProtEvento'),
  };
}

/** An unknown code is told by the words that came with it. */
function unknownType(
  tree: XmlTree,
  codigo: string,
  places: { answer: XmlElement; detEvento: XmlElement | null },
): TipoDeEvento {
  const words = detailText(tree, places.detEvento, 'descEvento') ?? textAt(tree, places.answer, 'xEvento');
  return { descricao: words ?? `Evento ${codigo}`, efeito: 'nenhum' };
}

/** The event of the wrapper, or a refusal where there is none or more than one. */
function findRequest(
  context: Contexto,
  root: XmlElement,
  familia: FamiliaDeEventos,
): { ok: true; evento: XmlElement; request: XmlElement } | Recusa {
  const eventos = root.children.filter((c) => isNamed(c, familia.evento));
  const repeated =
    refuseRepeated(context, eventos) ??
    refuseRepeated(
      context,
      eventos.flatMap((evento) => allNamed(evento, 'infEvento')),
    );
  if (repeated) return repeated;
  const [evento] = eventos;
  const request = child(evento, 'infEvento');
  if (evento && request) return { ok: true, evento, request };
  return refuseAt(
    context,
    'evento_sem_registro',
    `O ${familia.processado} não traz o evento. Envie-o completo.`,
    { element: root, missing: `${familia.evento}/infEvento` },
  );
}

function judgeAnswer(
  context: Contexto,
  pedido: Pedido,
): { ok: true; answer: XmlElement; protocolo: Protocolo } | Recusa {
  const found = findAnswer(context, pedido);
  if (!found.ok || pedido.familia.registrados.includes(found.protocolo.cStat)) return found;
  return refuseAt(
    context,
    'evento_rejeitado_pela_sefaz',
    `Evento rejeitado pela SEFAZ ${sefazWords(found.protocolo)}. Ele não tem efeito: envie o que for registrado.`,
    { element: found.answer, missing: 'cStat' },
  );
}

/** nSeqEvento of the event, of its answer, or the end of its Id (two digits, in CT-e 4.00 three). */
function readSequencia(tree: XmlTree, request: XmlElement, answer: XmlElement): number | null {
  return (
    sequenceOf(textAt(tree, request, 'nSeqEvento')) ??
    sequenceOf(textAt(tree, answer, 'nSeqEvento')) ??
    sequenceOf(/^ID\d{6}[0-9A-Z]{44}(\d{2,3})$/i.exec(idOf(request) ?? '')?.[1] ?? null)
  );
}

/** Whether the Id that was signed has the key of another document in it. @fonte MOC 7.0, leiaute do evento, campo Id */
function namesAnother(request: XmlElement, chave: Chave): boolean {
  const inId = /^ID\d{6}([0-9A-Z]{44})\d{2,3}$/i.exec(idOf(request) ?? '')?.[1];
  return inId !== undefined && inId.toUpperCase() !== chave;
}

/** Numbers of the items that an event is about (`gImobilizacao/@nItem`, `gConsumo/@nItem`), each once. @fonte XSD e211120, e211130 */
function readItensDeclarados(detEvento: XmlElement | null): number[] {
  const numeros = new Set<number>();
  for (const group of detEvento?.children ?? []) {
    const nItem = attribute(group, 'nItem')?.trim() ?? '';
    if (/^[1-9]\d{0,2}$/.test(nItem)) numeros.add(Number(nItem));
  }
  return [...numeros];
}

/** More than any event is known to name. */
const AUTORIZADOS_MAX = 10;

/** Whom an issuer, recipient or carrier lets have the note. @fonte NT 2020.007, evento 110150, grupo autXML */
function readAutorizados(tree: XmlTree, codigo: string, detEvento: XmlElement | null): CpfCnpj[] {
  if (codigo !== ATOR_INTERESSADO || !detEvento) return [];
  const named = childrenNamed(detEvento, 'autXML').flatMap((one) => partyOf(tree, one, 'CNPJ', 'CPF') ?? []);
  return [...new Set(named)].slice(0, AUTORIZADOS_MAX);
}

/** What is read of an event once it is known to be registered. */
function buildEvento(
  {
    tree,
    familia,
    evento,
    request,
    answer,
  }: Pedido & { tree: XmlTree; evento: XmlElement; answer: XmlElement },
  judged: Pick<
    Evento,
    'chave' | 'modelo' | 'ambiente' | 'codigo' | 'dataEmissao' | 'protocolo' | 'layout' | 'digest' | 'avisos'
  >,
): Evento {
  const { codigo } = judged;
  const detEvento = child(request, 'detEvento');
  const tipo = familia.tipos[codigo] ?? unknownType(tree, codigo, { answer, detEvento });
  const sequencia = readSequencia(tree, request, answer);
  const autorizados = readAutorizados(tree, codigo, detEvento);
  return {
    ...judged,
    classe: 'evento',
    especie: ESPECIE.evento,
    layout: attribute(evento, 'versao') ?? judged.layout,
    descricao: tipo.descricao,
    sequencia: sequencia ?? 1,
    efeito: tipo.efeito,
    autor: partyOf(tree, request, 'CNPJ', 'CPF'),
    destinatario: partyOf(tree, answer, 'CNPJDest', 'CPFDest'),
    desfaz: readDesfaz(tree, tipo, detEvento),
    ...(autorizados.length > 0 ? { autorizados } : {}),
    ...(namesAnother(request, judged.chave) ? { idDeOutraChave: true } : {}),
    ...(tipo.efeito === 'cancela' ? { protocoloDaNota: detailText(tree, detEvento, 'nProt') } : {}),
    ...(tipo.finalidade ? { itensDeclarados: readItensDeclarados(detEvento) } : {}),
    avisos: [
      ...judged.avisos,
      ...(sequencia === null ? ['O evento veio sem nSeqEvento; foi lido como o primeiro.'] : []),
    ],
  };
}

function eventReader(familia: FamiliaDeEventos): LeitorDe<Evento> {
  return ({ tree, root, digest }) => {
    const context: Contexto = { tree, especie: ESPECIE.evento, chave: null };
    const found = findRequest(context, root, familia);
    if (!found.ok) return found;
    const { evento, request } = found;
    const pedido: Pedido = { familia, root, request };
    const namespace = judgeNamespace(context, request, familia);
    if (!namespace.ok) return namespace;
    const key = readChaveField(context, request, familia.chave);
    if (!key.ok) return key;
    const { chave } = key;
    context.chave = chave;
    const model = readModelo(context, chave, pedido);
    if (!model.ok) return model;
    const code = readCodigo(context, request);
    if (!code.ok) return code;
    const judged = judgeAnswer(context, pedido);
    if (!judged.ok) return judged;
    const { answer, protocolo } = judged;
    const environment = readAmbiente(context, [request, answer]);
    if (!environment.ok) return environment;
    const date = readDateField(context, request, { names: ['dhEvento'], cUF: chave.slice(0, 2) });
    if (!date.ok) return date;
    const registro = buildEvento(
      { ...pedido, tree, evento, answer },
      {
        chave,
        modelo: model.modelo,
        ambiente: environment.ambiente,
        layout: attribute(root, 'versao'),
        codigo: code.codigo,
        dataEmissao: date.data,
        protocolo,
        digest: digest(request),
        avisos: namespace.avisos,
      },
    );
    return { ok: true, assinado: request, registro };
  };
}

/**
 * Reads a registered event of an NF-e or NFC-e (`procEventoNFe`: evento and retEvento).
 *
 * @param input.root the `procEventoNFe`, root of its own tree
 * @param input.digest identity of the signed content
 * @fonte XSD leiauteEvento_v1.00
 */
export const parseEvento = eventReader(EVENTOS_DA_NFE);

/**
 * Reads a registered event of a CT-e, CT-e OS or GTV-e (`procEventoCTe`: eventoCTe and retEventoCTe).
 *
 * @fonte XSD leiauteEvento_v1.00; XSD eventoCTeTiposBasico_v4.00
 */
export const parseEventoCte = eventReader(EVENTOS_DO_CTE);

/**
 * Reads a registered event of a kind of document of which the common parts are read (`procEventoNFCom` …). Its namespace is not
 * judged: not all of them have a public schema.
 */
export const parseEventoComum: LeitorDe<Evento> = (input) => {
  const { root } = input;
  const familia = familiaComum(nomeDoEventoComum(root));
  return familia ? eventReader({ ...familia, namespace: root.namespace })(input) : parseEvento(input);
};
