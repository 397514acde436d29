import { parseChave50 } from '../../chave.ts';
import { partyId } from '../../cpf-cnpj.ts';
import { readDateTime } from '../../data-hora.ts';
import type { TipoDeEvento } from '../../eventos/tabela.ts';
import { type Contexto, idOf, type Leitura, readAmbiente, refuseAt, refuseRepeated } from '../../leitura.ts';
import type { Recusa } from '../../rejeicoes.ts';
import { type Chave, ESPECIE, type Evento } from '../../tipos.ts';
import { attribute, child, descend, textAt, type XmlElement, type XmlTree } from '../../xml/tree.ts';
import { childrenLike, isLike, textBelow } from '../nomes.ts';
import { checkDigitWarning, judgeChave50, namespaceWarning } from './chave-nacional.ts';
import { EVENTOS_NFSE } from './tabela.ts';

/** `EVT` + chave(50) + código(6) + sequência(3). @fonte XSD tiposEventos 1.01 */
const ID_EVENTO = /^EVT[0-9A-Z]{50}[0-9]{6}([0-9]{3})$/i;
/** Id of the rejection that is undone; some write it without the sequence, or with its prefix. */
const ID_MANIFESTACAO = /^(?:[A-Z]{3})?[0-9A-Z]{50}([0-9]{6})([0-9]{3})?$/i;
const ELEMENTO_DO_CODIGO = /^e(\d{6})$/;

/** Registered: the cStat that DF-e give to an event; this layout has none, the evento itself is the registration. */
const CSTAT_REGISTRADO = '135';

/** An `evento` that the national system or a city made of a request; other families' have no pedRegEvento. */
export function isEventoNfse(element: XmlElement): boolean {
  return isLike(element, 'evento') && child(child(element, 'infEvento'), 'pedRegEvento') !== null;
}

interface PartesDoEvento {
  tree: XmlTree;
  root: XmlElement;
  infEvento: XmlElement;
  infPedReg: XmlElement;
  chave: Chave;
}

function sequenceOf(text: string | null): number | null {
  const value = text !== null && /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return value > 0 ? value : null;
}

/** The revisions of the layout differ in where the sequence stands: the Id says it in all of them. */
function readSequencia({ tree, infEvento, infPedReg }: PartesDoEvento): number {
  const fromId = ID_EVENTO.exec(idOf(infEvento) ?? '')?.[1] ?? null;
  return (
    sequenceOf(fromId) ??
    sequenceOf(textAt(tree, infEvento, 'nSeqEvento')) ??
    sequenceOf(textAt(tree, infPedReg, 'nPedRegEvento')) ??
    1
  );
}

function readCodigo(
  context: Contexto,
  infPedReg: XmlElement,
): { ok: true; codigo: string; detalhe: XmlElement } | Recusa {
  const all = infPedReg.children.filter((c) => ELEMENTO_DO_CODIGO.test(c.localName));
  const repeated = all.length > 1 ? refuseAmbiguous(context, all) : null;
  if (repeated) return repeated;
  const [detalhe] = all;
  const codigo = ELEMENTO_DO_CODIGO.exec(detalhe?.localName ?? '')?.[1];
  if (detalhe && codigo) return { ok: true, codigo, detalhe };
  return refuseAt(
    context,
    'tipo_evento_invalido',
    'O evento não traz o elemento do seu código (e101101, e105102 …). Envie o XML como o sistema nacional o registrou.',
    { element: infPedReg, missing: 'e000000' },
  );
}

function refuseAmbiguous(context: Contexto, all: readonly XmlElement[]): Recusa {
  return refuseAt(
    context,
    'elemento_repetido',
    `O evento traz ${all.length} códigos (${all
      .map((e) => e.localName)
      .join(', ')
      .slice(0, 80)}) e só pode trazer um. Envie o XML como o sistema nacional o registrou.`,
    { element: all[1] ?? all[0] ?? context.tree.root },
  );
}

function readDesfaz(tree: XmlTree, tipo: TipoDeEvento, detalhe: XmlElement): Evento['desfaz'] {
  if (tipo.efeito !== 'cancela_evento') return null;
  const match = ID_MANIFESTACAO.exec(textBelow(tree, detalhe, 'idEvManifRej') ?? '');
  return match?.[1] ? { codigo: match[1], sequencia: sequenceOf(match[2] ?? null), nProt: null } : null;
}

function readDate(context: Contexto, parts: PartesDoEvento): { ok: true; data: string } | Recusa {
  const { tree, infEvento, infPedReg, chave } = parts;
  const texts = [textAt(tree, infPedReg, 'dhEvento'), textAt(tree, infEvento, 'dhProc')];
  for (const text of texts) {
    const data = text === null ? null : readDateTime(text, chave.slice(0, 2));
    if (data !== null) return { ok: true, data };
  }
  const [said] = texts.filter((text) => text !== null);
  return said
    ? refuseAt(
        context,
        'data_emissao_invalida',
        `A data dhEvento "${said.slice(0, 40)}" não é válida; o formato é AAAA-MM-DDThh:mm:ss-03:00. Baixe o XML de novo, ou peça-o a quem o emitiu.`,
        { element: infPedReg, missing: 'dhEvento' },
      )
    : refuseAt(context, 'data_emissao_ausente', 'Falta a data dhEvento (ou dhProc). Envie o XML completo.', {
        element: infPedReg,
        missing: 'dhEvento',
      });
}

