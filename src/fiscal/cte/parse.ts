import { type Julgado, judgeDfe } from '../dfe/julgar.ts';
import {
  CFOP,
  DECIMAL,
  matching,
  type PartesDoDfe,
  readNumber,
  signedDigest,
  takeApart,
} from '../dfe/partes.ts';
import { digestWarning, keyWarnings, layoutWarning } from '../dfe/rules.ts';
import { type Contexto, findLike, type Leitura, refuseAt } from '../leitura.ts';
import type { Recusa } from '../rejeicoes.ts';
import { type Chave, type Documento, ESPECIE, type ItemFiscal } from '../tipos.ts';
import { attribute, child, textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { describeTpCte } from './finalidade-cte.ts';
import { CTE } from './nomes.ts';
import { readParticipantes } from './participantes.ts';

type ModeloDoCte = '57' | '67' | '64';

/** Model and especie of each element of the family. @fonte docs/regras.md, kinds */
const POR_ELEMENTO: Readonly<
  Record<string, { modelo: ModeloDoCte; especie: 'CTe' | 'CTeOS' | 'GTVe'; sigla: string }>
> = {
  cte: { modelo: '57', especie: ESPECIE.cte, sigla: 'CT-e' },
  ctesimp: { modelo: '57', especie: ESPECIE.cte, sigla: 'CT-e simplificado' },
  cteos: { modelo: '67', especie: ESPECIE.cteOs, sigla: 'CT-e OS' },
  gtve: { modelo: '64', especie: ESPECIE.gtve, sigla: 'GTV-e' },
};
const CTE_COMUM = { modelo: '57', especie: ESPECIE.cte, sigla: 'CT-e' } as const;

function kindOf(documento: XmlElement) {
  return POR_ELEMENTO[documento.localName.toLowerCase()] ?? CTE_COMUM;
}

function judgeModelo(context: Contexto, parts: PartesDoDfe, chave: Chave): Recusa | null {
  const kind = kindOf(parts.documento);
  const modelo = textAt(parts.tree, parts.ide, 'mod') ?? chave.slice(20, 22);
  if (modelo === kind.modelo) return null;
  return refuseAt(
    context,
    'modelo_nao_suportado',
    `O modelo (ide/mod) é "${modelo.slice(0, 10)}"; o de ${kind.sigla} é ${kind.modelo}. Envie o XML como a SEFAZ o autorizou.`,
    { element: parts.ide ?? parts.inf, missing: 'mod' },
  );
}

/** Total of the service; where there is none, of the document (2026). GTV-e has no value. @fonte XSD cteTiposBasico_v4.00 */
function readValor({ tree, inf }: PartesDoDfe): string | null {
  const paths = [
    ['vPrest', 'vTPrest'],
    ['total', 'vTPrest'],
    ['imp', 'vTotDFe'],
    ['total', 'vTotDFe'],
  ];
  for (const path of paths) {
    const value = matching(textAt(tree, inf, ...path), DECIMAL);
    if (value !== null) return value;
  }
  return null;
}

/** One CFOP for the whole document, so one item. */
function readItens({ tree, ide }: PartesDoDfe, valor: string | null): ItemFiscal[] {
  const cfop = matching(textAt(tree, ide, 'CFOP'), CFOP);
  return cfop === null ? [] : [{ numero: 1, cfop, ncm: null, valor }];
}

/** The document that this one replaces or annuls: that one stays authorised, so a person must be told. */
function referenceNotes({ tree, inf }: PartesDoDfe): string[] {
  const replaced = textAt(tree, findLike(inf, 'infCteSub'), 'chCte');
  const annulled = textAt(tree, findLike(inf, 'infCteAnu'), 'chCte');
  return [
    ...(replaced ? [`Este CT-e substitui o de chave ${replaced.slice(0, 44)}.`] : []),
    ...(annulled ? [`Este CT-e anula o de chave ${annulled.slice(0, 44)}.`] : []),
  ];
}

/** What the Fisco had to say when it authorised the document (`protCTe/infFisco`, or in infProt as NF-e has it). */
function fiscoNotes({ tree, infProt }: PartesDoDfe): string[] {
  const place = child(infProt?.parent, 'infFisco') ?? infProt;
  const words = textAt(tree, place, 'xMsg');
  return words ? [`Mensagem do Fisco: ${words.slice(0, 300)}`] : [];
}

function buildDocumento(parts: PartesDoDfe, judged: Julgado): Documento {
  const { tree, inf, ide } = parts;
  const { chave, dataEmissao } = judged;
  const { modelo, especie } = kindOf(parts.documento);
  const layout = attribute(inf, 'versao')?.trim() || null;
  const valor = readValor(parts);
  return {
    ...judged,
    classe: 'documento',
    especie,
    modelo,
    layout,
    serie: readNumber(parts, 'serie', chave.slice(22, 25)),
    numero: readNumber(parts, 'nCT', chave.slice(25, 34)),
    tpNF: null,
    natureza: textAt(tree, ide, 'natOp'),
    participantes: readParticipantes(parts),
    valor,
    finalidade: describeTpCte(textAt(tree, ide, 'tpCTe'), modelo),
    itens: readItens(parts, valor),
    layoutNacional: false,
    municipioPrestacao: null,
    avisos: [
      ...judged.avisos,
      ...layoutWarning(layout, CTE.layouts),
      ...keyWarnings({
        parts,
        chave,
        dataEmissao,
        // The first layouts had no tpEmis in the key, and a code of nine digits.
        semTpEmis: textAt(tree, ide, 'cCT')?.length === 9,
        comEmitente: true,
      }),
      ...digestWarning(judged.protocolo, signedDigest(parts)),
      ...referenceNotes(parts),
      ...fiscoNotes(parts),
    ],
  };
}

/**
 * Reads a CT-e, CT-e Simplificado, CT-e OS or GTV-e of any layout (1.x to 4.00), bare or with its protocol.
 *
 * @param input.root the wrapper (`cteProc` …) or the bare document, root of its own tree
 * @param input.digest identity of the signed content, asked once the document is known to be readable
 * @fonte XSD cteTiposBasico_v4.00; MOC CT-e 4.00
 */
export function parseCte(input: {
  tree: XmlTree;
  root: XmlElement;
  digest: (signed: XmlElement) => string;
}): Leitura<Documento> {
  const { tree, root } = input;
  const context: Contexto = { tree, especie: ESPECIE.cte, chave: null };
  const parts = takeApart(CTE, tree, root);
  if (!parts) {
    return refuseAt(context, 'cte_sem_infcte', 'O elemento CTe não traz o grupo infCte.', { element: root });
  }
  context.especie = kindOf(parts.documento).especie;
  const judged = judgeDfe(context, parts, {
    namespace: CTE,
    judgeModelo: (chave) => judgeModelo(context, parts, chave),
    digest: input.digest,
  });
  if (!judged.ok) return judged;
  return { ok: true, registro: buildDocumento(parts, judged.julgado), assinado: parts.inf };
}
