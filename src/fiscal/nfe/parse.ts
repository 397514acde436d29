import { readItens } from '../dfe/itens.ts';
import { type Julgado, judgeDfe } from '../dfe/julgar.ts';
import { DECIMAL, matching, type PartesDoDfe, readNumber, signedDigest, takeApart } from '../dfe/partes.ts';
import { party, withoutRepeats } from '../dfe/participantes.ts';
import { digestWarning, keyWarnings, layoutWarning } from '../dfe/rules.ts';
import { type Contexto, type Leitura, refuseAt } from '../leitura.ts';
import type { Recusa } from '../rejeicoes.ts';
import { type Chave, type Documento, ESPECIE, PAPEL, type Participante } from '../tipos.ts';
import {
  attribute,
  child,
  childrenNamed,
  descend,
  textAt,
  type XmlElement,
  type XmlTree,
} from '../xml/tree.ts';
import { describeFinNFe } from './finalidade-nfe.ts';
import { NFE } from './nomes.ts';
import { keyNamesIssuer, withCancellation } from './rules.ts';

const MODEL_NFCE = '65';
const MODEL_NFE = '55';

/** Every party of the note with its part in it; ids that are empty or zeros are nobody. @fonte XSD leiauteNFe_v4.00; docs/regras.md, parts */
function readParticipantes({ tree, inf, emit }: PartesDoDfe): Participante[] {
  return withoutRepeats([
    ...party(tree, emit, PAPEL.emitente),
    ...party(tree, child(inf, 'dest'), PAPEL.destinatario),
    ...party(tree, descend(inf, 'transp', 'transporta'), PAPEL.transportador),
    ...party(tree, child(inf, 'retirada'), PAPEL.retirada),
    ...party(tree, child(inf, 'entrega'), PAPEL.entrega),
    ...party(tree, child(inf, 'infIntermed'), PAPEL.intermediario),
    ...childrenNamed(inf, 'autXML').flatMap((element) => party(tree, element, PAPEL.autorizado)),
  ]);
}

const modeloDe = ({ tree, ide }: PartesDoDfe, chave: Chave) =>
  textAt(tree, ide, 'mod') ?? chave.slice(20, 22);

function judgeModelo(context: Contexto, parts: PartesDoDfe, chave: Chave): Recusa | null {
  const modelo = modeloDe(parts, chave);
  if (modelo === MODEL_NFE || modelo === MODEL_NFCE) {
    context.especie = modelo === MODEL_NFCE ? ESPECIE.nfce : ESPECIE.nfe;
    return null;
  }
  return refuseAt(
    context,
    'modelo_nao_suportado',
    `O modelo (ide/mod) é "${modelo.slice(0, 10)}"; uma NF-e tem 55 e uma NFC-e, 65. Envie o XML como a SEFAZ o autorizou.`,
    { element: parts.ide ?? parts.inf, missing: 'mod' },
  );
}

function buildDocumento(parts: PartesDoDfe, judged: Julgado): Documento {
  const { tree, inf, ide } = parts;
  const { chave, dataEmissao } = judged;
  const layout = attribute(inf, 'versao')?.trim() || null;
  const tpNF = textAt(tree, ide, 'tpNF');
  const isNfce = modeloDe(parts, chave) === MODEL_NFCE;
  return {
    ...judged,
    classe: 'documento',
    especie: isNfce ? ESPECIE.nfce : ESPECIE.nfe,
    modelo: isNfce ? MODEL_NFCE : MODEL_NFE,
    layout,
    serie: readNumber(parts, 'serie', chave.slice(22, 25)),
    numero: readNumber(parts, 'nNF', chave.slice(25, 34)),
    tpNF: tpNF === '0' || tpNF === '1' ? tpNF : null,
    natureza: textAt(tree, ide, 'natOp'),
    participantes: readParticipantes(parts),
    valor: matching(textAt(tree, inf, 'total', 'ICMSTot', 'vNF'), DECIMAL),
    finalidade: describeFinNFe({
      finNFe: textAt(tree, ide, 'finNFe'),
      tpNFDebito: textAt(tree, ide, 'tpNFDebito'),
      tpNFCredito: textAt(tree, ide, 'tpNFCredito'),
    }),
    itens: readItens(tree, inf),
    layoutNacional: false,
    municipioPrestacao: null,
    avisos: [
      ...judged.avisos,
      ...layoutWarning(layout, NFE.layouts),
      ...keyWarnings({
        parts,
        chave,
        dataEmissao,
        semTpEmis: layout?.startsWith('1.') === true,
        comEmitente: keyNamesIssuer(parts, chave),
      }),
      ...digestWarning(judged.protocolo, signedDigest(parts)),
    ],
  };
}

/**
 * Reads an NF-e or NFC-e of any layout (1.10 to 4.00), bare or with its protocol.
 *
 * @param input.root the `nfeProc` or `NFe`, root of its own tree
 * @param input.digest identity of the signed content, asked once the note is known to be readable
 * @fonte XSD leiauteNFe_v4.00; MOC NF-e 7.0 Anexo I; cStat of MOC NF-e 7.0
 */
export function parseNfe(input: {
  tree: XmlTree;
  root: XmlElement;
  digest: (signed: XmlElement) => string;
}): Leitura<Documento> {
  const { tree, root } = input;
  const context: Contexto = { tree, especie: ESPECIE.nfe, chave: null };
  const parts = takeApart(NFE, tree, root);
  if (!parts) {
    return refuseAt(context, 'nfe_sem_infnfe', 'O elemento NFe não traz o grupo infNFe.', { element: root });
  }
  const judged = judgeDfe(context, parts, {
    namespace: NFE,
    judgeModelo: (chave) => judgeModelo(context, parts, chave),
    judgeOutraResposta: (chave, protocol) => withCancellation(parts, chave, protocol),
    digest: input.digest,
  });
  if (!judged.ok) return judged;
  return { ok: true, registro: buildDocumento(parts, judged.julgado), assinado: parts.inf };
}
