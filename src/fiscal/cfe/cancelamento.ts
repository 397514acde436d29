import { partyId } from '../cpf-cnpj.ts';
import { layoutWarning } from '../dfe/rules.ts';
import { type Contexto, invalidChaveText, type Leitura, refuseAt } from '../leitura.ts';
import type { Recusa } from '../rejeicoes.ts';
import { type Chave, type CpfCnpj, ESPECIE, type Evento, type Protocolo } from '../tipos.ts';
import { attribute, child, textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';
import {
  judgeStructure,
  LAYOUTS_CFE,
  MODELO_CFE,
  type PartesDoCfe,
  parseCfeId,
  readAmbienteDoCfe,
  readChave,
  readEmissao,
  takeApart,
} from './partes.ts';

/** CF-e has no table of event codes: the cancellation is told by the name of its element, and stays so. */
const CODIGO_CFE_CANC = 'CFeCanc';

const DESCRICAO = 'Cancelamento de CF-e SAT';

/** cStat of a homologated cancellation: the device has no code of its own, its signature is the proof. @fonte cStat of MOC NF-e 7.0 */
const CSTAT_CANCELADA = '101';

const PEDIDO =
  'O CFeCanc não tem o atributo Id com a chave do cupom de cancelamento: é só o pedido, antes de o equipamento SAT o registrar. Envie o XML que o SAT devolveu (em geral ADC seguido da chave).';

/** Issuer, model and serial number of the device: the same in the keys of a coupon and of its cancellation. */
function deviceOf(chave: Chave): string {
  return chave.slice(6, 31);
}

/** Key of the coupon that is cancelled (`@chCanc`), which the same device must have made. */
function readCancelada(
  context: Contexto,
  { inf }: PartesDoCfe,
  propria: Chave,
): { ok: true; chave: Chave } | Recusa {
  const text = attribute(inf, 'chCanc')?.trim() ?? '';
  const chave = parseCfeId(text);
  if (text === '') {
    return refuseAt(
      context,
      'chave_ausente',
      'Falta o atributo chCanc com a chave do CF-e cancelado. Envie o XML que o equipamento SAT devolveu.',
      { element: inf },
    );
  }
  if (!chave) {
    return refuseAt(context, 'chave_invalida', invalidChaveText(text.replace(/^CFe/i, '')), { element: inf });
  }
  context.chave = chave;
  if (chave.slice(20, 22) !== MODELO_CFE) {
    return refuseAt(
      context,
      'modelo_nao_suportado',
      `O cancelamento é de um documento do modelo ${chave.slice(20, 22)}; um CFeCanc só cancela CF-e SAT (${MODELO_CFE}).`,
      { element: inf },
    );
  }
  if (deviceOf(chave) !== deviceOf(propria)) {
    return refuseAt(
      context,
      'protocolo_de_outra_chave',
      `O cancelamento ${propria} é de outro emitente ou equipamento SAT que o CF-e ${chave}. Envie o XML que o SAT devolveu.`,
      { element: inf },
    );
  }
  return { ok: true, chave };
}

function protocoloDe(dataEmissao: string): Protocolo {
  return { cStat: CSTAT_CANCELADA, xMotivo: DESCRICAO, nProt: null, dhRecbto: dataEmissao, digVal: null };
}

function partyOf(tree: XmlTree, element: XmlElement | null): CpfCnpj | null {
  return partyId(textAt(tree, element, 'CNPJ')) ?? partyId(textAt(tree, element, 'CPF'));
}

/** What is read of a cancellation once it is known to hold. */
function buildEvento(
  { tree, inf, emit }: PartesDoCfe,
  judged: Pick<Evento, 'chave' | 'ambiente' | 'dataEmissao' | 'digest'>,
): Evento {
  const layout = (attribute(inf, 'versao') ?? attribute(inf, 'versaoDadosEnt'))?.trim() || null;
  return {
    ...judged,
    classe: 'evento',
    especie: ESPECIE.evento,
    modelo: MODELO_CFE,
    layout,
    codigo: CODIGO_CFE_CANC,
    descricao: DESCRICAO,
    sequencia: 1,
    efeito: 'cancela',
    autor: partyOf(tree, emit),
    destinatario: partyOf(tree, child(inf, 'dest')),
    protocolo: protocoloDe(judged.dataEmissao),
    desfaz: null,
    avisos: layoutWarning(layout, LAYOUTS_CFE),
  };
}

/** Nothing but the signature of the device proves that it was registered. */
function judgeSignature(context: Contexto, { inf, assinado }: PartesDoCfe): Recusa | null {
  if (assinado) return null;
  return refuseAt(
    context,
    'evento_sem_registro',
    'O CFeCanc veio sem a assinatura do equipamento SAT, que é o que prova o cancelamento. Envie o XML que o SAT devolveu.',
    { element: inf.parent ?? inf, missing: 'Signature' },
  );
}

/**
 * Reads the cancellation of a CF-e SAT: a coupon of its own (key and number in `@Id`), told as an event about the
 * coupon that it cancels (`@chCanc`).
 *
 * @param input.root the `CFeCanc`, root of its own tree
 * @param input.digest identity of the signed content
 * @fonte layout of CF-e SAT 0.08; docs/regras.md, status
 */
export function parseCfeCancelamento(input: {
  tree: XmlTree;
  root: XmlElement;
  digest: (signed: XmlElement) => string;
}): Leitura<Evento> {
  const { tree, root } = input;
  const context: Contexto = { tree, especie: ESPECIE.evento, chave: null };
  const parts = takeApart(tree, root);
  if (!parts) {
    return refuseAt(context, 'cfe_sem_infcfe', 'O elemento CFeCanc não traz o grupo infCFe.', {
      element: root,
    });
  }
  const { inf } = parts;
  const repeated = judgeStructure(context, parts);
  if (repeated) return repeated;
  // A request names the coupon too: whoever reads the refusal then knows which one is meant.
  context.chave = parseCfeId(attribute(inf, 'chCanc'));
  const own = readChave(context, parts, PEDIDO);
  if (!own.ok) return own;
  const cancelled = readCancelada(context, parts, own.chave);
  if (!cancelled.ok) return cancelled;
  const unsigned = judgeSignature(context, parts);
  if (unsigned) return unsigned;
  const environment = readAmbienteDoCfe(context, parts);
  if (!environment.ok) return environment;
  const date = readEmissao(context, parts, own.chave.slice(0, 2));
  if (!date.ok) return date;
  const registro = buildEvento(parts, {
    chave: cancelled.chave,
    ambiente: environment.ambiente,
    dataEmissao: date.data,
    digest: input.digest(inf),
  });
  return { ok: true, registro, assinado: inf };
}
