import { hasValidCheckDigit, parseChave44, withoutLeadingZeros } from '../chave.ts';
import { partyId } from '../cpf-cnpj.ts';
import {
  allNamed,
  type Contexto,
  idOf,
  judgeNamespace,
  type Leitura,
  readAmbiente,
  readDateField,
  readProtocolo,
  refuseAt,
  refuseRepeated,
} from '../leitura.ts';
import type { Recusa } from '../rejeicoes.ts';
import {
  type Chave,
  type Documento,
  ESPECIE,
  type ItemFiscal,
  PAPEL,
  type Papel,
  type Participante,
} from '../tipos.ts';
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
import type { PartesDaNota } from './partes.ts';
import {
  digestWarning,
  judgeChave,
  judgeEmitente,
  judgeProtocolo,
  keyWarnings,
  layoutWarning,
} from './rules.ts';

const MODEL_NFCE = '65';
const MODEL_NFE = '55';
const DECIMAL = /^\d{1,15}(?:\.\d{1,10})?$/;

function findNote(root: XmlElement): XmlElement | null {
  if (child(root, 'infNFe')) return root;
  return root.children.find((c) => c.localName.toLowerCase() === 'nfe') ?? null;
}

/** Some systems close protNFe and put infProt behind it. */
function findInfProt(root: XmlElement): XmlElement | null {
  const protNFe = root.children.find((c) => c.localName.toLowerCase() === 'protnfe');
  return child(protNFe, 'infProt') ?? child(root, 'infProt');
}

function takeApart(tree: XmlTree, root: XmlElement): PartesDaNota | null {
  const nfe = findNote(root);
  const infNFe = child(nfe, 'infNFe');
  if (!nfe || !infNFe) return null;
  const infProt = nfe === root ? null : findInfProt(root);
  return {
    tree,
    root,
    nfe,
    infNFe,
    ide: child(infNFe, 'ide'),
    emit: child(infNFe, 'emit'),
    infProt,
    protocolo: infProt ? readProtocolo(tree, infProt, { recebimento: 'dhRecbto' }) : null,
  };
}

/** Key of the note from its Id, with the literal `NFe` or (some systems) without; else from its protocol. */
function readChave(
  context: Contexto,
  parts: PartesDaNota,
): { ok: true; chave: Chave; avisos: string[] } | Recusa {
  const id = idOf(parts.infNFe)?.replace(/^NFe/i, '') ?? '';
  const fromProtocol = parseChave44((parts.infProt && textAt(parts.tree, parts.infProt, 'chNFe')) ?? '');
  if (id === '' && fromProtocol) {
    return {
      ok: true,
      chave: fromProtocol,
      avisos: ['O infNFe veio sem o atributo Id; a chave foi lida do protocolo.'],
    };
  }
  return judgeChave(context, parts.infNFe, id);
}

function party(tree: XmlTree, element: XmlElement | null, papel: Papel): Participante[] {
  if (!element) return [];
  const cpfCnpj = partyId(textAt(tree, element, 'CNPJ')) ?? partyId(textAt(tree, element, 'CPF'));
  return cpfCnpj ? [{ papel, cpfCnpj, nome: textAt(tree, element, 'xNome') }] : [];
}

/** Every party of the note with its part in it; ids that are empty or zeros are nobody. @fonte domain 1.2, 6 */
function readParticipantes({ tree, infNFe, emit }: PartesDaNota): Participante[] {
  const all = [
    ...party(tree, emit, PAPEL.emitente),
    ...party(tree, child(infNFe, 'dest'), PAPEL.destinatario),
    ...party(tree, descend(infNFe, 'transp', 'transporta'), PAPEL.transportador),
    ...party(tree, child(infNFe, 'retirada'), PAPEL.retirada),
    ...party(tree, child(infNFe, 'entrega'), PAPEL.entrega),
    ...party(tree, child(infNFe, 'infIntermed'), PAPEL.intermediario),
    ...childrenNamed(infNFe, 'autXML').flatMap((element) => party(tree, element, PAPEL.autorizado)),
  ];
  const seen = new Set<string>();
  return all.filter(({ papel, cpfCnpj }) => {
    const key = `${papel} ${cpfCnpj}`;
    return seen.has(key) ? false : seen.add(key);
  });
}

