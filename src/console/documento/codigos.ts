/** What the codes of fiscal XML mean, in words. A code that is not here is shown as it stands. */

import { tabela } from '../../fiscal/tabela.ts';
import { ufByCode } from '../../fiscal/uf.ts';
import { CODIGOS_DA_NFSE_NACIONAL, CODIGOS_NFSE } from './codigos-nfse.ts';

type Tabela = Readonly<Record<string, string>>;

const SIM_NAO: Tabela = { '0': 'Não', '1': 'Sim' };

const CST_PIS_COFINS: Tabela = {
  '01': 'Tributável, alíquota básica',
  '02': 'Tributável, alíquota diferenciada',
  '03': 'Tributável por unidade de medida',
  '04': 'Monofásica, alíquota zero',
  '05': 'Substituição tributária',
  '06': 'Alíquota zero',
  '07': 'Isenta',
  '08': 'Sem incidência',
  '09': 'Suspensão',
  '49': 'Outras operações de saída',
  '50': 'Crédito: receita tributada no mercado interno',
  '70': 'Aquisição sem direito a crédito',
  '98': 'Outras operações de entrada',
  '99': 'Outras operações',
};

const CST_IPI: Tabela = {
  '00': 'Entrada com recuperação de crédito',
  '01': 'Entrada tributada com alíquota zero',
  '02': 'Entrada isenta',
  '03': 'Entrada não tributada',
  '04': 'Entrada imune',
  '05': 'Entrada com suspensão',
  '49': 'Outras entradas',
  '50': 'Saída tributada',
  '51': 'Saída tributada com alíquota zero',
  '52': 'Saída isenta',
  '53': 'Saída não tributada',
  '54': 'Saída imune',
  '55': 'Saída com suspensão',
  '99': 'Outras saídas',
};

const CST_ICMS: Tabela = {
  '00': 'Tributada integralmente',
  '02': 'Monofásica própria sobre combustíveis',
  '10': 'Tributada e com ICMS por substituição tributária',
  '15': 'Monofásica própria e com retenção sobre combustíveis',
  '20': 'Com redução da base de cálculo',
  '30': 'Isenta ou não tributada e com ICMS por substituição tributária',
  '40': 'Isenta',
  '41': 'Não tributada',
  '45': 'Isenta, não tributada ou diferida',
  '50': 'Suspensão',
  '51': 'Diferimento',
  '53': 'Monofásica sobre combustíveis com recolhimento diferido',
  '60': 'ICMS cobrado anteriormente por substituição tributária',
  '61': 'Monofásica sobre combustíveis cobrada anteriormente',
  '70': 'Com redução da base e ICMS por substituição tributária',
  '90': 'Outras',
};

