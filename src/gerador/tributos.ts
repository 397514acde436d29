import type { Empresa } from './empresas.ts';
import { internalRate, interstateRate } from './municipios.ts';
import type { Operacao } from './operacoes.ts';
import type { Produto } from './produtos.ts';
import { branch, leaf, moneyLeaf, percentOf } from './xml.ts';

/** Everything outside the article that decides its taxes. */
export interface ContextoFiscal {
  emitente: Empresa;
  ufDestino: string;
  contribuinte: boolean;
  consumidorFinal: boolean;
  operacao: Operacao;
  layout: '4.00' | '3.10';
  /** Whether the groups of IBS and CBS are written (issued in 2026 or later, regime normal). */
  comIbsCbs: boolean;
}

/** One article sold; money in cents, quantity in thousandths. */
export interface Linha {
  produto: Produto;
  quantidade: number;
  preco: number;
  vProd: number;
  vDesc: number;
  vFrete: number;
}

/** Amounts in cents under their XML names; a total is the sum over the items. */
export interface Valores {
  vProd: number;
  vDesc: number;
  vFrete: number;
  vBC: number;
  vICMS: number;
  vBCST: number;
  vST: number;
  vIPI: number;
  vPIS: number;
  vCOFINS: number;
  vTotTrib: number;
  vFCPUFDest: number;
  vICMSUFDest: number;
  vICMSUFRemet: number;
  vBCIBSCBS: number;
  vIBS: number;
  vCBS: number;
}

export const ZERO: Readonly<Valores> = {
  vProd: 0,
  vDesc: 0,
  vFrete: 0,
  vBC: 0,
  vICMS: 0,
  vBCST: 0,
  vST: 0,
  vIPI: 0,
  vPIS: 0,
  vCOFINS: 0,
  vTotTrib: 0,
  vFCPUFDest: 0,
  vICMSUFDest: 0,
  vICMSUFRemet: 0,
  vBCIBSCBS: 0,
  vIBS: 0,
  vCBS: 0,
};

/** One tax group: its XML and what it adds to the totals. */
interface Grupo {
  xml: string;
  valores: Partial<Valores>;
}

const MVA = 40;
const REDUCTION = 33.33;
const CREDIT_SIMPLES = 2.56;
const IPI_RATES = [0, 3.25, 5, 6.5, 9.75];
const PIS_RATE = 1.65;
const COFINS_RATE = 7.6;
const FCP_RATE = 2;
/** Test rates of 2026, in percent. @fonte Lei Complementar 214/2025, arts. 343 and 346 */
const IBS_RATE = 0.1;
const CBS_RATE = 0.9;

/** Whether the issuer made the article; restaurants make what is not under ST. */
export function isOwnProduction(emitente: Empresa, produto: Produto): boolean {
  if (emitente.perfil === 'restaurante') return !produto.st;
  return emitente.perfil === 'industria' || emitente.perfil === 'produtor';
}

const rate = (percent: number): string => percent.toFixed(2);

function baseOf(linha: Linha): number {
  return linha.vProd - linha.vDesc + linha.vFrete;
}

function icmsSimples(ctx: ContextoFiscal, linha: Linha): Grupo {
  const none = (group: string, csosn: string): Grupo => ({
    xml: branch(group, leaf('orig', 0), leaf('CSOSN', csosn)),
    valores: {},
  });
  if (ctx.operacao.tributacao === 'devolucao') return none('ICMSSN900', '900');
  if (ctx.operacao.tributacao !== 'venda') return none('ICMSSN102', '400');
  if (linha.produto.st) return none('ICMSSN500', '500');
  if (!ctx.contribuinte) return none('ICMSSN102', '102');
  const credit = percentOf(baseOf(linha), CREDIT_SIMPLES);
  const fields = [leaf('pCredSN', rate(CREDIT_SIMPLES)), moneyLeaf('vCredICMSSN', credit)];
  return { xml: branch('ICMSSN101', leaf('orig', 0), leaf('CSOSN', '101'), ...fields), valores: {} };
}

function rateOf(ctx: ContextoFiscal): number {
  const { uf } = ctx.emitente;
  return uf === ctx.ufDestino ? internalRate(uf) : interstateRate(uf, ctx.ufDestino);
}

function icms00(ctx: ContextoFiscal, linha: Linha): Grupo {
  const vBC = baseOf(linha);
  const vICMS = percentOf(vBC, rateOf(ctx));
  const fields = [leaf('orig', 0), leaf('CST', '00'), leaf('modBC', 3), moneyLeaf('vBC', vBC)];
  return {
    xml: branch('ICMS00', ...fields, leaf('pICMS', rate(rateOf(ctx))), moneyLeaf('vICMS', vICMS)),
    valores: { vBC, vICMS },
  };
}

