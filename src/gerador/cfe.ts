import { Buffer } from 'node:buffer';
import { sign } from 'node:crypto';
import { chaveCheckDigit } from '../fiscal/chave.ts';
import type { Chave, CpfCnpj } from '../fiscal/tipos.ts';
import { Aleatorio } from './aleatorio.ts';
import { assinar, digestOf, FORMA_SAT } from './assinatura.ts';
import { type Certificado, certificadoDe, SEMENTE_CERTIFICADOS } from './certificado.ts';
import { generateItensDoCfe, type ItensDoCfe } from './cfe-itens.ts';
import { type Empresa, generateCnpj } from './empresas.ts';
import { localIso } from './municipios.ts';
import { branch, DECLARACAO, idLeaf, leaf, money, moneyLeaf } from './xml.ts';

const LAYOUT = '0.08';

/** What a sale and its cancellation say of the device and its owner. */
interface DadosDoCupom {
  semente: string;
  /** As in `EntradaNfe`. */
  sementeCertificados?: string;
  /** A shop with CNPJ. */
  emitente: Empresa;
  /** Serial number of the device, nine digits. */
  nserieSAT: string;
  /** 1 to 999,999; sales and cancellations of a device count together. */
  numero: number;
  emissao: Date;
  ambiente?: 1 | 2;
}

export interface EntradaCfe extends DadosDoCupom {
  /** Who said who he is at the till. Default nobody. */
  consumidor?: { id: CpfCnpj; nome?: string | null } | null;
  /** Number of items, 1 to 500; drawn when absent. */
  itens?: number;
}

export interface EntradaCfeCanc extends DadosDoCupom {
  /** The sale that is cancelled; of the same device. */
  cancelado: CfeGerado;
}

export interface CfeGerado {
  chave: Chave;
  /** `CFe` or `CFeCanc`, with declaration, in one line. */
  xml: string;
  bytes: Uint8Array;
  emitente: CpfCnpj;
  consumidor: CpfCnpj | null;
  nserieSAT: string;
  numero: number;
  /** dEmi and hEmi. */
  dEmi: string;
  hEmi: string;
  /** vCFe, decimal text. */
  valor: string;
  itens: number;
  /** DigestValue (SHA-256), Base64. */
  digest: string;
}

/** `CFeCanc`: its own key, and that of the sale. */
interface CfeCancGerado {
  /** Key of the sale that it cancels. */
  chave: Chave;
  /** Key of the cancelling coupon itself. */
  propria: Chave;
  numero: number;
  xml: string;
  bytes: Uint8Array;
  digest: string;
}

/** Everything decided about a coupon before its text is written. */
interface Cupom {
  dados: DadosDoCupom;
  random: Aleatorio;
  ambiente: 1 | 2;
  chave: Chave;
  dEmi: string;
  hEmi: string;
  certificado: Certificado;
}

/**
 * The certificate of the device: in the name of its owner, but with a key of its own. That of a training device comes from
 * an authority that says so, for nothing else tells a cancellation of homologação.
 */
function deviceCertificate(dados: DadosDoCupom, ambiente: 1 | 2): Certificado {
  const { emitente, nserieSAT, emissao, sementeCertificados = SEMENTE_CERTIFICADOS } = dados;
  const semente = `${sementeCertificados}/sat/${ambiente}/${nserieSAT}`;
  return certificadoDe(emitente, semente, emissao, ambiente === 2 ? 'satDeTeste' : 'sat');
}

function prepare(kind: 'cfe' | 'cfecanc', dados: DadosDoCupom): Cupom {
  const { emitente, nserieSAT, numero, emissao, ambiente = 1 } = dados;
  const fail = (reason: string): never => {
    throw new RangeError(`cannot generate this coupon: ${reason}`);
  };
  if (emitente.id.length !== 14) fail('the shop needs a CNPJ');
  if (!/^\d{9}$/.test(nserieSAT)) fail(`nserieSAT ${nserieSAT}`);
  if (!(Number.isInteger(numero) && numero >= 1 && numero <= 999_999)) fail(`número ${numero}`);
  const random = new Aleatorio(`${kind}/${dados.semente}`);
  const iso = localIso(emissao, emitente.uf);
  const body = [
    emitente.endereco.municipio.codigo.slice(0, 2),
    iso.slice(2, 4) + iso.slice(5, 7),
    emitente.id,
    '59',
    nserieSAT,
    String(numero).padStart(6, '0'),
    random.digits(6),
  ].join('');
  return {
    dados,
    random,
    ambiente,
    chave: (body + chaveCheckDigit(body)) as Chave,
    dEmi: iso.slice(0, 10).replaceAll('-', ''),
    hEmi: iso.slice(11, 19).replaceAll(':', ''),
    certificado: deviceCertificate(dados, ambiente),
  };
}

