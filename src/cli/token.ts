import { type Command, InvalidArgumentError } from 'commander';
import type { Auth } from '../autorizacao/contexto.ts';
import { createToken, listTokens, revokeToken, type TokenListado } from '../autorizacao/tokens.ts';
import { clienteDe, type DepsDoComando, type DoEscritorio, noEscritorio } from './deps.ts';
import { CRM, inteiro, MAX_ID, type Registrar, required } from './programa.ts';
import { quando, tabela } from './tabela.ts';

const DAY_MS = 86_400_000;

interface OpcoesDeGerar {
  crm: string;
  nome: string;
  adicional: boolean;
  escopo: Auth['escopo'];
  cliente?: string[];
  dias?: number;
}

export const registerToken: Registrar = (program: Command, executar) => {
  const token = program.command('token').description('tokens de integração');
  required(token.command('gerar'), CRM)
    .option('--nome <nome>', 'nome que identifica o token', 'Integração')
    .option('--adicional', 'mantém o token atual válido, em vez de revogá-lo', false)
    .option('--escopo <area>', 'importacao, exportacao ou tudo (só com --adicional)', readEscopo, 'tudo')
    .option('--cliente <cpf-cnpj...>', 'só estes clientes, e só exportação (só com --adicional)')
    .option('--dias <n>', 'validade em dias (só com --adicional)', inteiro('--dias', 1, 99_999))
    .description('gera um token de integração; sem --adicional o anterior deixa de valer')
    .action(
      executar<OpcoesDeGerar>(async ({ opcoes, saida }) => {
        const gerado = await noEscritorio(opcoes.crm, (deps, contador) =>
          gerar(deps, { ...opcoes, ...contador }),
        );
        saida.resultado(gerado, [
          gerado.adicional
            ? `Token adicional "${gerado.nome}" da conta ${gerado.codigoCrm}:`
            : `Token da conta ${gerado.codigoCrm} (o anterior foi revogado):`,
          '',
          `  ${gerado.token}`,
          '',
          'Guarde-o agora: ele não será mostrado de novo.',
        ]);
      }),
    );

  required(token.command('listar'), CRM)
    .description('lista os tokens de um escritório, os revogados também')
    .action(
      executar<{ crm: string }>(async ({ opcoes, saida }) => {
        const { codigoCrm, tokens } = await noEscritorio(opcoes.crm, async (deps, contador) => ({
          codigoCrm: contador.codigoCrm,
          tokens: await listTokens(deps.db.read, contador),
        }));
        const header = ['número', 'nome', 'final', 'alcance', 'situação', 'último uso'];
        saida.resultado({ codigoCrm, tokens }, tabela([header, ...tokens.map(linhaDoToken)]));
      }),
    );

  required(token.command('revogar'), CRM)
    .requiredOption('--numero <n>', 'número do token, como em `token listar`', inteiro('--numero', 1, MAX_ID))
    .description('revoga um token; ele para de valer em até 5 segundos')
    .action(
      executar<{ crm: string; numero: number }>(async ({ opcoes, saida }) => {
        const revogado = await noEscritorio(opcoes.crm, async (deps, { contadorId, codigoCrm }) => {
          await revokeToken(deps, { contadorId, id: opcoes.numero });
          return { codigoCrm, numero: opcoes.numero };
        });
        saida.resultado(revogado, [`Token ${revogado.numero} da conta ${revogado.codigoCrm} revogado.`]);
      }),
    );
};

async function gerar(deps: DepsDoComando, opcoes: OpcoesDeGerar & DoEscritorio) {
  const { contadorId, codigoCrm, nome, adicional, escopo, dias } = opcoes;
  const clientes = opcoes.cliente && (await findClientes(deps, { contadorId, cpfCnpjs: opcoes.cliente }));
  const { id: numero, token } = await createToken(deps, {
    contadorId,
    nome,
    adicional,
    escopo,
    ...(clientes ? { clienteIds: clientes.map(({ id }) => id) } : {}),
    ...(dias === undefined ? {} : { expiraEm: deps.clock.now() + dias * DAY_MS }),
  });
  return { codigoCrm, nome, adicional, token, numero };
}

/** Null for one that is not there would leave it out of the list unnoticed. @throws cliente_nao_encontrado */
async function findClientes(
  deps: DepsDoComando,
  { contadorId, cpfCnpjs }: { contadorId: number; cpfCnpjs: readonly string[] },
) {
  const found = [];
  for (const cpfCnpj of cpfCnpjs) found.push(await clienteDe(deps, { contadorId, cpfCnpj }));
  return found;
}

function linhaDoToken(token: TokenListado): string[] {
  const { escopo, clientes, adicional } = token;
  const reach = clientes ? `exportação de ${clientes.join(', ')}` : escopo;
  return [
    String(token.id),
    adicional ? token.nome : `${token.nome} (principal)`,
    `…${token.finais}`,
    reach,
    situacao(token),
    quando(token.ultimoUsoEm, 'nunca'),
  ];
}

function situacao({ revogadoEm, expiraEm }: TokenListado): string {
  if (revogadoEm !== null) return `revogado em ${quando(revogadoEm)}`;
  return expiraEm === null ? 'ativo' : `vale até ${quando(expiraEm)}`;
}

function readEscopo(text: string): Auth['escopo'] {
  if (text === 'tudo' || text === 'importacao' || text === 'exportacao') return text;
  throw new InvalidArgumentError('--escopo deve ser tudo, importacao ou exportacao');
}
