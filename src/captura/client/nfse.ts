/** The national environment of NFS-e: the ADN distributes, SEFIN answers for single documents. @fonte Manual Contribuintes, APIs ADN; API of SEFIN Nacional */
import type { ClienteDaCaptura } from './cliente.ts';
import { motivoDe, RESPOSTA_MAX_BYTES, semCodigo } from './soap.ts';
import type {
  CertificadoDeCliente,
  Interessado,
  NomeDoEndereco,
  Resposta,
  RespostaComNsu,
  RespostaHttp,
} from './tipos.ts';

/** "No document was found." */
const NADA = 'E2220';

/** What comes behind a number of the ADN: up to 50 documents. @throws FalhaDeTransporte */
export async function distribuirNfse(
  cliente: ClienteDaCaptura,
  input: Interessado & { ultNsu: number },
): Promise<RespostaComNsu> {
  const query = `?cnpjConsulta=${input.cpfCnpj}&lote=true`;
  const http = await get(cliente, 'adn', `/DFe/${input.ultNsu}${query}`, input.certificado);
  const json = jsonOf(http.bytes);
  const semLote = { ultNsu: null, maxNsu: null, documentos: 0 };
  if (!json) return { ...semCodigo(http, null), ...semLote };
  const lote = arrayIn(json, 'LoteDFe');
  const nsus = lote.map((item) => Number(fieldIn(item, 'NSU'))).filter(Number.isSafeInteger);
  if (nsus.length > 0) {
    const last = Math.max(...nsus);
    return {
      ...semCodigo(http, null),
      codigo: '138',
      ultNsu: last,
      maxNsu: last,
      documentos: countWith(lote),
    };
  }
  return { ...naoVeio(http, json), ...semLote };
}

function countWith(lote: readonly unknown[]): number {
  return lote.filter((item) => String(fieldIn(item, 'ArquivoXml') ?? '') !== '').length;
}

/** The NFS-e of one key. @throws FalhaDeTransporte */
export async function askForNfse(
  cliente: ClienteDaCaptura,
  input: { chave: string; certificado: CertificadoDeCliente },
): Promise<Resposta> {
  const http = await get(cliente, 'sefin', `/nfse/${input.chave}`, input.certificado);
  return deSefin(http, 'nfseXmlGZipB64');
}

/**
 * Whether a city has its NFS-e in the national environment; null where the answer does not say so.
 * @throws FalhaDeTransporte
 */
export async function askForConvenio(
  cliente: ClienteDaCaptura,
  { ibge, certificado }: { ibge: string; certificado: CertificadoDeCliente },
): Promise<boolean | null> {
  const http = await get(cliente, 'convenio', `/${ibge}/convenio`, certificado);
  const adere = fieldIn(fieldIn(jsonOf(http.bytes), 'parametrosConvenio'), 'aderenteAmbienteNacional');
  return http.status === 200 && adere !== undefined ? Number(adere) === 1 : null;
}

function deSefin(http: RespostaHttp, field: string): Resposta {
  const json = jsonOf(http.bytes);
  if (!json) return semCodigo(http, null);
  const found = fieldIn(json, field);
  const has = Array.isArray(found) ? found.length > 0 : typeof found === 'string' && found !== '';
  return http.status === 200 && has ? { ...semCodigo(http, null), codigo: '138' } : naoVeio(http, json);
}

/** What a JSON answer without documents says. HTTP 404 with a body of the service is "nothing". */
function naoVeio(http: RespostaHttp, json: object): Resposta {
  const resposta = semCodigo(http, null);
  const [first] = arrayIn(json, 'Erros');
  const erro = first ?? fieldIn(json, 'erro');
  const codigo = String(fieldIn(erro, 'Codigo') ?? '').slice(0, 20);
  const motivo = motivoDe(String(fieldIn(erro, 'Descricao') ?? fieldIn(erro, 'Mensagem') ?? ''));
  const nothing =
    codigo === NADA ||
    fieldIn(json, 'StatusProcessamento') === 'NENHUM_DOCUMENTO_LOCALIZADO' ||
    (codigo === '' && http.status === 404);
  if (nothing) return { ...resposta, codigo: '137', motivo };
  return /^\w+$/.test(codigo) ? { ...resposta, codigo, motivo } : { ...resposta, motivo };
}

async function get(
  cliente: ClienteDaCaptura,
  endereco: NomeDoEndereco,
  path: string,
  certificado: CertificadoDeCliente,
): Promise<RespostaHttp> {
  return cliente.transporte.pedir({
    endereco,
    url: `${cliente.endereco(endereco)}${path}`,
    method: 'GET',
    headers: { accept: 'application/json' },
    certificado,
    maxBytes: RESPOSTA_MAX_BYTES,
  });
}

function jsonOf(bytes: Buffer): object | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** A field of an object, whatever the case of its name: the two services differ in it. */
function fieldIn(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const entry = Object.entries(value).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return entry?.[1];
}

function arrayIn(value: unknown, name: string): unknown[] {
  const found = fieldIn(value, name);
  return Array.isArray(found) ? found : [];
}
