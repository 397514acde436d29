import type { Command } from 'commander';
import { createClienteOauth } from '../autorizacao/cliente-oauth.ts';
import { createToken } from '../autorizacao/tokens.ts';
import { inviteAdministrador } from '../console/sessao/convites.ts';
import { createContador, listContadores } from '../contas/contadores.ts';
import { reachableOrigins } from '../platform/http/reachable.ts';
import { comBanco, comInstalacao, type DepsDoComando } from './deps.ts';
import { type Registrar, required } from './programa.ts';
import { quando, tabela } from './tabela.ts';

export interface ContaCriada {
  codigoCrm: string;
  token: string;
  client_id: string;
  client_secret: string;
  convite_console: string;
}

/** Opens an office with everything that it needs to begin. The secrets are shown this once. */
export async function createConta(
  deps: DepsDoComando,
  input: { crm: string; nome: string; email: string },
): Promise<ContaCriada> {
  const { id, codigoCrm } = await createContador(deps, {
    codigoCrm: input.crm,
    nome: input.nome,
    email: input.email,
  });
  const { token } = await createToken(deps, { contadorId: id });
  const oauth = await createClienteOauth(deps, { contadorIds: [id], nome: input.nome });
  const { nome, email } = input;
  const { caminho } = await inviteAdministrador(deps, { contadorId: id, nome, email, autor: 'cli' });
  return {
    codigoCrm,
    token,
    client_id: oauth.clientId,
    client_secret: oauth.clientSecret,
    convite_console: `${consoleOrigin(deps)}${caminho}`,
  };
}

/** Where a browser finds the console: under the public address, else one that the settings let others reach. */
export function consoleOrigin({ config }: Pick<DepsDoComando, 'config'>): string {
  const [first = ''] = reachableOrigins({ host: config.host, port: config.port || 8080 });
  return config.urls.base || first;
}

export const registerConta: Registrar = (program: Command, executar) => {
  const conta = program.command('conta').description('contas de escritórios (contadores)');
  conta
    .command('listar')
    .description('lista os escritórios deste servidor, com quantos clientes e usuários tem cada um')
    .action(
      executar(async ({ saida }) => {
        const contas = await comInstalacao(({ db }) => listContadores(db.read));
        const header = ['código CRM', 'nome', 'e-mail', 'clientes', 'usuários', 'criada em'];
        const rows = contas.map((one) => [
          one.codigoCrm,
          one.nome,
          one.email,
          String(one.clientes),
          String(one.usuarios),
          quando(one.criadaEm, '–'),
        ]);
        saida.resultado(
          { contas },
          contas.length === 0 ? ['Nenhum escritório ainda.'] : tabela([header, ...rows]),
        );
      }),
    );
  required(conta.command('criar'), {
    '--crm <codigo>': 'código CRM do escritório, de 1 a 6 dígitos',
    '--nome <nome>': 'nome do escritório',
    '--email <email>': 'e-mail do responsável',
  })
    .description('cria a conta de um escritório e mostra suas credenciais uma única vez')
    .action(
      executar<{ crm: string; nome: string; email: string }>(async ({ opcoes, saida }) => {
        const criada = await comBanco((deps) => createConta(deps, opcoes));
        saida.resultado(criada, [
          `Conta ${criada.codigoCrm} criada. Guarde estes dados agora: eles não serão mostrados de novo.`,
          '',
          `  codigoCrm:           ${criada.codigoCrm}`,
          `  token de integração: ${criada.token}`,
          `  client_id:           ${criada.client_id}`,
          `  client_secret:       ${criada.client_secret}`,
          `  acesso ao console:   ${criada.convite_console}`,
          '',
          'No acesso ao console o responsável define a sua senha; o endereço vale 7 dias, uma vez.',
        ]);
      }),
    );
};