function icms20(ctx: ContextoFiscal, linha: Linha): Grupo {
  const vBC = percentOf(baseOf(linha), 100 - REDUCTION);
  const vICMS = percentOf(vBC, rateOf(ctx));
  const fields = [leaf('orig', 0), leaf('CST', '20'), leaf('modBC', 3), leaf('pRedBC', rate(REDUCTION))];
  const amounts = [moneyLeaf('vBC', vBC), leaf('pICMS', rate(rateOf(ctx))), moneyLeaf('vICMS', vICMS)];
  return { xml: branch('ICMS20', ...fields, ...amounts), valores: { vBC, vICMS } };
}

/** The manufacturer collects the tax of the following sales too. */
function icms10(ctx: ContextoFiscal, linha: Linha): Grupo {
  const vBC = baseOf(linha);
  const vICMS = percentOf(vBC, rateOf(ctx));
  const vBCST = percentOf(vBC, 100 + MVA);
  const internal = internalRate(ctx.ufDestino);
  const vST = Math.max(0, percentOf(vBCST, internal) - vICMS);
  const own = [leaf('orig', 0), leaf('CST', '10'), leaf('modBC', 3), moneyLeaf('vBC', vBC)];
  const next = [leaf('modBCST', 4), leaf('pMVAST', rate(MVA)), moneyLeaf('vBCST', vBCST)];
  return {
    xml: branch(
      'ICMS10',
      ...own,
      leaf('pICMS', rate(rateOf(ctx))),
      moneyLeaf('vICMS', vICMS),
      ...next,
      leaf('pICMSST', rate(internal)),
      moneyLeaf('vICMSST', vST),
    ),
    valores: { vBC, vICMS, vBCST, vST },
  };
}

function icmsNormal(ctx: ContextoFiscal, linha: Linha): Grupo {
  const none = (group: string, cst: string): Grupo => ({
    xml: branch(group, leaf('orig', 0), leaf('CST', cst)),
    valores: {},
  });
  const { tributacao } = ctx.operacao;
  if (tributacao === 'nao_incide') return none('ICMS40', '41');
  if (tributacao === 'suspensa') return none('ICMS40', '50');
  const isIntraUf = ctx.emitente.uf === ctx.ufDestino;
  // Deferred in the UF: the tax of farm goods is paid by the buyer later.
  if (tributacao === 'entrada' || (ctx.emitente.perfil === 'produtor' && isIntraUf))
    return none('ICMS51', '51');
  if (tributacao === 'venda' && linha.produto.st) {
    return isOwnProduction(ctx.emitente, linha.produto) && ctx.contribuinte
      ? icms10(ctx, linha)
      : none('ICMS60', '60');
  }
  // Basic food goes with a reduced base in most UFs.
  return /^(10|07|11|15)/.test(linha.produto.ncm) && isIntraUf ? icms20(ctx, linha) : icms00(ctx, linha);
}

function ipi(ctx: ContextoFiscal, linha: Linha): Grupo {
  if (ctx.emitente.perfil !== 'industria' || ctx.emitente.crt !== '3') return { xml: '', valores: {} };
  const percent = IPI_RATES[Number(linha.produto.ncm.slice(2, 4)) % IPI_RATES.length] ?? 0;
  if (ctx.operacao.tributacao !== 'venda' || percent === 0) {
    return { xml: branch('IPI', leaf('cEnq', '999'), branch('IPINT', leaf('CST', '53'))), valores: {} };
  }
  const vBC = baseOf(linha);
  const vIPI = percentOf(vBC, percent);
  const fields = [leaf('CST', '50'), moneyLeaf('vBC', vBC), leaf('pIPI', rate(percent))];
  return {
    xml: branch('IPI', leaf('cEnq', '999'), branch('IPITrib', ...fields, moneyLeaf('vIPI', vIPI))),
    valores: { vIPI },
  };
}

/** PIS or COFINS: the two have the same groups under two names. */
function contribution(
  ctx: ContextoFiscal,
  linha: Linha,
  name: 'PIS' | 'COFINS',
  icms: number,
): [string, number] {
  const { tributacao } = ctx.operacao;
  const other = (cst: string): [string, number] => {
    const fields = [
      leaf('CST', cst),
      moneyLeaf('vBC', 0),
      leaf(`p${name}`, '0.00'),
      moneyLeaf(`v${name}`, 0),
    ];
    return [branch(name, branch(`${name}Outr`, ...fields)), 0];
  };
  const untaxed = (cst: string): [string, number] => [branch(name, branch(`${name}NT`, leaf('CST', cst))), 0];
  if (tributacao === 'entrada') return other('70');
  if (ctx.emitente.crt === '1' || tributacao === 'devolucao') return other('49');
  if (tributacao !== 'venda') return untaxed('08');
  if (linha.produto.st) return untaxed('04');
  const vBC = baseOf(linha) - icms;
  const percent = name === 'PIS' ? PIS_RATE : COFINS_RATE;
  const value = percentOf(vBC, percent);
  const fields = [leaf('CST', '01'), moneyLeaf('vBC', vBC), leaf(`p${name}`, rate(percent))];
  return [branch(name, branch(`${name}Aliq`, ...fields, moneyLeaf(`v${name}`, value))), value];
}

