/**
 * "Testar conexão": walks the way of an integrator with the user's own token, through the real routes of this process:
 * address, upload, import, export. It leaves nothing behind: what is sent is a file without a document, which is removed
 * when it has been read, and what is asked of the export is a listing, which moves nobody's place in a feed.
 */
import { setTimeout as delay } from 'node:timers/promises';

/** One request to this very process. */
export interface PedidoInterno {
  method: 'GET' | 'POST' | 'PUT';
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  payload?: string;
}

export interface RespostaInterna {
  statusCode: number;
  body: string;
}

interface Passo {
  nome: string;
  certo: boolean;
  mensagem: string;
  status: number | null;
  ms: number;
}

/** An import of one tiny file; a server under load may need longer than this, and then it is said. */
const IMPORTED_WITHIN_MS = 15_000;
const ASK_EVERY_MS = 200;
/** What a header can carry; anything else in it would be told, token and all, by the error of who sends it. */
const PRINTABLE = /^[!-~]+$/;
/** No electronic note is older. */
const DESDE_SEMPRE = '2005-01-01';
const FINAL = new Set(['Uploaded', 'Com Erro']);

interface Input {
  pedir(pedido: PedidoInterno): Promise<RespostaInterna>;
  /** XML that holds no document. */
  arquivo: string;
  token: string;
  codigoCrm: string;
  /** Whose feed is read; null: the office has no client yet. */
  cpfCnpj: string | null;
  /** It is a token of another office: nothing is sent there. */
  deOutroEscritorio: boolean;
  /** Removes the file that was sent, once it has been read. */
  esquecer(id: string): Promise<unknown>;
  /** Milliseconds of any clock. */
  agora(): number;
}

/** Takes every step until one fails. */
export async function testarIntegracao(input: Input): Promise<Passo[]> {
  const passos: Passo[] = [];
  const take = async (nome: string, work: () => Promise<Omit<Passo, 'nome' | 'ms'>>): Promise<boolean> => {
    const started = input.agora();
    const passo = await work();
    passos.push({ nome, ...passo, ms: Math.round(input.agora() - started) });
    return passo.certo;
  };
  if (!PRINTABLE.test(input.token)) {
    await take('Conferir o token', async () => refused('Não é um token: copie-o inteiro, sem espaços.'));
    return passos;
  }
  if (input.deOutroEscritorio) {
    await take('Conferir o token', async () => refused('O token é de outro escritório.'));
    return passos;
  }
  const sent: { id?: string; url?: string } = {};
  const steps: [string, () => Promise<Omit<Passo, 'nome' | 'ms'>>][] = [
    ['Pedir um endereço de envio', () => askAddress(input, sent)],
    ['Enviar um arquivo', () => upload(input, sent)],
    ['Importar o arquivo', () => waitForImport(input, sent)],
    ['Ler os documentos de um cliente', () => readDocumentos(input)],
  ];
  for (const [nome, work] of steps) if (!(await take(nome, work))) break;
  if (sent.id !== undefined) await input.esquecer(sent.id);
  return passos;
}

async function askAddress({ pedir, arquivo, token }: Input, sent: { id?: string; url?: string }) {
  const { statusCode: status, body } = await pedir({
    method: 'POST',
    url: '/storage',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    payload: JSON.stringify({ size: Buffer.byteLength(arquivo), extension: '.xml' }),
  });
  if (isOutOfScope(status, body))
    return skipped('O token só serve à exportação: a importação não foi testada.', status);
  if (status !== 200) return failed(body, status);
  Object.assign(sent, JSON.parse(body));
  return { certo: true, mensagem: 'Endereço recebido.', status };
}

async function upload({ pedir, arquivo }: Input, { id, url }: { id?: string; url?: string }) {
  if (id === undefined || url === undefined)
    return skipped('Não testado: o token só serve à exportação.', null);
  const { search } = new URL(url);
  const headers = { accept: 'application/json' };
  const { statusCode: status, body } = await pedir({
    method: 'PUT',
    url: `/upload/${id}${search}`,
    headers,
    payload: arquivo,
  });
  return status === 200
    ? { certo: true, mensagem: 'Bytes recebidos e guardados.', status }
    : failed(body, status);
}

async function waitForImport(input: Input, { id }: { id?: string }) {
  if (id === undefined) return skipped('Não testado: o token só serve à exportação.', null);
  const deadline = input.agora() + IMPORTED_WITHIN_MS;
  for (;;) {
    const { statusCode: status, body } = await input.pedir({
      method: 'GET',
      url: `/storage/arquivo/${id}`,
      headers: bearer(input.token),
    });
    if (status !== 200) return failed(body, status);
    if (FINAL.has(JSON.parse(body).status))
      return { certo: true, mensagem: 'O arquivo de teste foi aberto; não continha documentos.', status };
    if (input.agora() > deadline)
      return {
        certo: false,
        mensagem: 'Nenhum processo de importação pegou o arquivo em 15 segundos.',
        status,
      };
    await delay(ASK_EVERY_MS);
  }
}

async function readDocumentos({ pedir, token, codigoCrm, cpfCnpj }: Input) {
  if (cpfCnpj === null) return skipped('Não testado: o escritório ainda não tem clientes.', null);
  const url = `/api/v1/${codigoCrm}/${cpfCnpj}/nfe?DataInicial=${DESDE_SEMPRE}&Tamanho=1`;
  const { statusCode: status, body } = await pedir({ method: 'GET', url, headers: bearer(token) });
  if (isOutOfScope(status, body))
    return skipped('O token só serve à importação: a exportação não foi testada.', status);
  if (status !== 200) return failed(body, status);
  const { total } = JSON.parse(body) as { total: number };
  return { certo: true, mensagem: `A lista de ${cpfCnpj} responde: ${total} NF-e.`, status };
}

const isOutOfScope = (status: number, body: string) =>
  status === 403 && body.includes('"codigo":"escopo_insuficiente"');

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Nothing is wrong, and nothing was proven. */
const skipped = (mensagem: string, status: number | null) => ({ certo: true, mensagem, status });

const refused = (mensagem: string) => ({ certo: false, mensagem, status: null });

/** The sentence of the problem that was answered. */
function failed(body: string, status: number) {
  const mensagem = /"mensagem":"((?:[^"\\]|\\.)*)"/.exec(body)?.[1] ?? 'Resposta inesperada.';
  return { certo: false, mensagem: JSON.parse(`"${mensagem}"`) as string, status };
}