/** Whether somebody has registered what was asked for: who does signs it, or at least gives it a number or a time. */
function isRegistered(parts: Pick<PartesDoEvento, 'tree' | 'root' | 'infEvento'>): boolean {
  const { tree, root, infEvento } = parts;
  if (child(root, 'Signature') !== null) return true;
  return ID_EVENTO.test(idOf(infEvento) ?? '') || textAt(tree, infEvento, 'dhProc') !== null;
}

function buildEvento(
  parts: PartesDoEvento,
  judged: { codigo: string; detalhe: XmlElement; data: string; ambiente: 1 | 2; digest: string },
): Evento {
  const { tree, root, infEvento, infPedReg, chave } = parts;
  const { codigo, detalhe } = judged;
  const tipo = EVENTOS_NFSE[codigo] ?? {
    descricao: textAt(tree, detalhe, 'xDesc') ?? `Evento ${codigo}`,
    efeito: 'nenhum' as const,
  };
  const substitute = textBelow(tree, detalhe, 'chSubstituta') ?? textBelow(tree, detalhe, 'chNFSeSubst');
  return {
    classe: 'evento',
    especie: ESPECIE.evento,
    chave,
    modelo: 'NFSe',
    ambiente: judged.ambiente,
    layout: attribute(root, 'versao') ?? attribute(infPedReg.parent, 'versao'),
    codigo,
    descricao: tipo.descricao,
    sequencia: readSequencia(parts),
    efeito: tipo.efeito,
    autor: partyId(textAt(tree, infPedReg, 'CNPJAutor')) ?? partyId(textAt(tree, infPedReg, 'CPFAutor')),
    destinatario: null,
    dataEmissao: judged.data,
    protocolo: {
      cStat: CSTAT_REGISTRADO,
      xMotivo: 'Evento registrado',
      nProt: null,
      dhRecbto: textAt(tree, infEvento, 'dhProc'),
      digVal: null,
    },
    desfaz: readDesfaz(tree, tipo, detalhe),
    digest: judged.digest,
    avisos: [
      ...namespaceWarning(infEvento),
      ...checkDigitWarning(chave),
      ...(substitute ? [`A NFS-e foi substituída pela de chave ${substitute.slice(0, 60)}.`] : []),
    ],
  };
}

/** Which event is asked for, of one that nobody has registered; null where it does not say so, or is none of these. */
export function identifyPedido(
  tree: XmlTree,
  root: XmlElement,
): { chave: Chave; ambiente: 1 | 2; identidade: string } | null {
  const infEvento = child(root, 'infEvento');
  const infPedReg = descend(infEvento, 'pedRegEvento', 'infPedReg');
  if (!isEventoNfse(root) || !infEvento || !infPedReg) return null;
  const chave = parseChave50(textAt(tree, infPedReg, 'chNFSe') ?? '');
  const context: Contexto = { tree, especie: ESPECIE.evento, chave };
  const code = readCodigo(context, infPedReg);
  const environment = readAmbiente(context, [infPedReg, infEvento]);
  if (!chave || !code.ok || !environment.ok) return null;
  const sequencia = readSequencia({ tree, root, infEvento, infPedReg, chave });
  return { chave, ambiente: environment.ambiente, identidade: `${code.codigo}/${sequencia}` };
}

/**
 * Reads an event of the national NFS-e: the `evento` that holds the request (`pedRegEvento`) and is itself the
 * registration.
 *
 * @param input.root the `evento`, root of its own tree
 * @fonte XSD tiposEventos 1.01
 */
export function parseEventoNfse(input: {
  tree: XmlTree;
  root: XmlElement;
  digest: (signed: XmlElement) => string;
}): Leitura<Evento> {
  const { tree, root } = input;
  const context: Contexto = { tree, especie: ESPECIE.evento, chave: null };
  const infs = childrenLike(root, 'infEvento');
  const [infEvento = root] = infs;
  const requests = childrenLike(infEvento, 'pedRegEvento');
  const repeated = refuseRepeated(context, infs) ?? refuseRepeated(context, requests);
  if (repeated) return repeated;
  const infPedReg = descend(infEvento, 'pedRegEvento', 'infPedReg');
  if (!infPedReg) {
    return refuseAt(
      context,
      'evento_sem_registro',
      'O evento não traz o pedido (infPedReg). Envie-o completo.',
      {
        element: infEvento,
        missing: 'pedRegEvento/infPedReg',
      },
    );
  }
  if (!isRegistered({ tree, root, infEvento })) {
    return refuseAt(
      context,
      'evento_sem_registro',
      'O evento da NFS-e não traz a assinatura do sistema nacional, nem o número (Id EVT…) nem a hora (dhProc) do registro: é só o pedido. Envie o evento como o sistema nacional o gerou.',
      { element: infEvento, missing: 'dhProc' },
    );
  }
  const key = judgeChave50(context, textAt(tree, infPedReg, 'chNFSe'), {
    element: infPedReg,
    missing: 'chNFSe',
    nome: 'chNFSe',
  });
  if (!key.ok) return key;
  context.chave = key.chave;
  const code = readCodigo(context, infPedReg);
  if (!code.ok) return code;
  const environment = readAmbiente(context, [infPedReg, infEvento]);
  if (!environment.ok) return environment;
  const parts = { tree, root, infEvento, infPedReg, chave: key.chave };
  const date = readDate(context, parts);
  if (!date.ok) return date;
  const registro = buildEvento(parts, {
    codigo: code.codigo,
    detalhe: code.detalhe,
    data: date.data,
    ambiente: environment.ambiente,
    digest: input.digest(infEvento),
  });
  return { ok: true, registro, assinado: infEvento };
}
