import { hasValidCheckDigit, splitChave, withoutLeadingZeros } from '../chave.ts';
import { readItens } from '../dfe/itens.ts';
import { DECIMAL, matching } from '../dfe/partes.ts';
import { party } from '../dfe/participantes.ts';
import { differenceWarning, judgeEmitente, layoutWarning, padded } from '../dfe/rules.ts';
import { type Contexto, type Leitura, refuseAt } from '../leitura.ts';
import type { Recusa } from '../rejeicoes.ts';
import { type Chave, type Documento, ESPECIE, PAPEL, STATUS_DOCUMENTO } from '../tipos.ts';
import { attribute, child, textAt, type XmlElement, type XmlTree } from '../xml/tree.ts';
import {
  judgeStructure,
  LAYOUTS_CFE,
  MODELO_CFE,
  type PartesDoCfe,
  readAmbienteDoCfe,
  readChave,
  readEmissao,
  takeApart,
} from './partes.ts';

const PEDIDO =
  'O CF-e SAT não tem o atributo Id com a chave: é só o pedido de venda, antes de o equipamento SAT o transformar em cupom. Envie o XML que o SAT devolveu (em geral AD seguido da chave).';

function judgeModelo(context: Contexto, { tree, ide, inf }: PartesDoCfe, chave: Chave): Recusa | null {
  const modelo = textAt(tree, ide, 'mod') ?? chave.slice(20, 22);
  if (modelo === MODELO_CFE) return null;
  return refuseAt(
    context,
    'modelo_nao_suportado',
    `O modelo (ide/mod) é "${modelo.slice(0, 10)}"; o de um CF-e SAT é ${MODELO_CFE}. Envie o XML como o equipamento SAT o gerou.`,
    { element: ide ?? inf, missing: 'mod' },
  );
}

/** The device's signature is the proof that a protocol is elsewhere; without it the key must prove itself. */
function judgeCheckDigit(context: Contexto, { inf, assinado }: PartesDoCfe, chave: Chave): Recusa | null {
  if (assinado || hasValidCheckDigit(chave)) return null;
  return refuseAt(
    context,
    'chave_com_dv_invalido',
    `O dígito verificador da chave ${chave} não confere e não há assinatura do equipamento SAT que a confirme. Envie o XML que o SAT devolveu.`,
    { element: inf },
  );
}

function keyWarnings({ tree, ide, emit }: PartesDoCfe, chave: Chave, dataEmissao: string): string[] {
  const field = (name: string, length: number): string | null => padded(textAt(tree, ide, name), length);
  return differenceWarning([
    ['ide/cUF', field('cUF', 2), chave.slice(0, 2)],
    ['ano e mês da emissão', dataEmissao.slice(2, 4) + dataEmissao.slice(5, 7), chave.slice(2, 6)],
    ['emit', textAt(tree, emit, 'CNPJ')?.toUpperCase() ?? null, chave.slice(6, 20)],
    ['ide/mod', field('mod', 2), chave.slice(20, 22)],
    ['ide/nserieSAT', field('nserieSAT', 9), chave.slice(22, 31)],
    ['ide/nCFe', field('nCFe', 6), chave.slice(31, 37)],
    ['ide/cNF', field('cNF', 6), chave.slice(37, 43)],
    ['ide/cDV', field('cDV', 1), chave.slice(43)],
  ]);
}

function proofWarnings({ assinado }: PartesDoCfe, chave: Chave): string[] {
  if (!assinado) {
    return [
      'O CF-e veio sem a assinatura do equipamento SAT, que prova a emissão; fica pendente até vir com ela.',
    ];
  }
  return hasValidCheckDigit(chave)
    ? []
    : ['O dígito verificador da chave não confere; o CF-e foi aceito pela assinatura do equipamento SAT.'];
}

/** What the rules have settled about a coupon. */
type Julgado = Pick<Documento, 'chave' | 'ambiente' | 'dataEmissao' | 'digest'>;

function buildDocumento(parts: PartesDoCfe, judged: Julgado): Documento {
  const { tree, inf, ide, emit, assinado } = parts;
  const { chave, dataEmissao } = judged;
  const fromKey = splitChave(chave);
  const number = (name: string, inKey: string): string =>
    withoutLeadingZeros(matching(textAt(tree, ide, name), /^\d{1,9}$/) ?? inKey);
  const layout = (attribute(inf, 'versao') ?? attribute(inf, 'versaoDadosEnt'))?.trim() || null;
  return {
    ...judged,
    classe: 'documento',
    especie: ESPECIE.cfe,
    modelo: MODELO_CFE,
    layout,
    serie: number('nserieSAT', fromKey.serie),
    numero: number('nCFe', fromKey.numero),
    tpNF: null,
    natureza: null,
    participantes: [
      ...party(tree, emit, PAPEL.emitente),
      ...party(tree, child(inf, 'dest'), PAPEL.destinatario),
    ],
    valor: matching(textAt(tree, inf, 'total', 'vCFe'), DECIMAL),
    finalidade: null,
    itens: readItens(tree, inf),
    protocolo: null,
    statusProtocolo: assinado ? STATUS_DOCUMENTO.autorizada : STATUS_DOCUMENTO.pendente,
    layoutNacional: false,
    municipioPrestacao: null,
    avisos: [
      ...proofWarnings(parts, chave),
      ...layoutWarning(layout, LAYOUTS_CFE),
      ...keyWarnings(parts, chave, dataEmissao),
    ],
  };
}

/**
 * Reads a CF-e SAT (layouts 0.06 to 0.08). It has no protocol: with its key and the signature of the SAT device it
 * is final; without the signature it waits for a copy that has it.
 *
 * @param input.root the `CFe`, root of its own tree
 * @param input.digest identity of the signed content, asked once the coupon is known to be readable
 * @fonte layout of CF-e SAT 0.08; MOC NF-e 7.0 Anexo I; docs/regras.md, status
 */
export function parseCfe(input: {
  tree: XmlTree;
  root: XmlElement;
  digest: (signed: XmlElement) => string;
}): Leitura<Documento> {
  const { tree, root } = input;
  const context: Contexto = { tree, especie: ESPECIE.cfe, chave: null };
  const parts = takeApart(tree, root);
  if (!parts) {
    return refuseAt(context, 'cfe_sem_infcfe', 'O elemento CFe não traz o grupo infCFe.', { element: root });
  }
  const repeated = judgeStructure(context, parts);
  if (repeated) return repeated;
  const key = readChave(context, parts, PEDIDO);
  if (!key.ok) return key;
  const { chave } = key;
  context.chave = chave;
  const wrong = judgeModelo(context, parts, chave) ?? judgeCheckDigit(context, parts, chave);
  if (wrong) return wrong;
  const issuer = judgeEmitente(context, parts);
  if (!issuer.ok) return issuer;
  const environment = readAmbienteDoCfe(context, parts);
  if (!environment.ok) return environment;
  const cUF = textAt(tree, parts.ide, 'cUF') ?? chave.slice(0, 2);
  const date = readEmissao(context, parts, cUF);
  if (!date.ok) return date;
  const registro = buildDocumento(parts, {
    chave,
    ambiente: environment.ambiente,
    dataEmissao: date.data,
    digest: input.digest(parts.inf),
  });
  return { ok: true, registro, assinado: parts.inf };
}
