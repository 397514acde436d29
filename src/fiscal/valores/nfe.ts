/**
 * Totals and items of NF-e and NFC-e, of CF-e SAT, and of the kinds that follow them (NFCom, NF3e, NFAg, NFGas).
 * @fonte XSD leiauteNFe_v4.00 (total, det, imposto) and DFeTiposBasicos_v1.00 (IBSCBS, IS); CF-e SAT, layout 0.08
 */
import { childrenNamed } from '../xml/tree.ts';
import { sumDecimals } from './decimal.ts';
import { atributo, grupo, type Lugar, parte, semRepetir, texto, valor } from './lugares.ts';
import type { ItemEscriturado, TotaisDoDocumento, Tributos, ValoresDoDocumento } from './tipos.ts';

/** @param inf `infNFe`, `infCFe`, `infNFCom` … */
export function valoresDaNota(inf: Lugar): Omit<ValoresDoDocumento, 'protocolo' | 'autorizadoEm'> {
  const itens = childrenNamed(inf.em, 'det').map((em, index) => itemDe({ tree: inf.tree, em }, index + 1));
  return {
    natureza: texto(inf, 'ide/natOp'),
    cfops: semRepetir(itens.map(({ cfop }) => cfop)),
    emitente: { ie: texto(inf, 'emit/IE'), uf: texto(inf, 'emit/enderEmit/UF') },
    destinatario: { ie: texto(inf, 'dest/IE'), uf: texto(inf, 'dest/enderDest/UF') },
    totais: totaisDe(inf, itens),
    itens,
  };
}

function totaisDe(inf: Lugar, itens: readonly ItemEscriturado[]): TotaisDoDocumento {
  const total = parte(inf, 'total');
  const icms = parte(total, 'ICMSTot');
  const iss = parte(total, 'ISSQNtot');
  const ibsCbs = parte(total, 'IBSCBSTot');
  const dosItens = (campo: keyof Tributos) => sumDecimals(...itens.map((item) => item[campo]));
  return {
    produtos: sumDecimals(valor(icms, 'vProd') ?? valor(total, 'vProd'), valor(iss, 'vServ')),
    desconto: valor(icms, 'vDesc') ?? valor(total, 'vDesc'),
    frete: valor(icms, 'vFrete'),
    seguro: valor(icms, 'vSeg'),
    outras: valor(icms, 'vOutro') ?? valor(total, 'vOutro'),
    // CF-e has no total of it.
    baseIcms: valor(icms, 'vBC') ?? dosItens('baseIcms'),
    icms: valor(icms, 'vICMS'),
    icmsDesonerado: valor(icms, 'vICMSDeson'),
    fcp: valor(icms, 'vFCP'),
    baseSt: valor(icms, 'vBCST'),
    st: valor(icms, 'vST'),
    fcpSt: valor(icms, 'vFCPST'),
    // Of these the layout has a total of the value alone.
    baseIpi: dosItens('baseIpi'),
    ipi: valor(icms, 'vIPI'),
    ii: valor(icms, 'vII'),
    basePis: dosItens('basePis'),
    // Those of services stand apart, and are no part of those of goods.
    pis: sumDecimals(valor(icms, 'vPIS') ?? valor(total, 'vPIS'), valor(iss, 'vPIS')),
    baseCofins: dosItens('baseCofins'),
    cofins: sumDecimals(valor(icms, 'vCOFINS') ?? valor(total, 'vCOFINS'), valor(iss, 'vCOFINS')),
    baseIss: valor(iss, 'vBC'),
    iss: valor(iss, 'vISS'),
    issRetido: null,
    baseIbsCbs: valor(ibsCbs, 'vBCIBSCBS'),
    ibs: valor(ibsCbs, 'gIBS/vIBS'),
    cbs: valor(ibsCbs, 'gCBS/vCBS'),
    baseIs: dosItens('baseIs'),
    is: valor(total, 'ISTot/vIS'),
  };
}