/** What the device signs for the QR code of the printed extract. @fonte Especificação Técnica de Requisitos do SAT */
function qrSignature(
  { chave, dEmi, hEmi, certificado }: Cupom,
  valor: number,
  buyer: CpfCnpj | null,
): string {
  const text = `${chave}|${dEmi}${hEmi}|${money(valor)}|${buyer ?? ''}`;
  return sign('RSA-SHA256', Buffer.from(text, 'utf8'), certificado.chavePrivada).toString('base64');
}

/** The `ide` group; a cancellation has no tpAmb. */
function ideXml(
  cupom: Cupom,
  p: { comAmbiente: boolean; valor: number; consumidor: CpfCnpj | null },
): string {
  const { chave, dados, dEmi, hEmi, ambiente } = cupom;
  const house = new Aleatorio(dados.emitente.verProc);
  const signAC = new Aleatorio(`signAC/${dados.emitente.id}/${dados.emitente.verProc}`).bytes(256);
  return branch(
    'ide',
    leaf('cUF', chave.slice(0, 2)),
    leaf('cNF', chave.slice(37, 43)),
    leaf('mod', '59'),
    leaf('nserieSAT', dados.nserieSAT),
    leaf('nCFe', chave.slice(31, 37)),
    leaf('dEmi', dEmi),
    leaf('hEmi', hEmi),
    leaf('cDV', chave.slice(43)),
    p.comAmbiente ? leaf('tpAmb', ambiente) : '',
    leaf('CNPJ', generateCnpj(house)),
    leaf('signAC', Buffer.from(signAC).toString('base64')),
    leaf('assinaturaQRCODE', qrSignature(cupom, p.valor, p.consumidor)),
    leaf('numeroCaixa', '001'),
  );
}

function emitXml(emitente: Empresa, comRegime: boolean): string {
  const { endereco } = emitente;
  return branch(
    'emit',
    leaf('CNPJ', emitente.id),
    leaf('xNome', emitente.nome),
    leaf('xFant', emitente.fantasia),
    branch(
      'enderEmit',
      leaf('xLgr', endereco.logradouro),
      leaf('nro', endereco.numero),
      leaf('xCpl', endereco.complemento),
      leaf('xBairro', endereco.bairro),
      leaf('xMun', endereco.municipio.nome),
      leaf('CEP', endereco.cep),
    ),
    leaf('IE', emitente.ie),
    comRegime ? leaf('cRegTrib', emitente.crt) + leaf('indRatISSQN', 'N') : '',
  );
}

function totalXml({ totais, vCFe }: ItensDoCfe): string {
  const icms = branch(
    'ICMSTot',
    moneyLeaf('vICMS', totais.vICMS),
    moneyLeaf('vProd', totais.vProd),
    moneyLeaf('vDesc', totais.vDesc),
    moneyLeaf('vPIS', totais.vPIS),
    moneyLeaf('vCOFINS', totais.vCOFINS),
    moneyLeaf('vPISST', 0),
    moneyLeaf('vCOFINSST', 0),
    moneyLeaf('vOutro', 0),
  );
  return branch('total', icms, moneyLeaf('vCFe', vCFe), moneyLeaf('vCFeLei12741', totais.vItem12741));
}

function paymentXml(random: Aleatorio, vCFe: number): string {
  const means = random.pick(['01', '03', '04', '17']);
  const change = means === '01' && random.chance(0.6) ? random.integer(1, 20) * 100 : 0;
  const paid = branch('MP', leaf('cMP', means), moneyLeaf('vMP', vCFe + change));
  return branch('pgto', paid, moneyLeaf('vTroco', change));
}

