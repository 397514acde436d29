import { splitChave } from '../chave.ts';
import { isNamed } from '../dfe/reconhecer.ts';
import {
  type Contexto,
  comAmbiente,
  findLike,
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
import { ESPECIE, type Evento } from '../tipos.ts';
import { attribute, child, childrenNamed, textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { EVENTOS_NFE } from './tabela.ts';

/** 101 homologated, 151 out of time; 135 and 155 are those of the event that took its place. @fonte cStat of MOC NF-e 7.0 */
const REGISTERED: readonly string[] = ['101', '135', '151', '155'];
const CANCELAMENTO = '110111';

/** `procCancNFe`, or the answer alone, which is enough as it is for an inutilização. */
export function isCancelamentoAntigo(element: XmlElement): boolean {
  return isNamed(element, 'procCancNFe') || (isNamed(element, 'retCancNFe') && element.children.length > 0);
}

/**
 * Reads a cancellation of the time before events (layouts 1.07 to 2.00): `cancNFe` with `retCancNFe`, or the answer
 * alone. It is told as the event that took its place: 110111, the first of its key.
 *
 * @param input.root the `procCancNFe` or `retCancNFe`, root of its own tree
 * @param input.digest identity of the signed content
 * @fonte docs/regras.md, kinds; cStat of MOC NF-e 7.0
 */
export function parseCancelamentoAntigo(input: {
  tree: XmlTree;
  root: XmlElement;
  digest: (signed: XmlElement) => string;
}): Leitura<Evento> {
  const { tree, root } = input;
  const context: Contexto = { tree, especie: ESPECIE.evento, chave: null };
  const ret = findLike(root, 'retCancNFe');
  const canc = findLike(root, 'cancNFe');
  const answer = child(ret, 'infCanc');
  if (!answer) {
    return refuseAt(
      context,
      'evento_sem_registro',
      'O cancelamento é só o pedido: falta o retCancNFe com a resposta da SEFAZ. Envie o procCancNFe completo.',
      { element: root, missing: 'retCancNFe/infCanc' },
    );
  }
  const repeated =
    refuseRepeated(context, childrenNamed(ret, 'infCanc')) ??
    refuseRepeated(context, childrenNamed(canc, 'infCanc'));
  if (repeated) return repeated;
  const request = child(canc, 'infCanc');
  const signed = request ?? answer;
  const namespace = judgeNamespace(context, signed);
  if (!namespace.ok) return namespace;
  const key = readChaveField(context, signed, 'chNFe');
  if (!key.ok) return key;
  context.chave = key.chave;
  const answered = readChaveField(context, answer, 'chNFe');
  if (answered.ok && answered.chave !== key.chave) {
    return refuseAt(
      context,
      'protocolo_de_outra_chave',
      `O retCancNFe é da chave ${answered.chave} e o pedido é da ${key.chave}. Envie o cancelamento com a sua própria resposta.`,
      { element: answer, missing: 'chNFe' },
    );
  }
  const modelo = key.chave.slice(20, 22);
  if (modelo !== '55' && modelo !== '65') {
    return refuseAt(
      context,
      'modelo_nao_suportado',
      `O cancelamento é de um documento do modelo ${modelo}; este layout é só de NF-e. Envie o XML como a SEFAZ o homologou.`,
      { element: signed, missing: 'chNFe' },
    );
  }
  const read = readProtocolo(tree, answer, { recebimento: 'dhRecbto' });
  const protocolo = comAmbiente(tree, read, { asked: request, answer });
  if (!protocolo || !REGISTERED.includes(protocolo.cStat)) {
    return refuseAt(
      context,
      'evento_rejeitado_pela_sefaz',
      protocolo
        ? `Cancelamento não homologado pela SEFAZ ${sefazWords(protocolo)}. Ele não tem efeito: envie o que for homologado.`
        : 'A resposta da SEFAZ (retCancNFe) não traz cStat. Envie o procCancNFe completo.',
      { element: answer, missing: 'cStat' },
    );
  }
  const environment = readAmbiente(context, [request, answer]);
  if (!environment.ok) return environment;
  const date = readDateField(context, answer, { names: ['dhRecbto'], cUF: key.chave.slice(0, 2) });
  if (!date.ok) return date;
  return {
    ok: true,
    assinado: signed,
    registro: {
      classe: 'evento',
      especie: ESPECIE.evento,
      chave: key.chave,
      modelo,
      ambiente: environment.ambiente,
      layout: attribute(canc, 'versao') ?? attribute(ret, 'versao'),
      codigo: CANCELAMENTO,
      descricao: EVENTOS_NFE[CANCELAMENTO]?.descricao ?? 'Cancelamento',
      sequencia: 1,
      efeito: 'cancela',
      // The request has no author field: only the issuer could ask.
      autor: splitChave(key.chave).emitente,
      destinatario: null,
      dataEmissao: date.data,
      protocolo,
      desfaz: null,
      ...(request ? {} : { soResposta: true }),
      protocoloDaNota: textAt(tree, request, 'nProt'),
      digest: input.digest(signed),
      avisos: [...namespace.avisos, 'Cancelamento no layout anterior aos eventos (cancNFe).'],
    },
  };
}