function matching(text: string | null, pattern: RegExp): string | null {
  return text !== null && pattern.test(text) ? text : null;
}

function readItens({ tree, infNFe }: PartesDaNota): ItemFiscal[] {
  return childrenNamed(infNFe, 'det').map((det, index) => {
    const prod = child(det, 'prod');
    const nItem = attribute(det, 'nItem')?.trim() ?? '';
    return {
      numero: /^[1-9]\d{0,3}$/.test(nItem) ? Number(nItem) : index + 1,
      cfop: matching(textAt(tree, prod, 'CFOP'), /^[1-7]\d{3}$/),
      ncm: matching(textAt(tree, prod, 'NCM'), /^\d{2,8}$/),
      valor: matching(textAt(tree, prod, 'vProd'), DECIMAL),
    };
  });
}

/** Series and number as ide says them; the key's own where ide says none or nonsense. */
function readNumber(tree: XmlTree, ide: XmlElement | null, name: string, fromKey: string): string {
  return withoutLeadingZeros(matching(textAt(tree, ide, name), /^\d{1,9}$/) ?? fromKey);
}

function readModelo(
  context: Contexto,
  parts: PartesDaNota,
  chave: Chave,
): { ok: true; modelo: '55' | '65' } | Recusa {
  const modelo = textAt(parts.tree, parts.ide, 'mod') ?? chave.slice(20, 22);
  if (modelo === MODEL_NFE || modelo === MODEL_NFCE) return { ok: true, modelo };
  return refuseAt(
    context,
    'modelo_nao_suportado',
    `O modelo (ide/mod) é "${modelo.slice(0, 10)}"; uma NF-e tem 55 e uma NFC-e, 65. Envie o XML como a SEFAZ o autorizou.`,
    { element: parts.ide ?? parts.infNFe, missing: 'mod' },
  );
}

/** What could be read in two ways is refused before anything is read. */
function judgeStructure(context: Contexto, parts: PartesDaNota): Recusa | null {
  const { root, nfe, infNFe } = parts;
  const notes = root.children.filter((c) => c.localName.toLowerCase() === 'nfe');
  const protocols = root.children.filter((c) => c.localName.toLowerCase() === 'protnfe');
  return (
    (nfe === root
      ? null
      : (refuseRepeated(context, notes) ??
        refuseRepeated(context, protocols) ??
        refuseRepeated(context, allNamed(root, 'infProt')))) ??
    refuseRepeated(context, allNamed(root, 'infNFe')) ??
    refuseRepeated(context, childrenNamed(infNFe, 'ide')) ??
    refuseRepeated(context, childrenNamed(infNFe, 'emit'))
  );
}

function signedDigest(tree: XmlTree, nfe: XmlElement): string | null {
  return textAt(tree, nfe, 'Signature', 'SignedInfo', 'Reference', 'DigestValue');
}

/** What the rules have settled about a note. */
type Julgado = Pick<
  Documento,
  'chave' | 'ambiente' | 'dataEmissao' | 'statusProtocolo' | 'digest' | 'avisos'
> & { modelo: '55' | '65' };

