import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Chave } from '../fiscal/tipos.ts';
import type { Empresa } from './empresas.ts';
import type { Layout } from './partes.ts';
import { money } from './xml.ts';

/** What the QR code of a NFC-e says. */
interface DadosQrCode {
  chave: Chave;
  emitente: Empresa;
  ambiente: 1 | 2;
  layout: Layout;
  /** `9` is off-line contingency: the code then carries value and digest. */
  tpEmis: string;
  /** ISO 8601 as in `dhEmi`. */
  dhEmi: string;
  /** CPF or CNPJ of the consumer. */
  consumidor: string | null;
  /** Cents. */
  vNF: number;
  vICMS: number;
  digest: string;
}

function sha1Hex(text: string): string {
  return createHash('sha1').update(text, 'utf8').digest('hex').toUpperCase();
}

function hex(text: string): string {
  return Buffer.from(text, 'latin1').toString('hex');
}

/** Version 1, of layout 3.10. */
function version1(q: DadosQrCode): string {
  const { id, codigo } = q.emitente.csc;
  const query = [
    `chNFe=${q.chave}&nVersao=100&tpAmb=${q.ambiente}`,
    q.consumidor ? `&cDest=${q.consumidor}` : '',
    `&dhEmi=${hex(q.dhEmi)}&vNF=${money(q.vNF)}&vICMS=${money(q.vICMS)}`,
    `&digVal=${hex(q.digest)}&cIdToken=${id.padStart(6, '0')}`,
  ].join('');
  return `${query}&cHashQRCode=${sha1Hex(query + codigo)}`;
}

/** Version 2, on-line and off-line. */
function version2(q: DadosQrCode): string {
  const { id, codigo } = q.emitente.csc;
  const head = `${q.chave}|2|${q.ambiente}`;
  const offline = q.tpEmis === '9' ? `|${q.dhEmi.slice(8, 10)}|${money(q.vNF)}|${hex(q.digest)}` : '';
  const text = `${head}${offline}|${id}`;
  return `p=${text}|${sha1Hex(text + codigo)}`;
}

/**
 * The `infNFeSupl` element: QR code in CDATA and, since layout 4.00, the consultation address.
 * @fonte Manual de Especificações Técnicas do DANFE NFC-e e QR Code, 5.0 and 6.0
 */
export function infNFeSuplXml(q: DadosQrCode): string {
  const site = `http://www.fazenda.${q.emitente.uf.toLowerCase()}.gov.br/nfce`;
  const code = q.layout === '3.10' ? version1(q) : version2(q);
  const consult = q.layout === '3.10' ? '' : `<urlChave>${site}/consulta</urlChave>`;
  return `<infNFeSupl><qrCode><![CDATA[${site}/qrcode?${code}]]></qrCode>${consult}</infNFeSupl>`;
}
