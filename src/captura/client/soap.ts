/** SOAP 1.2 as SEFAZ's services speak it, and what is looked up in their answers: by local name, since prefixes differ. */
import type { ClienteDaCaptura } from './cliente.ts';
import type { CertificadoDeCliente, NomeDoEndereco, Resposta, RespostaHttp } from './tipos.ts';

/** A lot of 50 documents has some hundred KB; the largest that was seen, a few MB. */
export const RESPOSTA_MAX_BYTES = 25_000_000;
const MOTIVO_MAX = 500;

/** The answer of a service as text; what is looked up in it is ASCII, and its bytes are kept as they came. */
interface RespostaSoap extends Resposta {
  texto: string;
}

/**
 * Posts the content of a Body.
 * @param input.action the operation's address, as the WSDL has it
 * @throws FalhaDeTransporte
 */
export async function postSoap(
  cliente: ClienteDaCaptura,
  input: {
    endereco: NomeDoEndereco;
    action: string;
    body: string;
    certificado: CertificadoDeCliente;
  },
): Promise<RespostaSoap> {
  const { endereco, action, body, certificado } = input;
  const envelope = `<?xml version="1.0" encoding="utf-8"?><soap12:Envelope xmlns:soap12="http://www.w3.org/2003/05/soap-envelope"><soap12:Body>${body}</soap12:Body></soap12:Envelope>`;
  const http = await cliente.transporte.pedir({
    endereco,
    url: cliente.endereco(endereco),
    method: 'POST',
    headers: { 'content-type': `application/soap+xml; charset=utf-8; action="${action}"` },
    body: Buffer.from(envelope),
    certificado,
    maxBytes: RESPOSTA_MAX_BYTES,
  });
  const texto = http.bytes.toString('utf8');
  const codigo = textOf(texto, 'cStat');
  const fault = codigo === null ? (textOf(texto, 'Text') ?? textOf(texto, 'faultstring')) : null;
  return {
    ...semCodigo(http, fault),
    ...(codigo === null ? {} : { codigo, motivo: motivoDe(textOf(texto, 'xMotivo')) }),
    texto,
  };
}

/** An answer that is not the service's own is known by its HTTP status. */
export function semCodigo(http: RespostaHttp, motivo: string | null): Resposta {
  return {
    codigo: `http_${http.status}`,
    motivo: motivoDe(motivo),
    status: http.status,
    esperarSegundos: esperaPedida(http),
    bytes: http.bytes,
  };
}

export function motivoDe(text: string | null): string {
  return (text ?? '').replace(/\s+/g, ' ').trim().slice(0, MOTIVO_MAX);
}

/** `Retry-After` in seconds. A date would be of the server's clock, and is taken for nothing. */
function esperaPedida({ headers }: RespostaHttp): number | null {
  const after = headers['retry-after'] ?? '';
  return /^\d{1,6}$/.test(after) ? Number(after) : null;
}

const ENTIDADES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** Text of the first element of a name that holds nothing but text; null where there is none. */
export function textOf(xml: string, name: string): string | null {
  const found = new RegExp(`<(?:[\\w.-]+:)?${name}(?:\\s[^<>]*)?>([^<]*)</`).exec(xml)?.[1];
  return (
    found?.replace(/&(lt|gt|quot|apos|amp);/g, (_all, entity: string) => ENTIDADES[entity] ?? '').trim() ??
    null
  );
}

/** Texts of all of them. */
export function textsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<(?:[\\w.-]+:)?${name}(?:\\s[^<>]*)?>([^<]*)</`, 'g'))].map(
    ([, text = '']) => text.trim(),
  );
}

/** How many elements of a name begin. */
export function countOf(xml: string, name: string): number {
  return [...xml.matchAll(new RegExp(`<(?:[\\w.-]+:)?${name}[\\s>/]`, 'g'))].length;
}

/** A number of the sequence, 15 digits in XML; null for anything else. */
export function nsuOf(xml: string, name: string): number | null {
  const text = textOf(xml, name);
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
