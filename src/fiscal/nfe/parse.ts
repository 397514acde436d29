import { readItens } from '../dfe/itens.ts';
import {
  DECIMAL,
  judgeStructure,
  matching,
  type PartesDoDfe,
  readChave,
  readNumber,
  signedDigest,
  takeApart,
} from '../dfe/partes.ts';
import { party, withoutRepeats } from '../dfe/participantes.ts';
import {
  digestWarning,
  judgeCheckDigit,
  judgeEmitente,
  judgeProtocolo,
  keyWarnings,
  layoutWarning,
} from '../dfe/rules.ts';
import {
  type Contexto,
  judgeNamespace,
  type Leitura,
  readAmbiente,
  readDateField,
  refuseAt,
} from '../leitura.ts';
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

function readModelo(
  context: Contexto,
  parts: PartesDoDfe,
  chave: Chave,
): { ok: true; modelo: '55' | '65' } | Recusa {
  const modelo = textAt(parts.tree, parts.ide, 'mod') ?? chave.slice(20, 22);
  if (modelo === MODEL_NFE || modelo === MODEL_NFCE) return { ok: true, modelo };
  return refuseAt(
    context,
    'modelo_nao_suportado',
    `O modelo (ide/mod) é "${modelo.slice(0, 10)}"; uma NF-e tem 55 e uma NFC-e, 65. Envie o XML como a SEFAZ o autorizou.`,
    { element: parts.ide ?? parts.inf, missing: 'mod' },
  );
}

/** What the rules have settled about a note. */
type Julgado = Pick<
  Documento,
  'chave' | 'ambiente' | 'dataEmissao' | 'statusProtocolo' | 'protocolo' | 'ressalva' | 'digest' | 'avisos'
> & { modelo: '55' | '65' };

function buildDocumento(parts: PartesDoDfe, judged: Julgado): Documento {
  const { tree, inf, ide } = parts;
  const { chave, dataEmissao } = judged;
  const layout = attribute(inf, 'versao')?.trim() || null;
  const tpNF = textAt(tree, ide, 'tpNF');
  return {
    ...judged,
    classe: 'documento',
    especie: judged.modelo === MODEL_NFCE ? ESPECIE.nfce : ESPECIE.nfe,
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
  const { inf, ide } = parts;

  const namespace = judgeNamespace(context, inf);
  if (!namespace.ok) return namespace;
  const repeated = judgeStructure(context, parts);
  if (repeated) return repeated;
  const key = readChave(context, parts);
  if (!key.ok) return key;
  context.chave = key.chave;

  const model = readModelo(context, parts, key.chave);
  if (!model.ok) return model;
  context.especie = model.modelo === MODEL_NFCE ? ESPECIE.nfce : ESPECIE.nfe;
  const judged = judgeProtocolo(context, parts, key.chave);
  if (!judged.ok) return judged;
  const protocol = withCancellation(parts, key.chave, judged);
  const wrongDigit = judgeCheckDigit(context, parts, key.chave);
  if (wrongDigit) return wrongDigit;
  const issuer = judgeEmitente(context, parts);
  if (!issuer.ok) return issuer;
  const environment = readAmbiente(context, [ide, parts.infProt]);
  if (!environment.ok) return environment;
  const cUF = textAt(tree, ide, 'cUF') ?? key.chave.slice(0, 2);
  const date = readDateField(context, ide ?? inf, { names: ['dhEmi', 'dEmi'], cUF });
  if (!date.ok) return date;

  const registro = buildDocumento(parts, {
    chave: key.chave,
    modelo: model.modelo,
    ambiente: environment.ambiente,
    dataEmissao: date.data,
    statusProtocolo: protocol.status,
    protocolo: protocol.protocolo,
    ...(protocol.ressalva ? { ressalva: protocol.ressalva } : {}),
    digest: input.digest(inf),
    avisos: [...namespace.avisos, ...key.avisos, ...protocol.avisos],
  });
  return { ok: true, registro, assinado: inf };
}