function itemDe(det: Lugar, lugar: number): ItemEscriturado {
  const prod = parte(det, 'prod');
  const imposto = parte(det, 'imposto');
  return {
    numero: Number(atributo(det, 'nItem')) || lugar,
    codigo: texto(prod, 'cProd'),
    descricao: texto(prod, 'xProd'),
    ncm: texto(prod, 'NCM'),
    cest: texto(prod, 'CEST'),
    cfop: texto(prod, 'CFOP'),
    unidade: texto(prod, 'uCom') ?? texto(prod, 'uMed'),
    quantidade: valor(prod, 'qCom', 'qFaturada'),
    unitario: valor(prod, 'vUnCom', 'vItem'),
    valor: valor(prod, 'vProd'),
    desconto: valor(prod, 'vDesc'),
    ...tributosDoItem(imposto),
  };
}

type TributosDoItem = Tributos &
  Pick<
    ItemEscriturado,
    'cstIcms' | 'aliquotaIcms' | 'cstIpi' | 'cstPis' | 'cstCofins' | 'cstIbsCbs' | 'classificacao'
  >;

function tributosDoItem(imposto: Lugar): TributosDoItem {
  // NFCom writes its group right into the item (`imposto/ICMS00`).
  const proprio = imposto.em?.children.find(({ localName }) => /^ICMS(?:SN)?\d+$/.test(localName)) ?? null;
  const icms = proprio ? { tree: imposto.tree, em: proprio } : grupo(imposto, 'ICMS');
  const ipi = parte(imposto, 'IPI/IPITrib');
  const pis = tributoComGrupo(imposto, 'PIS');
  const cofins = tributoComGrupo(imposto, 'COFINS');
  const iss = parte(imposto, 'ISSQN');
  const ibsCbs = parte(imposto, 'IBSCBS');
  const is = parte(imposto, 'IS');
  return {
    cstIcms: texto(icms, 'CST') ?? texto(icms, 'CSOSN'),
    baseIcms: valor(icms, 'vBC'),
    aliquotaIcms: valor(icms, 'pICMS'),
    icms: valor(icms, 'vICMS'),
    baseSt: valor(icms, 'vBCST'),
    st: valor(icms, 'vICMSST'),
    cstIpi: texto(ipi, 'CST') ?? texto(imposto, 'IPI/IPINT/CST'),
    baseIpi: valor(ipi, 'vBC'),
    ipi: valor(ipi, 'vIPI'),
    cstPis: texto(pis, 'CST'),
    basePis: valor(pis, 'vBC'),
    pis: valor(pis, 'vPIS'),
    cstCofins: texto(cofins, 'CST'),
    baseCofins: valor(cofins, 'vBC'),
    cofins: valor(cofins, 'vCOFINS'),
    baseIss: valor(iss, 'vBC'),
    iss: valor(iss, 'vISSQN'),
    ...tributosDaReforma(ibsCbs),
    baseIs: valor(is, 'vBCIS'),
    is: valor(is, 'vIS'),
  };
}

/** `PIS/PISAliq` of NF-e and CF-e; `PIS` itself of NFCom. */
function tributoComGrupo(imposto: Lugar, nome: string): Lugar {
  const dentro = grupo(imposto, nome);
  return dentro.em ? dentro : parte(imposto, nome);
}

/** `IBSCBS` of an item, and of a CT-e. */
export function tributosDaReforma(
  ibsCbs: Lugar,
): Pick<TributosDoItem, 'cstIbsCbs' | 'classificacao' | 'baseIbsCbs' | 'ibs' | 'cbs'> {
  const valores = parte(ibsCbs, 'gIBSCBS');
  return {
    cstIbsCbs: texto(ibsCbs, 'CST'),
    classificacao: texto(ibsCbs, 'cClassTrib'),
    baseIbsCbs: valor(valores, 'vBC'),
    ibs:
      valor(valores, 'vIBS') ??
      sumDecimals(valor(valores, 'gIBSUF/vIBSUF'), valor(valores, 'gIBSMun/vIBSMun')),
    cbs: valor(valores, 'gCBS/vCBS'),
  };
}
