import { type Command, InvalidArgumentError } from 'commander';
import { comInstalacao } from './deps.ts';
import { type Registrar, required } from './programa.ts';
import type { Pedido } from './semear-banco.ts';

function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d{1,8}$/.test(text) || count < 1)
    throw new InvalidArgumentError('informe um número inteiro a partir de 1');
  return count;
}

export const registrarSemear: Registrar = (program: Command, executar) => {
  required(program.command('semear'), { '--crm <codigo>': 'código CRM do escritório' })
    .requiredOption('--documentos <n>', 'quantas notas gerar; eventos e inutilizações vêm a mais', parseCount)
    .requiredOption('--clientes <n>', 'quantos clientes o escritório terá nelas', parseCount)
    .option('--semente <texto>', 'a mesma semente gera os mesmos documentos', 'malote')
    .option('--meses <n>', 'quantos meses completos cobrir, até o mês passado', parseCount, 1)
    .description('grava documentos gerados e assinados direto no banco, para testes e medições')
    .action(
      executar<Pedido>(async ({ opcoes, saida }) => {
        const { semear } = await import('./semear-banco.ts');
        const resumo = await comInstalacao((deps) => semear(deps, { pedido: opcoes, saida }));
        const total = Object.values(resumo.itens).reduce((sum, n) => sum + n, 0);
        saida.resultado(resumo, [
          `${total} documentos gravados para ${resumo.clientes.length} clientes da conta ${resumo.codigoCrm}.`,
        ]);
      }),
    );
};