/** @fonte MOC NF-e 7.0 annex I and its technical notes; MOC CT-e 4.00; layout of CF-e SAT 0.08; layout of NFS-e 1.01 */
const CODIGOS: Readonly<Record<string, Tabela>> = tabela({
  tpNF: { '0': 'Entrada', '1': 'Saída' },
  idDest: { '1': 'Interna', '2': 'Interestadual', '3': 'Com o exterior' },
  tpImp: {
    '0': 'Sem DANFE',
    '1': 'Retrato',
    '2': 'Paisagem',
    '3': 'Simplificado',
    '4': 'DANFE NFC-e',
    '5': 'DANFE NFC-e em mensagem eletrônica',
  },
  tpEmis: {
    '1': 'Normal',
    '2': 'Contingência em formulário de segurança',
    '3': 'Regime especial NFF',
    '4': 'Contingência EPEC',
    '5': 'Contingência FS-DA',
    '6': 'Contingência SVC-AN',
    '7': 'Contingência SVC-RS',
    '8': 'Contingência SVC-SP',
    '9': 'Contingência off-line',
  },
  tpAmb: { '1': 'Produção', '2': 'Homologação, sem valor fiscal' },
  finNFe: {
    '1': 'Normal',
    '2': 'Complementar',
    '3': 'Ajuste',
    '4': 'Devolução',
    '5': 'Nota de crédito',
    '6': 'Nota de débito',
  },
  indFinal: SIM_NAO,
  indPres: {
    '0': 'Não se aplica',
    '1': 'Presencial',
    '2': 'Pela internet',
    '3': 'Por teleatendimento',
    '4': 'NFC-e com entrega em domicílio',
    '5': 'Presencial, fora do estabelecimento',
    '9': 'Não presencial, outros',
  },
  indIntermed: { '0': 'Sem intermediador', '1': 'Em site ou plataforma de terceiros' },
  procEmi: {
    '0': 'Aplicativo do contribuinte',
    '1': 'Avulsa, pelo Fisco',
    '2': 'Avulsa, pelo contribuinte no site do Fisco',
    '3': 'Aplicativo do Fisco',
    '4': 'Provedor de assinatura e autorização',
  },
  CRT: {
    '1': 'Simples Nacional',
    '2': 'Simples Nacional, excesso de sublimite',
    '3': 'Regime normal',
    '4': 'MEI',
  },
  // CF-e SAT.
  cRegTrib: { '1': 'Simples Nacional', '3': 'Regime normal' },
  indRatISSQN: { S: 'Sim', N: 'Não' },
  indIEDest: { '1': 'Contribuinte', '2': 'Isento de inscrição', '9': 'Não contribuinte' },
  indIEToma: { '1': 'Contribuinte', '2': 'Isento de inscrição', '9': 'Não contribuinte' },
  modFrete: {
    '0': 'Remetente (CIF)',
    '1': 'Destinatário (FOB)',
    '2': 'Terceiros',
    '3': 'Próprio, por conta do remetente',
    '4': 'Próprio, por conta do destinatário',
    '9': 'Sem transporte',
  },
  indPag: { '0': 'À vista', '1': 'A prazo', '2': 'Outros' },
  tPag: {
    '01': 'Dinheiro',
    '02': 'Cheque',
    '03': 'Cartão de crédito',
    '04': 'Cartão de débito',
    '05': 'Crédito na loja',
    '10': 'Vale-alimentação',
    '11': 'Vale-refeição',
    '12': 'Vale-presente',
    '13': 'Vale-combustível',
    '14': 'Duplicata mercantil',
    '15': 'Boleto bancário',
    '16': 'Depósito bancário',
    '17': 'Pix dinâmico',
    '18': 'Transferência ou carteira digital',
    '19': 'Programa de fidelidade, cashback ou crédito virtual',
    '20': 'Pix estático',
    '21': 'Crédito em loja por devolução',
    '22': 'Pagamento eletrônico não informado',
    '90': 'Sem pagamento',
    '91': 'Pagamento posterior',
    '99': 'Outros',
  },
  cMP: {
    '01': 'Dinheiro',
    '02': 'Cheque',
    '03': 'Cartão de crédito',
    '04': 'Cartão de débito',
    '05': 'Crédito na loja',
    '10': 'Vale-alimentação',
    '11': 'Vale-refeição',
    '12': 'Vale-presente',
    '13': 'Vale-combustível',
    '99': 'Outros',
  },
  tpIntegra: { '1': 'Integrado ao sistema', '2': 'Não integrado' },
  tBand: {
    '01': 'Visa',
    '02': 'Mastercard',
    '03': 'American Express',
    '04': 'Sorocred',
    '05': 'Diners Club',
    '06': 'Elo',
    '07': 'Hipercard',
    '08': 'Aura',
    '09': 'Cabal',
    '99': 'Outras',
  },
  indTot: { '0': 'Não', '1': 'Sim' },
  orig: {
    '0': 'Nacional',
    '1': 'Estrangeira, importação direta',
    '2': 'Estrangeira, adquirida no mercado interno',
    '3': 'Nacional, conteúdo importado de 40% a 70%',
    '4': 'Nacional, processos produtivos básicos',
    '5': 'Nacional, conteúdo importado até 40%',
    '6': 'Estrangeira, importação direta, sem similar',
    '7': 'Estrangeira, mercado interno, sem similar',
    '8': 'Nacional, conteúdo importado acima de 70%',
  },
  CSOSN: {
    '101': 'Tributada com permissão de crédito',
    '102': 'Tributada sem permissão de crédito',
    '103': 'Isenção por faixa de receita',
    '201': 'Com permissão de crédito e substituição tributária',
    '202': 'Sem permissão de crédito e com substituição tributária',
    '203': 'Isenção por faixa de receita e substituição tributária',
    '300': 'Imune',
    '400': 'Não tributada',
    '500': 'ICMS cobrado anteriormente por substituição tributária',
    '900': 'Outros',
  },
  modBC: {
    '0': 'Margem de valor agregado',
    '1': 'Pauta',
    '2': 'Preço tabelado máximo',
    '3': 'Valor da operação',
  },
  modBCST: {
    '0': 'Preço tabelado ou máximo sugerido',
    '1': 'Lista negativa',
    '2': 'Lista positiva',
    '3': 'Lista neutra',
    '4': 'Margem de valor agregado',
    '5': 'Pauta',
    '6': 'Valor da operação',
  },
  mod: {
    '55': 'NF-e',
    '65': 'NFC-e',
    '57': 'CT-e',
    '67': 'CT-e OS',
    '64': 'GTV-e',
    '59': 'CF-e SAT',
    '62': 'NFCom',
    '66': 'NF3e',
    '75': 'NFAg',
    '76': 'NFGas',
    '77': 'NF-e ABI',
  },
  tpCTe: {
    '0': 'Normal',
    '1': 'Complemento de valores',
    '2': 'Anulação',
    '3': 'Substituição',
    '4': 'GTV-e',
    '5': 'Simplificado',
    '6': 'Substituição do simplificado',
  },
  tpServ: {
    '0': 'Normal',
    '1': 'Subcontratação',
    '2': 'Redespacho',
    '3': 'Redespacho intermediário',
    '4': 'Vinculado a multimodal',
    '6': 'Transporte de pessoas',
    '7': 'Transporte de valores',
    '8': 'Excesso de bagagem',
    '9': 'GTV',
  },
  modal: {
    '01': 'Rodoviário',
    '02': 'Aéreo',
    '03': 'Aquaviário',
    '04': 'Ferroviário',
    '05': 'Dutoviário',
    '06': 'Multimodal',
  },
  toma: { '0': 'Remetente', '1': 'Expedidor', '2': 'Recebedor', '3': 'Destinatário', '4': 'Outros' },
  retira: { '0': 'Sim', '1': 'Não' },
  cUnid: { '00': 'm³', '01': 'kg', '02': 't', '03': 'unidade', '04': 'litro', '05': 'MMBTU' },
  ...CODIGOS_NFSE,
});

/** The words of a code, or null. `parent` is the element around it: CST means something else for each tax. */
export function descricaoDoCodigo(name: string, value: string, parent: string): string | null {
  // The national NFS-e uses the same names with other tables.
  if (/^inf(NFSe|DPS)$/.test(parent) && /^(tpEmis|procEmi)$/.test(name))
    return inTable(CODIGOS_DA_NFSE_NACIONAL[name], value);
  if (name === 'CST') return inTable(cst(parent), value);
  if (name === 'cUF' || name === 'cOrgao') return ufByCode(value)?.sigla ?? null;
  return inTable(CODIGOS[name], value);
}

/** The value is anybody's: what every object has is not in the table. */
function inTable(table: Tabela | undefined, value: string): string | null {
  return table && Object.hasOwn(table, value) ? (table[value] ?? null) : null;
}

function cst(parent: string): Tabela {
  if (/^(PIS|COFINS|piscofins)/.test(parent)) return CST_PIS_COFINS;
  if (/^IPI/.test(parent)) return CST_IPI;
  return /^ICMS/.test(parent) ? CST_ICMS : {};
}