function buildDocumento(parts: PartesDaNota, judged: Julgado): Documento {
  const { tree, infNFe, ide } = parts;
  const { chave, dataEmissao } = judged;
  const layout = attribute(infNFe, 'versao')?.trim() || null;
  const tpNF = textAt(tree, ide, 'tpNF');
  return {
    ...judged,
    classe: 'documento',
    especie: judged.modelo === MODEL_NFCE ? ESPECIE.nfce : ESPECIE.nfe,
    layout,
    serie: readNumber(tree, ide, 'serie', chave.slice(22, 25)),
    numero: readNumber(tree, ide, 'nNF', chave.slice(25, 34)),
    tpNF: tpNF === '0' || tpNF === '1' ? tpNF : null,
    natureza: textAt(tree, ide, 'natOp'),
    participantes: readParticipantes(parts),
    valor: matching(textAt(tree, infNFe, 'total', 'ICMSTot', 'vNF'), DECIMAL),
    finalidade: describeFinNFe({
      finNFe: textAt(tree, ide, 'finNFe'),
      tpNFDebito: textAt(tree, ide, 'tpNFDebito'),
      tpNFCredito: textAt(tree, ide, 'tpNFCredito'),
    }),
    itens: readItens(parts),
    protocolo: parts.protocolo,
    layoutNacional: false,
    municipioPrestacao: null,
    avisos: [
      ...judged.avisos,
      ...layoutWarning(layout),
      ...keyWarnings({ parts, chave, layout, dataEmissao }),
      ...digestWarning(parts.protocolo, signedDigest(tree, parts.nfe)),
    ],
  };
}

/**
 * Reads an NF-e or NFC-e of any layout (1.10 to 4.00), bare or with its protocol.
 *
 * @param input.root the `nfeProc` or `NFe`, root of its own tree
 * @param input.digest identity of the signed content, asked once the note is known to be readable
 * @fonte domain 1.2, 2.2, 5.1
 */
export function parseNfe(input: {
  tree: XmlTree;
  root: XmlElement;
  digest: (signed: XmlElement) => string;
}): Leitura<Documento> {
  const { tree, root } = input;
  const context: Contexto = { tree, especie: ESPECIE.nfe, chave: null };
  const parts = takeApart(tree, root);
  if (!parts) {
    return refuseAt(context, 'nfe_sem_infnfe', 'O elemento NFe não traz o grupo infNFe.', { element: root });
  }
  const { infNFe, ide } = parts;

  const namespace = judgeNamespace(context, infNFe);
  if (!namespace.ok) return namespace;
  const repeated = judgeStructure(context, parts);
  if (repeated) return repeated;
  const key = readChave(context, parts);
  if (!key.ok) return key;
  context.chave = key.chave;

  const model = readModelo(context, parts, key.chave);
  if (!model.ok) return model;
  context.especie = model.modelo === MODEL_NFCE ? ESPECIE.nfce : ESPECIE.nfe;
  const protocol = judgeProtocolo(context, parts, key.chave);
  if (!protocol.ok) return protocol;
  if (!parts.protocolo && !hasValidCheckDigit(key.chave)) {
    return refuseAt(
      context,
      'chave_com_dv_invalido',
      `O dígito verificador da chave ${key.chave} não confere e não há protocolo da SEFAZ que a confirme. Envie o nfeProc com o protocolo, ou corrija a chave na origem.`,
      { element: infNFe },
    );
  }
  const issuer = judgeEmitente(context, parts);
  if (!issuer.ok) return issuer;
  const environment = readAmbiente(context, [ide, parts.infProt]);
  if (!environment.ok) return environment;
  const cUF = textAt(tree, ide, 'cUF') ?? key.chave.slice(0, 2);
  const date = readDateField(context, ide ?? infNFe, { names: ['dhEmi', 'dEmi'], cUF });
  if (!date.ok) return date;

  const registro = buildDocumento(parts, {
    chave: key.chave,
    modelo: model.modelo,
    ambiente: environment.ambiente,
    dataEmissao: date.data,
    statusProtocolo: protocol.status,
    digest: input.digest(infNFe),
    avisos: [...namespace.avisos, ...key.avisos, ...protocol.avisos],
  });
  return { ok: true, registro, assinado: infNFe };
}
