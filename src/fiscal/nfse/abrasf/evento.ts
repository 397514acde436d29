import { parseChave50, splitChave } from '../../chave.ts';
import { type Contexto, idOf, type Leitura, refuseAt } from '../../leitura.ts';
import type { Origem } from '../../origem.ts';
import { type Chave, type CpfCnpj, ESPECIE, type Evento } from '../../tipos.ts';
import type { XmlElement, XmlTree } from '../../xml/tree.ts';
import { composeChave, readNumeroNfse } from '../chave-composta.ts';
import { contentDigest } from '../conteudo.ts';
import { quandoDoGrupo, sucessoDoGrupo } from '../leiautes/ler-sinais.ts';
import { abrasf } from '../leiautes/tabela/abrasf.ts';
import { outrasChavesDaNfse } from '../mesma-nota.ts';
import { judgeData, protocoloDeCancelamento } from '../montar.ts';
import { isNfseNacional } from '../nacional/nota.ts';
import { CANCELAMENTO_NFSE, EVENTOS_NFSE } from '../nacional/tabela.ts';
import { below, childrenLike, isLike, textBelow, textLike } from '../nomes.ts';
import { readMunicipio, readParty } from '../valores.ts';

/** Elements that hold a confirmed cancellation: 1.00 says `Cancelamento` in answers, the others `NfseCancelamento`. */
const NOMES_DO_CANCELAMENTO: readonly string[] = ['NfseCancelamento', 'Cancelamento'];

/**
 * A confirmed cancellation, which has a date; null where the group says that the cancellation failed, or only repeats the
 * request, as answers with an error do.
 * @fonte ABRASF, modelo conceitual da NFS-e 2.03
 */
function readConfirmacao(tree: XmlTree, element: XmlElement): { quando: string | null } | null {
  const success = sucessoDoGrupo(tree, element);
  const quando = quandoDoGrupo(tree, element);
  if (success !== null) return success ? { quando } : null;
  return quando === null ? null : { quando };
}

/** Elements of these names in which nothing was found: nothing is in those inside them either, a hundred one in another. */
const VAZIOS = new WeakSet<XmlElement>();

/** The city's answer to a cancellation, alone: `NfseCancelamento` (1.00: `Cancelamento`) with the note's identity. */
export function isCancelamentoAbrasf(element: XmlElement): boolean {
  if (!NOMES_DO_CANCELAMENTO.some((name) => isLike(element, name))) return false;
  for (let around = element.parent; around; around = around.parent) if (VAZIOS.has(around)) return false;
  if (below(element, 'Confirmacao') !== null || below(element, 'IdentificacaoNfse') !== null) return true;
  VAZIOS.add(element);
  return false;
}

interface Identificada {
  chave: Chave | null;
  prestador: CpfCnpj | null;
  numero: string | null;
  municipio: string | null;
}

function identify(tree: XmlTree, root: XmlElement): Identificada {
  const id = below(root, 'IdentificacaoNfse');
  const codigo = textLike(tree, id, 'CodigoMunicipio');
  const municipio = readMunicipio(abrasf.municipio?.proprios?.[codigo ?? ''] ?? codigo);
  const numero = readNumeroNfse(textLike(tree, id, 'Numero'));
  const prestador =
    readParty(textBelow(tree, id, 'Cnpj')) ??
    readParty(textBelow(tree, id, 'Cpf')) ??
    readParty(textBelow(tree, id, 'CpfCnpj'));
  const chave =
    municipio && prestador && numero
      ? composeChave({ municipio, prestador, numero, numeradaPor: null })
      : null;
  return { chave, prestador, numero, municipio };
}

/** Where a city puts its cancellation beside a note in the national layout, it is that note's, under its national key. */
function ofNoteBeside(identity: Identificada, origem: Origem | undefined): Identificada {
  const beside = origem?.dano?.semCampos ? [] : (origem?.element.parent?.children ?? []);
  const notes = beside.filter(isNfseNacional);
  const [note] = notes;
  if (!note || notes.length > 1) return identity;
  const chave = parseChave50(idOf(childrenLike(note, 'infNFSe')[0] ?? note)?.replace(/^NFS/i, '') ?? '');
  const isOther =
    chave && identity.chave && !outrasChavesDaNfse(chave).some(({ de }) => de === identity.chave);
  if (!chave || isOther) return identity;
  return { ...identity, chave, prestador: identity.prestador ?? splitChave(chave).emitente };
}

function missingParts({ prestador, numero, municipio }: Identificada): string {
  const rows = [
    ['Numero', numero],
    ['CpfCnpj', prestador],
    ['CodigoMunicipio', municipio],
  ] as const;
  return rows
    .filter(([, value]) => value === null)
    .map(([name]) => name)
    .join(', ');
}

const NEGADO =
  'O cancelamento da NFS-e não foi confirmado pela prefeitura. Ele não tem efeito: envie a resposta que o confirma.';
const SEM_DATA =
  'O cancelamento da NFS-e não traz a data em que a prefeitura o confirmou. Ele não tem efeito: envie a resposta que a traz, ou o XML da NFS-e, baixado de novo.';

/**
 * Reads a cancellation that a city confirmed, without the note: an event about the note's composed key. ABRASF has
 * no event codes, so that it takes the one of the national layout (101101).
 *
 * @param input.root `NfseCancelamento` or `Cancelamento`, root of its own tree
 * @fonte ABRASF 1.00 to 2.04
 */
export function parseCancelamentoAbrasf(input: {
  tree: XmlTree;
  root: XmlElement;
  origem?: Origem;
}): Leitura<Evento> {
  const { tree, root } = input;
  const context: Contexto = { tree, especie: ESPECIE.evento, chave: null };
  const identity = ofNoteBeside(identify(tree, root), input.origem);
  const { chave, prestador, municipio } = identity;
  context.chave = chave;
  const confirmed = readConfirmacao(tree, root);
  if (!confirmed) {
    return refuseAt(
      context,
      'evento_sem_registro',
      sucessoDoGrupo(tree, root) === false ? NEGADO : SEM_DATA,
      { element: root, missing: 'Confirmacao' },
    );
  }
  if (!chave) {
    return refuseAt(
      context,
      'chave_ausente',
      `O cancelamento não diz de que NFS-e é: falta, ou não é válido, em IdentificacaoNfse: ${missingParts(identity)}. Envie a NFS-e com o cancelamento (CompNfse).`,
      { element: below(root, 'IdentificacaoNfse') ?? root },
    );
  }
  const date = judgeData(context, root, { texto: confirmed.quando, nome: 'DataHora' }, municipio);
  if (!date.ok) return date;
  const registro: Evento = {
    classe: 'evento',
    especie: ESPECIE.evento,
    chave,
    modelo: 'NFSe',
    ambiente: 1,
    layout: null,
    codigo: CANCELAMENTO_NFSE,
    descricao: EVENTOS_NFSE[CANCELAMENTO_NFSE]?.descricao ?? 'Cancelamento de NFS-e',
    sequencia: 1,
    efeito: 'cancela',
    autor: prestador,
    destinatario: null,
    dataEmissao: date.data,
    protocolo: protocoloDeCancelamento({
      quando: confirmed.quando,
      motivo: 'Cancelamento confirmado pela prefeitura',
    }),
    desfaz: null,
    digest: contentDigest(tree, root),
    avisos: [],
  };
  return { ok: true, registro, assinado: below(root, 'InfPedidoCancelamento') ?? root };
}
