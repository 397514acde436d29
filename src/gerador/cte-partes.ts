import type { Chave, CpfCnpj, Papel } from '../fiscal/tipos.ts';
import type { Aleatorio } from './aleatorio.ts';
import { digestOf, signatureXml } from './assinatura.ts';
import { certificadoDe, SEMENTE_CERTIFICADOS } from './certificado.ts';
import type { Empresa, Endereco, Pessoa } from './empresas.ts';
import { internalRate, interstateRate, localIso } from './municipios.ts';
import { isEmpresa } from './partes.ts';
import { generateNProt, type ProtocoloGerado } from './protocolo.ts';
import { gIBSCBSXml } from './tributos.ts';
import { branch, DECLARACAO, escapeText, idLeaf, leaf, moneyLeaf, percentOf } from './xml.ts';

/** What CT-e and CT-e OS have in common: parties, taxes, protocol. */

export const NS_CTE = 'http://www.portalfiscal.inf.br/cte';
export const LAYOUT_CTE = '4.00';

/** Somebody who takes part in a transport. */
export type Parte = Empresa | Pessoa;

/** Who takes part, and as what; the issuer first. */
export interface Participacao {
  papel: Papel;
  cpfCnpj: CpfCnpj;
}

const HOMOLOGACAO_NOME = 'CTE EMITIDO EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL';

function addressLines({ logradouro, numero, complemento, bairro, municipio, cep }: Endereco): string {
  return [
    leaf('xLgr', logradouro),
    leaf('nro', numero),
    leaf('xCpl', complemento),
    leaf('xBairro', bairro),
    leaf('cMun', municipio.codigo),
    leaf('xMun', municipio.nome),
    leaf('CEP', cep),
    leaf('UF', municipio.uf),
  ].join('');
}

/** A party's own fields, from its id to its e-mail. The address has another name in each group. */
export function dadosDaParte(
  parte: Parte,
  opcoes: { endereco: string; ambiente: 1 | 2; fantasia?: boolean },
): string {
  const isCompany = isEmpresa(parte);
  return [
    idLeaf(parte.id),
    isCompany ? leaf('IE', parte.ie) : '',
    leaf('xNome', opcoes.ambiente === 2 ? HOMOLOGACAO_NOME : parte.nome),
    isCompany && opcoes.fantasia ? leaf('xFant', parte.fantasia) : '',
    leaf('fone', parte.endereco.fone),
    branch(opcoes.endereco, addressLines(parte.endereco), leaf('cPais', '1058'), leaf('xPais', 'BRASIL')),
    leaf('email', parte.email),
  ].join('');
}

export function emitenteXml(emitente: Empresa): string {
  return branch(
    'emit',
    idLeaf(emitente.id),
    leaf('IE', emitente.ie),
    leaf('xNome', emitente.nome),
    leaf('xFant', emitente.fantasia),
    branch('enderEmit', addressLines(emitente.endereco), leaf('fone', emitente.endereco.fone)),
    leaf('CRT', emitente.crt),
  );
}

/** Where the emitting company stands, as ide tells it. */
export function municipioDeEnvio(emitente: Empresa): string {
  const { codigo, nome, uf } = emitente.endereco.municipio;
  return leaf('cMunEnv', codigo) + leaf('xMunEnv', nome) + leaf('UFEnv', uf);
}

/** Start (`Ini`) or end (`Fim`) of the transport. */
export function municipioDoTrajeto(ponta: 'Ini' | 'Fim', { endereco }: Parte): string {
  const { codigo, nome, uf } = endereco.municipio;
  return leaf(`cMun${ponta}`, codigo) + leaf(`xMun${ponta}`, nome) + leaf(`UF${ponta}`, uf);
}

/** A transport as its tax sees it. */
export interface Trajeto {
  emitente: Empresa;
  tomador: Parte;
  ufInicio: string;
  ufFim: string;
  /** ISO 8601 local date. */
  dhEmi: string;
}

/**
 * CFOP of a transport: 5 inside one UF, 6 across; the other digits by who pays, or 932 where it starts outside the
 * UF of the carrier.
 * @fonte Convênio s/nº de 1970, Anexo II (CFOP 5350 and 6350, 5932 and 6932)
 */
