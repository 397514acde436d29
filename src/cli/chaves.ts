import type { Command } from 'commander';
import { rotateChaves } from '../autorizacao/emissor/chaves.ts';
import { abrirCofreDe, comInstalacao } from './deps.ts';
import type { Registrar } from './programa.ts';

export const registrarChaves: Registrar = (program: Command, executar) => {
  const chaves = program.command('chaves').description('chaves que assinam os tokens de acesso');
  chaves
    .command('girar')
    .option('--imediatamente', 'apaga as anteriores já: os tokens que elas assinaram deixam de valer', false)
    .description('faz outra chave; a anterior fica publicada até vencer o que ela assinou')
    .action(
      executar<{ imediatamente: boolean }>(async ({ opcoes, saida }) => {
        const { imediatamente } = opcoes;
        const kid = await comInstalacao(async (deps) =>
          rotateChaves(
            { ...deps, vault: await abrirCofreDe(deps), reino: deps.config.reino },
            { imediatamente },
          ),
        );
        saida.resultado({ kid, imediatamente }, [
          `Chave ${kid} criada.`,
          imediatamente
            ? 'As anteriores foram apagadas; servidores em execução param de usá-las em até 20 segundos.'
            : 'Ela passa a assinar em um minuto; a anterior sai sozinha quando vencer o último token dela.',
        ]);
      }),
    );
};
