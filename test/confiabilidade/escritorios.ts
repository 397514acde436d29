/** Offices on a bench. Setting up is no part of judging: it uses the product's own functions. */
import { join } from 'node:path';
import { createToken } from '../../src/autorizacao/tokens.ts';
import type { Tabelas } from '../../src/banco/tabelas.ts';
import { readConfig } from '../../src/config.ts';
import { createContador } from '../../src/contas/contadores.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { connectHere } from '../../src/platform/db/connect.ts';
import { migrateDatabase } from '../../src/platform/db/migrate.ts';
import { createCliente } from '../support/malote.ts';
import { comando, RAIZ } from './processo.ts';
import type { Escritorio } from './sonda.ts';

/** Row number of an office, for writers that stand beside the service. */
export async function contadorIdDe(env: Record<string, string>, codigoCrm: string): Promise<number> {
  const db = connectHere<Tabelas>(readConfig(env));
  try {
    const row = await db.read
      .selectFrom('contador')
      .select('id')
      .where('codigo_crm', '=', codigoCrm)
      .executeTakeFirstOrThrow();
    return row.id;
  } finally {
    await db.close();
  }
}

/**
 * @param env settings of the bench, as its processes get them
 * @param raiz an older tree, whose own commands are used then; null: this one, in this very process
 */
export async function createEscritorios(
  env: Record<string, string>,
  raiz: string | null,
  offices: readonly { crm: string; clientes: readonly string[] }[],
): Promise<Escritorio[]> {
  if (raiz !== null) return Promise.all(offices.map((office) => porComandos(env, raiz, office)));
  const config = readConfig(env);
  await migrateDatabase(config, join(RAIZ, 'migrations'));
  const deps = { config, clock: systemClock, db: connectHere<Tabelas>(config) };
  try {
    const made: Escritorio[] = [];
    for (const { crm, clientes } of offices) {
      const { id, codigoCrm } = await createContador(deps, {
        codigoCrm: crm,
        nome: `Escritório ${crm}`,
        email: `contato${crm}@exemplo.com.br`,
      });
      const { token } = await createToken(deps, { contadorId: id });
      for (const cpfCnpj of clientes) await createCliente(deps, { contadorId: id, cpfCnpj });
      made.push({ codigoCrm, token });
    }
    return made;
  } finally {
    await deps.db.close();
  }
}

async function porComandos(
  env: Record<string, string>,
  raiz: string,
  { crm, clientes }: { crm: string; clientes: readonly string[] },
): Promise<Escritorio> {
  const run = async (...argumentos: string[]) => {
    const { codigo, saida, erros } = await comando([...argumentos, '--json'], { env, raiz });
    if (codigo !== 0) throw new Error(`malote ${argumentos.join(' ')}: ${erros}`);
    return JSON.parse(saida);
  };
  const dados = (nome: string) => ['--nome', nome, '--email', 'contato@exemplo.com.br'];
  const conta = await run('conta', 'criar', '--crm', crm, ...dados(`Escritório ${crm}`));
  for (const cpfCnpj of clientes) {
    await run('cliente', 'criar', '--crm', crm, '--cpf-cnpj', cpfCnpj, ...dados(`Cliente ${cpfCnpj}`));
  }
  return { codigoCrm: crm, token: conta.token };
}