/** Signs infCFe as the device does. The attributes stand in canonical order. */
function seal(
  cupom: Cupom,
  p: { elemento: 'CFe' | 'CFeCanc'; atributos: string; body: string },
): { xml: string; bytes: Uint8Array; digest: string } {
  const inf = `<infCFe ${p.atributos}>${p.body}</infCFe>`;
  const digest = digestOf(inf, FORMA_SAT.hash);
  const { estilo } = cupom.dados.emitente;
  const signature = assinar(`CFe${cupom.chave}`, digest, cupom.certificado, { estilo, forma: FORMA_SAT });
  const xml = `${DECLARACAO}<${p.elemento}>${inf}${signature.xml}</${p.elemento}>`;
  return { xml, bytes: Buffer.from(xml, 'utf8'), digest };
}

/**
 * Generates one CF-e SAT (layout 0.08) as the device returns it: with key and RSA-SHA256 signature.
 *
 * @throws RangeError for a device, number or shop that no coupon has.
 * @fonte layout of CF-e SAT 0.08; MOC NF-e 7.0 Anexo I; XMLDSig Core
 */
export function generateCfe(input: EntradaCfe): CfeGerado {
  const { emitente, consumidor = null, itens: count } = input;
  if (count !== undefined && !(Number.isInteger(count) && count >= 1 && count <= 500)) {
    throw new RangeError(`cannot generate this coupon: ${count} itens`);
  }
  const cupom = prepare('cfe', input);
  const { random, chave } = cupom;
  const itens = generateItensDoCfe(random.fork('itens'), emitente, count ?? random.integer(1, 9));
  const buyer = consumidor ? idLeaf(consumidor.id) + leaf('xNome', consumidor.nome ?? null) : '';
  const body = [
    ideXml(cupom, { comAmbiente: true, valor: itens.vCFe, consumidor: consumidor?.id ?? null }),
    emitXml(emitente, true),
    branch('dest', buyer),
    itens.xml,
    totalXml(itens),
    paymentXml(random, itens.vCFe),
    random.chance(0.6)
      ? branch('infAdic', leaf('infCpl', 'Trocas & devoluções em até 7 dias com este cupom'))
      : '',
  ].join('');
  const atributos = `Id="CFe${chave}" versao="${LAYOUT}" versaoDadosEnt="${LAYOUT}" versaoSB="030014"`;
  return {
    chave,
    ...seal(cupom, { elemento: 'CFe', atributos, body }),
    emitente: emitente.id,
    consumidor: consumidor?.id ?? null,
    nserieSAT: input.nserieSAT,
    numero: input.numero,
    dEmi: cupom.dEmi,
    hEmi: cupom.hEmi,
    valor: money(itens.vCFe),
    itens: itens.quantidade,
  };
}

/**
 * Generates the coupon that cancels a sale: a `CFeCanc` with key and number of its own, signed by the same device.
 *
 * @throws RangeError where the sale is of another device or shop, and as {@link generateCfe} does.
 * @fonte layout of CF-e SAT 0.08
 */
export function generateCfeCanc(input: EntradaCfeCanc): CfeCancGerado {
  const { cancelado, emitente } = input;
  if (cancelado.nserieSAT !== input.nserieSAT || cancelado.emitente !== emitente.id) {
    throw new RangeError('cannot generate this coupon: the sale is of another device');
  }
  const cupom = prepare('cfecanc', input);
  const valor = Math.round(Number(cancelado.valor) * 100);
  const body = [
    leaf('dEmi', cancelado.dEmi),
    leaf('hEmi', cancelado.hEmi),
    ideXml(cupom, { comAmbiente: false, valor, consumidor: cancelado.consumidor }),
    emitXml(emitente, false),
    branch('dest', cancelado.consumidor ? idLeaf(cancelado.consumidor) : ''),
    branch('total', moneyLeaf('vCFe', valor)),
  ].join('');
  const atributos = `Id="CFe${cupom.chave}" chCanc="CFe${cancelado.chave}" versao="${LAYOUT}"`;
  const sealed = seal(cupom, { elemento: 'CFeCanc', atributos, body });
  return { chave: cancelado.chave, propria: cupom.chave, numero: input.numero, ...sealed };
}
