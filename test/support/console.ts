/** Somebody who is logged in to the console, for tests of its routes. */
import type { Papel } from '../../src/banco/tabelas-console.ts';
import { insertUsuario } from '../../src/console/sessao/queries-usuario.ts';
import { abrirSessao } from '../../src/console/sessao/sessoes.ts';
import { findCliente } from '../../src/contas/clientes.ts';
import { fetchJson, type JsonAnswer, type Malote, withDeps } from './malote.ts';

export interface Pedinte {
  usuarioId: number;
  /** `Cookie` header. */
  cookie: string;
  /** `X-CSRF-Token` header. */
  csrf: string;
  /** Asks a route by its path below `/console/api`, with both headers. */
  ask(path: string, options?: { method?: string; json?: unknown }): Promise<JsonAnswer>;
}

let made = 0;

/**
 * Makes a user of an office and a session of it straight in the database, without the way through password and log-in.
 * @param input `cpfCnpj` only for papel `cliente`: the one that is seen
 */
export async function entrarNoConsole(
  malote: Pick<Malote, 'url' | 'dataFolder'>,
  input: { contadorId: number; papel?: Papel; cpfCnpj?: string },
): Promise<Pedinte> {
  const { contadorId, papel = 'administrador', cpfCnpj } = input;
  const { usuarioId, valor } = await withDeps(malote.dataFolder, async ({ db, clock }) => {
    const agora = clock.now();
    const cliente = cpfCnpj ? await findCliente(db.read, { contadorId, cpfCnpj }) : null;
    const email = `pessoa${++made}@exemplo.com.br`;
    return db.write.transaction().execute(async (trx) => {
      const id = await insertUsuario(trx, {
        contador_id: contadorId,
        email,
        email_chave: email,
        nome: `Pessoa ${made}`,
        papel,
        cliente_id: cliente?.id ?? null,
        senha: 'nenhuma: entra pelo teste',
        senha_em: agora,
        criado_em: agora,
        entrou_em: null,
      });
      if (id === null) throw new Error('the user is there already');
      const { valor } = await abrirSessao(trx, {
        contadorId,
        usuarioId: id,
        ip: '127.0.0.1',
        agente: 'teste',
        agora,
      });
      return { usuarioId: id, valor };
    });
  });
  const cookie = `__Host-malote=${valor}`;
  const { body } = await fetchJson(`${malote.url}/console/api/sessao`, { headers: { cookie } });
  const headers = { cookie, 'x-csrf-token': body.csrf as string };
  return {
    usuarioId,
    cookie,
    csrf: body.csrf,
    ask: (path, options = {}) => fetchJson(`${malote.url}/console/api${path}`, { ...options, headers }),
  };
}