/** Difference of rates due to the UF of a final consumer who is no taxpayer. @fonte EC 87/2015 */
function difal(ctx: ContextoFiscal, linha: Linha): Grupo {
  const { uf, crt } = ctx.emitente;
  const isDue =
    crt === '3' && uf !== ctx.ufDestino && !ctx.contribuinte && ctx.operacao.tributacao === 'venda';
  if (!isDue) return { xml: '', valores: {} };
  const base = baseOf(linha);
  const internal = internalRate(ctx.ufDestino);
  const inter = interstateRate(uf, ctx.ufDestino);
  const vICMSUFDest = percentOf(base, internal - inter);
  const vFCPUFDest = percentOf(base, FCP_RATE);
  return {
    xml: branch(
      'ICMSUFDest',
      moneyLeaf('vBCUFDest', base),
      ctx.layout === '4.00' ? moneyLeaf('vBCFCPUFDest', base) : '',
      leaf('pFCPUFDest', rate(FCP_RATE)),
      leaf('pICMSUFDest', rate(internal)),
      leaf('pICMSInter', rate(inter)),
      leaf('pICMSInterPart', '100.00'),
      moneyLeaf('vFCPUFDest', vFCPUFDest),
      moneyLeaf('vICMSUFDest', vICMSUFDest),
      moneyLeaf('vICMSUFRemet', 0),
    ),
    valores: { vFCPUFDest, vICMSUFDest },
  };
}

/** The `gIBSCBS` group at the test rates of 2026, over a base in cents. */
export function gIBSCBSXml(vBC: number): { xml: string; vIBS: number; vCBS: number } {
  const vIBS = percentOf(vBC, IBS_RATE);
  const vCBS = percentOf(vBC, CBS_RATE);
  const xml = branch(
    'gIBSCBS',
    moneyLeaf('vBC', vBC),
    branch('gIBSUF', leaf('pIBSUF', '0.1000'), moneyLeaf('vIBSUF', vIBS)),
    branch('gIBSMun', leaf('pIBSMun', '0.0000'), moneyLeaf('vIBSMun', 0)),
    moneyLeaf('vIBS', vIBS),
    branch('gCBS', leaf('pCBS', '0.9000'), moneyLeaf('vCBS', vCBS)),
  );
  return { xml, vIBS, vCBS };
}

function ibsCbs(ctx: ContextoFiscal, taxable: number): Grupo {
  if (!ctx.comIbsCbs) return { xml: '', valores: {} };
  if (ctx.operacao.tributacao !== 'venda' && ctx.operacao.tributacao !== 'devolucao') {
    return { xml: branch('IBSCBS', leaf('CST', '410'), leaf('cClassTrib', '410999')), valores: {} };
  }
  const { xml: values, vIBS, vCBS } = gIBSCBSXml(taxable);
  return {
    xml: branch('IBSCBS', leaf('CST', '000'), leaf('cClassTrib', '000001'), values),
    valores: { vBCIBSCBS: taxable, vIBS, vCBS },
  };
}

/** Taxes of one article: the `imposto` element and the amounts that go into the totals. */
export function tributar(ctx: ContextoFiscal, linha: Linha): { xml: string; valores: Valores } {
  const icms = ctx.emitente.crt === '1' ? icmsSimples(ctx, linha) : icmsNormal(ctx, linha);
  const ipiGroup = ipi(ctx, linha);
  const ownIcms = icms.valores.vICMS ?? 0;
  const [pisXml, vPIS] = contribution(ctx, linha, 'PIS', ownIcms);
  const [cofinsXml, vCOFINS] = contribution(ctx, linha, 'COFINS', ownIcms);
  const difalGroup = difal(ctx, linha);
  const ibs = ibsCbs(ctx, baseOf(linha) - ownIcms - vPIS - vCOFINS);
  const vTotTrib = ctx.consumidorFinal ? percentOf(linha.vProd - linha.vDesc, 31.45) : 0;
  const xml = branch(
    'imposto',
    ctx.consumidorFinal ? moneyLeaf('vTotTrib', vTotTrib) : '',
    branch('ICMS', icms.xml),
    ipiGroup.xml,
    pisXml,
    cofinsXml,
    difalGroup.xml,
    ibs.xml,
  );
  const { vProd, vDesc, vFrete } = linha;
  return {
    xml,
    valores: {
      ...ZERO,
      vProd,
      vDesc,
      vFrete,
      vPIS,
      vCOFINS,
      vTotTrib,
      ...icms.valores,
      ...ipiGroup.valores,
      ...difalGroup.valores,
      ...ibs.valores,
    },
  };
}
