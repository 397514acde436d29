import type { Command } from 'commander';
import {
  type ClienteOauthListado,
  createClienteOauth,
  listClientesOauth,
  OVERLAP_HOURS,
  revokeClienteOauth,
  rotateSegredo,
} from '../autorizacao/cliente-oauth.ts';
import { comInstalacao, contadorDe, type DepsDoComando } from './deps.ts';
import { inteiro, type Registrar, required } from './programa.ts';
import { FalhaDoComando } from './saida.ts';
import { quando, tabela } from './tabela.ts';

const ONCE = 'Guarde-o agora: ele não será mostrado de novo.';
const HORAS = inteiro('--horas', 0, 720);

export const registerOauth: Registrar = (program: Command, executar) => {
  const oauth = program.command('oauth').description('clientes OAuth da área de contas');
  oauth
    .command('criar')
    .option('--crm <codigo...>', 'códigos CRM dos escritórios em nome de quem o cliente age')
    .requiredOption('--nome <nome>', 'nome que identifica o cliente')
    .option('--somente-introspeccao', 'só consulta o que é um token; não recebe nenhum', false)
    .description('cria um cliente OAuth e mostra o seu segredo uma única vez')
    .action(
      executar<{ crm?: string[]; nome: string; somenteIntrospeccao: boolean }>(async ({ opcoes, saida }) => {
        const criado = await comInstalacao((deps) => criar(deps, opcoes));
        saida.resultado(criado, [
          `Cliente OAuth "${criado.nome}" criado.`,
          '',
          `  client_id:     ${criado.client_id}`,
          `  client_secret: ${criado.client_secret}`,
          '',
          ONCE,
        ]);
      }),
    );

  oauth
    .command('listar')
    .option('--crm <codigo>', 'só os que agem em nome deste escritório')
    .description('lista os clientes OAuth, os revogados também')
    .action(
      executar<{ crm?: string }>(async ({ opcoes, saida }) => {
        const clientes = await comInstalacao(async ({ db }) => {
          if (opcoes.crm === undefined) return listClientesOauth(db.read);
          return listClientesOauth(db.read, await contadorDe({ db }, opcoes.crm));
        });
        const header = ['client_id', 'nome', 'CRM', 'situação', 'último uso'];
        saida.resultado({ clientes }, tabela([header, ...clientes.map(linhaDoCliente)]));
      }),
    );

  required(oauth.command('revogar'), { '--client-id <id>': 'o client_id' })
    .description('revoga um cliente OAuth; os seus tokens param de valer em até 5 segundos')
    .action(
      executar<{ clientId: string }>(async ({ opcoes, saida }) => {
        await comInstalacao((deps) => revokeClienteOauth(deps, opcoes));
        saida.resultado({ client_id: opcoes.clientId }, [`Cliente OAuth ${opcoes.clientId} revogado.`]);
      }),
    );

  required(oauth.command('girar'), { '--client-id <id>': 'o client_id' })
    .option('--horas <n>', 'por quantas horas o segredo anterior ainda vale', HORAS, OVERLAP_HOURS)
    .description('dá outro segredo a um cliente OAuth; o anterior vale por mais algumas horas')
    .action(
      executar<{ clientId: string; horas: number }>(async ({ opcoes, saida }) => {
        const { clientSecret, anteriorValeAte } = await comInstalacao((deps) => rotateSegredo(deps, opcoes));
        const resultado = {
          client_id: opcoes.clientId,
          client_secret: clientSecret,
          anterior_vale_ate: anteriorValeAte,
        };
        saida.resultado(resultado, [
          `Novo segredo de ${opcoes.clientId} (o anterior vale até ${quando(anteriorValeAte)}):`,
          '',
          `  ${clientSecret}`,
          '',
          ONCE,
        ]);
      }),
    );
};

async function criar(
  deps: DepsDoComando,
  { crm = [], nome, somenteIntrospeccao }: { crm?: string[]; nome: string; somenteIntrospeccao: boolean },
) {
  if (crm.length === 0 && !somenteIntrospeccao)
    throw new FalhaDoComando('parametro_obrigatorio', 'Informe ao menos um escritório com --crm.');
  const contadores = [];
  for (const codigoCrm of crm) contadores.push(await contadorDe(deps, codigoCrm));
  const { clientId, clientSecret } = await createClienteOauth(deps, {
    contadorIds: contadores.map(({ contadorId }) => contadorId),
    nome,
    emiteTokens: !somenteIntrospeccao,
  });
  const codigosCrm = contadores.map(({ codigoCrm }) => codigoCrm);
  return { nome, codigosCrm, client_id: clientId, client_secret: clientSecret };
}

function linhaDoCliente(cliente: ClienteOauthListado): string[] {
  const active = cliente.emiteTokens ? 'ativo' : 'só introspecção';
  return [
    cliente.clientId,
    cliente.nome,
    cliente.codigosCrm.join(', '),
    cliente.revogadoEm === null ? active : `revogado em ${quando(cliente.revogadoEm)}`,
    quando(cliente.ultimoUsoEm, 'nunca'),
  ];
}