export function cfopDoTransporte({ emitente, tomador, ufInicio, ufFim }: Trajeto): string {
  const direction = ufInicio === ufFim ? '5' : '6';
  if (ufInicio !== emitente.uf) return `${direction}932`;
  if (!isEmpresa(tomador)) return `${direction}357`;
  if (tomador.perfil === 'industria') return `${direction}352`;
  if (tomador.perfil === 'produtor') return `${direction}356`;
  return tomador.perfil === 'transportadora' ? `${direction}351` : `${direction}353`;
}

function icmsXml(random: Aleatorio, trajeto: Trajeto, vBC: number): { xml: string; vICMS: number } {
  const { emitente, ufInicio, ufFim } = trajeto;
  if (emitente.crt === '1') {
    return { xml: branch('ICMSSN', leaf('CST', '90'), leaf('indSN', 1)), vICMS: 0 };
  }
  const rate = ufInicio === ufFim ? internalRate(ufInicio) : interstateRate(ufInicio, ufFim);
  const vICMS = percentOf(vBC, rate);
  const taxed = (group: string, cst: string, suffix = '') =>
    branch(
      group,
      leaf('CST', cst),
      moneyLeaf(`vBC${suffix}`, vBC),
      leaf(`pICMS${suffix}`, rate.toFixed(2)),
      moneyLeaf(`vICMS${suffix}`, vICMS),
    );
  if (ufInicio !== emitente.uf) return { xml: taxed('ICMSOutraUF', '90', 'OutraUF'), vICMS };
  // Many UFs exempt transport that stays inside them.
  if (ufInicio === ufFim && random.chance(0.4)) {
    return { xml: branch('ICMS45', leaf('CST', '40')), vICMS: 0 };
  }
  return { xml: taxed('ICMS00', '00'), vICMS };
}

/** The `imp` element: ICMS, and IBS and CBS in 2026 of who is no Simples. */
export function impostosXml(random: Aleatorio, trajeto: Trajeto, vTPrest: number, federais = ''): string {
  const { xml, vICMS } = icmsXml(random, trajeto, vTPrest);
  const isDue = trajeto.emitente.crt === '3' && trajeto.dhEmi >= '2026';
  const ibsCbs = isDue
    ? branch('IBSCBS', leaf('CST', '000'), leaf('cClassTrib', '000001'), gIBSCBSXml(vTPrest - vICMS).xml)
    : '';
  return branch('imp', branch('ICMS', xml), federais, ibsCbs);
}

/** The `vPrest` element from its components, in cents: the total is their exact sum. */
export function vPrestXml(componentes: readonly (readonly [string, number])[]): {
  xml: string;
  total: number;
} {
  const total = componentes.reduce((sum, [, value]) => sum + value, 0);
  const parts = componentes.map(([nome, value]) =>
    branch('Comp', leaf('xNome', nome), moneyLeaf('vComp', value)),
  );
  return { xml: branch('vPrest', moneyLeaf('vTPrest', total), moneyLeaf('vRec', total), ...parts), total };
}

/** The `infCTeSupl` element: address of the QR code. */
function infCTeSuplXml(chave: Chave, ambiente: 1 | 2): string {
  const address = `https://dfe-portal.svrs.rs.gov.br/cte/qrCode?chCTe=${chave}&tpAmb=${ambiente}`;
  return branch('infCTeSupl', branch('qrCodCTe', escapeText(address)));
}

/** Version text of the authorising service of CT-e. */
export function verAplicDoCte(uf: string): string {
  return ['SP', 'MG', 'PR', 'MT', 'MS'].includes(uf) ? `${uf}-CTe-4.00` : 'RS20260311110432';
}

