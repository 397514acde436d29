import type { Command } from 'commander';
import { comInstalacao } from './deps.ts';
import { CRM, inteiro, type Registrar, required } from './programa.ts';
import type { Pedido } from './semear-banco.ts';

const MAX = 99_999_999;

export const registerSemear: Registrar = (program: Command, executar) => {
  required(program.command('semear'), CRM)
    .requiredOption(
      '--documentos <n>',
      'quantas notas gerar; eventos e inutilizações vêm a mais',
      inteiro('--documentos', 1, MAX),
    )
    .requiredOption(
      '--clientes <n>',
      'quantos clientes o escritório terá nelas',
      inteiro('--clientes', 1, MAX),
    )
    .option('--semente <texto>', 'a mesma semente gera os mesmos documentos', 'malote')
    .option('--meses <n>', 'quantos meses completos cobrir, até o mês passado', inteiro('--meses', 1, MAX), 1)
    .description('grava documentos gerados e assinados direto no banco, para testes e medições')
    .action(
      executar<Pedido>(async ({ opcoes, saida }) => {
        const { seedBanco: semear } = await import('./semear-banco.ts');
        const resumo = await comInstalacao((deps) => semear(deps, { pedido: opcoes, saida }));
        const total = Object.values(resumo.itens).reduce((sum, n) => sum + n, 0);
        saida.resultado(resumo, [
          `${total} documentos gravados para ${resumo.clientes.length} clientes da conta ${resumo.codigoCrm}.`,
        ]);
      }),
    );
};
