/** An office as the demonstration has it, with somebody who is logged in to its console. */
import { generateMaterial } from '../../scripts/demo-documentos.ts';
import { createToken } from '../../src/autorizacao/tokens.ts';
import { registerCliente } from '../../src/contas/clientes.ts';
import { findContador } from '../../src/contas/contadores.ts';
import {
  fetchJson,
  imported,
  type JsonAnswer,
  type Malote,
  startMalote,
  upload,
  withDeps,
} from './malote.ts';

export const SENHA = 'malote andarilho azul 42';
export const CRM = '123456';
const EMAIL = 'ana@exemplo.com.br';

export interface MundoDoConsole {
  malote: Malote;
  /** Where the first user is made; used up by `criarAna`. */
  link: string;
}

/** Starts a server on an empty folder: nobody can log in yet. */
export async function mundoVazio(env: Record<string, string> = {}): Promise<MundoDoConsole> {
  const malote = await startMalote({ env });
  const [, link = ''] = await malote.line(/(http\S+\/console\/primeiro-uso#\S+)/);
  return { malote, link };
}

/** Makes the office and its administrator as the first-use screen does. @returns the session's cookie, `name=value` */
export async function criarAna({ malote, link }: MundoDoConsole): Promise<string> {
  const answer = await fetch(`${malote.url}/console/api/primeiro-uso`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: malote.url },
    body: JSON.stringify({
      codigo: decodeURIComponent(new URL(link).hash.slice(1)),
      crm: CRM,
      escritorio: 'Aurora Contabilidade',
      nome: 'Ana Souza',
      email: EMAIL,
      senha: SENHA,
    }),
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
  if (!answer.ok || !cookie) throw new Error(`no first user: ${answer.status} ${await answer.text()}`);
  return cookie;
}

/** Clients and a month of documents, sent through the API as an ERP does. @returns the clients, and a document's id */
export async function encher(
  malote: Malote,
  inicio: string,
): Promise<{ clientes: { id: string; nome: string }[]; token: string }> {
  const { empresas, arquivos } = await generateMaterial({ inicio, ate: new Date() });
  const token = await withDeps(malote.dataFolder, async (deps) => {
    const { id } = await findContador(deps.db.read, { codigoCrm: CRM });
    for (const empresa of empresas) {
      await registerCliente(deps, {
        contadorId: id,
        cpfCnpj: empresa.id,
        nome: empresa.nome,
        email: 'fiscal@exemplo.com.br',
        aoRegistrar: async () => undefined,
      });
    }
    return (await createToken(deps, { contadorId: id })).token;
  });
  for (const { bytes, extensao } of arquivos) {
    await imported(malote, { token, id: await upload(malote, { token, bytes, extension: extensao }) });
  }
  return { clientes: empresas.map(({ id, nome }) => ({ id, nome })), token };
}

/** Asks a route of the console with a session's cookie. */
export function perguntar(malote: Malote, cookie: string, path: string): Promise<JsonAnswer> {
  return fetchJson(`${malote.url}/console/api${path}`, { headers: { cookie } });
}

/** The first day of last month, in Brazil: every document lies in the past, and on the first chart. */
export function mesPassado(): string {
  const today = new Date(Date.now() - 3 * 3_600_000);
  return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1)).toISOString().slice(0, 10);
}
