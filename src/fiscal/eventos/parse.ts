import { partyId } from '../cpf-cnpj.ts';
import {
  allNamed,
  type Contexto,
  judgeNamespace,
  type Leitura,
  readAmbiente,
  readChaveField,
  readDateField,
  readProtocolo,
  refuseAt,
  refuseRepeated,
  sefazWords,
} from '../leitura.ts';
import type { Recusa } from '../rejeicoes.ts';
import { type Chave, type CpfCnpj, ESPECIE, type Evento, type Protocolo } from '../tipos.ts';
import { attribute, child, textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { EVENTOS_NFE, type TipoDeEvento } from './tabela.ts';

/** 135 registered and linked, 136 registered but not linked, 155 cancelled out of time. @fonte domain 4.1 */
const REGISTERED: readonly string[] = ['135', '136', '155'];

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

/** Whether an answer speaks of this very event; what it leaves out is not held against it. */
function answers(tree: XmlTree, request: XmlElement, answer: XmlElement): boolean {
  const same = (name: string, read: (text: string | null) => string | number | null): boolean => {
    const said = read(textAt(tree, answer, name));
    return said === null || said === read(textAt(tree, request, name));
  };
  return (
    same('chNFe', (text) => text?.toUpperCase() ?? null) &&
    same('tpEvento', (text) => text) &&
    same('nSeqEvento', sequenceOf)
  );
}

/** The answer to the event: the one that speaks of it, where a lot's answers stand in the wrapper. */
function findAnswer(
  context: Contexto,
  root: XmlElement,
  request: XmlElement,
): { ok: true; answer: XmlElement; protocolo: Protocolo } | Recusa {
  const { tree } = context;
  const all = allNamed(root, 'retEvento').flatMap((ret) => child(ret, 'infEvento') ?? []);
  const answer = all.find((candidate) => answers(tree, request, candidate));
  const protocolo = answer ? readProtocolo(tree, answer, { recebimento: 'dhRegEvento' }) : null;
  if (answer && protocolo) return { ok: true, answer, protocolo };
  const [other] = all;
  if (other && !answer) {
    return refuseAt(
      context,
      'protocolo_de_outra_chave',
      'O retEvento é a resposta de outro evento (chNFe, tpEvento ou nSeqEvento diferem). Envie o evento com a sua própria resposta.',
      { element: other },
    );
  }
  return refuseAt(
    context,
    'evento_sem_registro',
    'O evento é só o pedido: falta o retEvento com o cStat da SEFAZ. Envie o procEventoNFe completo.',
    { element: answer ?? root, missing: answer ? 'cStat' : 'retEvento' },
  );
}

function readModelo(
  context: Contexto,
  chave: Chave,
  element: XmlElement,
): { ok: true; modelo: '55' | '65' } | Recusa {
  const modelo = chave.slice(20, 22);
  if (modelo === '55' || modelo === '65') return { ok: true, modelo };
  return refuseAt(
    context,
    'modelo_nao_suportado',
    `O evento é de um documento do modelo ${modelo}; só são aceitos eventos de NF-e (55) e NFC-e (65).`,
    { element, missing: 'chNFe' },
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

/** Which event is undone: named by the code's own row, or by the event (110001). @fonte XSD e110001, e110131 */
function readDesfaz(tree: XmlTree, tipo: TipoDeEvento, detEvento: XmlElement | null): Evento['desfaz'] {
  if (tipo.efeito !== 'cancela_evento') return null;
  const codigo = tipo.desfaz ?? textAt(tree, detEvento, 'tpEventoAut');
  return codigo ? { codigo, sequencia: null, nProt: textAt(tree, detEvento, 'nProtEvento') } : null;
}

/** An unknown code is told by the words that came with it. */
function unknownType(
  tree: XmlTree,
  codigo: string,
  places: { answer: XmlElement; detEvento: XmlElement | null },
): TipoDeEvento {
  const words = textAt(tree, places.detEvento, 'descEvento') ?? textAt(tree, places.answer, 'xEvento');
  return { descricao: words?.slice(0, 120) ?? `Evento ${codigo}`, efeito: 'nenhum' };
}

/**
 * Reads a registered event of an NF-e or NFC-e (`procEventoNFe`: evento and retEvento).
 *
 * @param input.root the `procEventoNFe`, root of its own tree
 * @param input.digest identity of the signed content
 * @fonte domain 4.1, 4.2
 */
export function parseEvento(input: {
  tree: XmlTree;
  root: XmlElement;
  digest: (signed: XmlElement) => string;
}): Leitura<Evento> {
  const { tree, root } = input;
  const context: Contexto = { tree, especie: ESPECIE.evento, chave: null };
  const requests = root.children.filter((c) => c.localName.toLowerCase() === 'evento');
  const repeated =
    refuseRepeated(context, requests) ??
    refuseRepeated(
      context,
      requests.flatMap((evento) => allNamed(evento, 'infEvento')),
    );
  if (repeated) return repeated;
  const request = child(requests[0], 'infEvento');
  if (!request) {
    return refuseAt(context, 'evento_sem_registro', 'O procEventoNFe não traz o evento. Envie-o completo.', {
      element: root,
      missing: 'evento/infEvento',
    });
  }
  const namespace = judgeNamespace(context, request);
  if (!namespace.ok) return namespace;
  const key = readChaveField(context, request, 'chNFe');
  if (!key.ok) return key;
  context.chave = key.chave;
  const model = readModelo(context, key.chave, request);
  if (!model.ok) return model;
  const code = readCodigo(context, request);
  if (!code.ok) return code;
  const found = findAnswer(context, root, request);
  if (!found.ok) return found;
  const { answer, protocolo } = found;
  if (!REGISTERED.includes(protocolo.cStat)) {
    return refuseAt(
      context,
      'evento_rejeitado_pela_sefaz',
      `Evento rejeitado pela SEFAZ ${sefazWords(protocolo)}. Ele não tem efeito: envie o que for registrado.`,
      { element: answer, missing: 'cStat' },
    );
  }
  const environment = readAmbiente(context, [request, answer]);
  if (!environment.ok) return environment;
  const date = readDateField(context, request, { names: ['dhEvento'], cUF: key.chave.slice(0, 2) });
  if (!date.ok) return date;

  const detEvento = child(request, 'detEvento');
  const tipo = EVENTOS_NFE[code.codigo] ?? unknownType(tree, code.codigo, { answer, detEvento });
  const sequence =
    sequenceOf(textAt(tree, request, 'nSeqEvento')) ?? sequenceOf(textAt(tree, answer, 'nSeqEvento'));
  return {
    ok: true,
    assinado: request,
    registro: {
      classe: 'evento',
      especie: ESPECIE.evento,
      chave: key.chave,
      modelo: model.modelo,
      ambiente: environment.ambiente,
      layout: attribute(requests[0], 'versao') ?? attribute(root, 'versao'),
      codigo: code.codigo,
      descricao: tipo.descricao,
      sequencia: sequence ?? 1,
      efeito: tipo.efeito,
      autor: partyOf(tree, request, 'CNPJ', 'CPF'),
      destinatario: partyOf(tree, answer, 'CNPJDest', 'CPFDest'),
      dataEmissao: date.data,
      protocolo,
      desfaz: readDesfaz(tree, tipo, detEvento),
      digest: input.digest(request),
      avisos: [
        ...namespace.avisos,
        ...(sequence === null ? ['O evento veio sem nSeqEvento; foi lido como o primeiro.'] : []),
      ],
    },
  };
}