/** The `protCTe` element of an authorisation. */
function protCTeXml(
  random: Aleatorio,
  p: { chave: Chave; ambiente: 1 | 2; emitente: Empresa; emissao: Date; digest: string },
): { xml: string; protocolo: ProtocoloGerado } {
  const dhRecbto = localIso(new Date(p.emissao.getTime() + random.integer(1, 90) * 1_000), p.emitente.uf);
  const nProt = generateNProt(random, p.chave.slice(0, 2), dhRecbto);
  const fields = [
    leaf('tpAmb', p.ambiente),
    leaf('verAplic', verAplicDoCte(p.emitente.uf)),
    leaf('chCTe', p.chave),
    leaf('dhRecbto', dhRecbto),
    leaf('nProt', nProt),
    leaf('digVal', p.digest),
    leaf('cStat', '100'),
    leaf('xMotivo', 'Autorizado o uso do CT-e'),
  ].join('');
  const id = random.chance(0.5) ? ` Id="CTe${nProt}"` : '';
  const xml = `<protCTe versao="${LAYOUT_CTE}"><infProt${id}>${fields}</infProt></protCTe>`;
  return { xml, protocolo: { cStat: '100', nProt, dhRecbto } };
}

/** What CT-e and CT-e OS ask of series, number, issuer and authorised parties alike. */
export function assertNumeravel(input: {
  emitente: Empresa;
  serie: number;
  numero: number;
  autorizados?: readonly CpfCnpj[];
}): void {
  const { emitente, serie, numero, autorizados = [] } = input;
  const fail = (reason: string): never => {
    throw new RangeError(`cannot generate this CT-e: ${reason}`);
  };
  if (emitente.id.length !== 14) fail('the carrier needs a CNPJ');
  if (!(Number.isInteger(serie) && serie >= 0 && serie <= 999)) fail(`série ${serie}`);
  if (!(Number.isInteger(numero) && numero >= 1 && numero <= 999_999_999)) fail(`número ${numero}`);
  if (autorizados.length > 10) fail('more than 10 autXML');
}

/** What a CT-e or CT-e OS is finished from. */
interface Acabamento {
  elemento: 'CTe' | 'CTeOS';
  chave: Chave;
  /** Content of infCte. */
  body: string;
  /** Of the document: its protocol is drawn from it. */
  random: Aleatorio;
  input: {
    emitente: Empresa;
    emissao: Date;
    ambiente?: 1 | 2;
    sementeCertificados?: string;
    autorizado?: boolean;
  };
}

/** Signs the document, and puts it into its wrapper with the answer of SEFAZ unless it is to stay without. */
export function finishCte(p: Acabamento): {
  xml: string;
  bytes: Uint8Array;
  digest: string;
  protocolo: ProtocoloGerado | null;
} {
  const { emitente, emissao, ambiente = 1, autorizado = true } = p.input;
  const { xml: bare, digest } = signCte(p);
  const answer = autorizado
    ? protCTeXml(p.random.fork('protocolo'), { chave: p.chave, ambiente, emitente, emissao, digest })
    : null;
  const wrapper = p.elemento === 'CTe' ? 'cteProc' : 'cteOSProc';
  const xml = answer
    ? `${DECLARACAO}<${wrapper} xmlns="${NS_CTE}" versao="${LAYOUT_CTE}">${bare}${answer.xml}</${wrapper}>`
    : DECLARACAO + bare;
  return { xml, bytes: Buffer.from(xml, 'utf8'), digest, protocolo: answer ? answer.protocolo : null };
}

/** The `CTe` or `CTeOS` element with its signature. */
function signCte({ elemento, chave, body, input }: Acabamento): { xml: string; digest: string } {
  const { emitente, emissao, ambiente = 1, sementeCertificados = SEMENTE_CERTIFICADOS } = input;
  const { estilo } = emitente;
  const id = `CTe${chave}`;
  const digest = digestOf(`<infCte xmlns="${NS_CTE}" Id="${id}" versao="${LAYOUT_CTE}">${body}</infCte>`);
  const signature = signatureXml(id, digest, certificadoDe(emitente, sementeCertificados, emissao), estilo);
  const attributes = estilo.versaoPrimeiro
    ? `versao="${LAYOUT_CTE}" Id="${id}"`
    : `Id="${id}" versao="${LAYOUT_CTE}"`;
  const version = elemento === 'CTe' ? '' : ` versao="${LAYOUT_CTE}"`;
  const inf = `<infCte ${attributes}>${body}</infCte>${infCTeSuplXml(chave, ambiente)}`;
  return { xml: `<${elemento} xmlns="${NS_CTE}"${version}>${inf}${signature}</${elemento}>`, digest };
}
