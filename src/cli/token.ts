import type { Command } from 'commander';
import { createToken } from '../autorizacao/tokens.ts';
import { findContador } from '../contas/contadores.ts';
import { comBanco } from './deps.ts';
import { type Registrar, required } from './programa.ts';

export const registrarToken: Registrar = (program: Command, executar) => {
  const token = program.command('token').description('tokens de integração');
  required(token.command('gerar'), { '--crm <codigo>': 'código CRM do escritório' })
    .option('--nome <nome>', 'nome que identifica o token', 'Integração')
    .option('--adicional', 'mantém o token atual válido, em vez de revogá-lo', false)
    .description('gera um token de integração; sem --adicional o anterior deixa de valer')
    .action(
      executar<{ crm: string; nome: string; adicional: boolean }>(async ({ opcoes, saida }) => {
        const { crm, nome, adicional } = opcoes;
        const gerado = await comBanco(async (deps) => {
          const { id, codigoCrm } = await findContador(deps.db.read, { codigoCrm: crm });
          const { token } = await createToken(deps, { contadorId: id, nome, adicional });
          return { codigoCrm, nome, adicional, token };
        });
        saida.resultado(gerado, [
          adicional
            ? `Token adicional "${nome}" da conta ${gerado.codigoCrm}:`
            : `Token da conta ${gerado.codigoCrm} (o anterior foi revogado):`,
          '',
          `  ${gerado.token}`,
          '',
          'Guarde-o agora: ele não será mostrado de novo.',
        ]);
      }),
    );
};
