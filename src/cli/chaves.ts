import type { Command } from 'commander';
import { rotateChaveDeEndereco } from '../autorizacao/chaves-de-endereco.ts';
import { rotateChaves } from '../autorizacao/emissor/chaves.ts';
import { comInstalacao, openCofreDe } from './deps.ts';
import type { Registrar } from './programa.ts';

export const registerChaves: Registrar = (program: Command, executar) => {
  const chaves = program.command('chaves').description('chaves que assinam tokens de acesso e endereços');
  chaves
    .command('girar')
    .option('--imediatamente', 'apaga as anteriores já: os tokens que elas assinaram deixam de valer', false)
    .description('faz outra chave de tokens; a anterior fica publicada até vencer o que ela assinou')
    .action(
      executar<{ imediatamente: boolean }>(async ({ opcoes, saida }) => {
        const { imediatamente } = opcoes;
        const kid = await comInstalacao(async (deps) =>
          rotateChaves(
            { ...deps, vault: await openCofreDe(deps), reino: deps.config.reino },
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
  chaves
    .command('girar-enderecos')
    .option(
      '--imediatamente',
      'aposenta as anteriores já: os endereços que elas assinaram deixam de valer',
      false,
    )
    .description('faz outra chave de endereços de envio e download; sem pedir, isso acontece a cada 30 dias')
    .action(
      executar<{ imediatamente: boolean }>(async ({ opcoes, saida }) => {
        const { imediatamente } = opcoes;
        const kid = await comInstalacao(async (deps) =>
          rotateChaveDeEndereco({ ...deps, vault: await openCofreDe(deps) }, { imediatamente, autor: 'cli' }),
        );
        saida.resultado({ kid, imediatamente }, [
          `Chave ${kid} criada.`,
          imediatamente
            ? 'As anteriores foram aposentadas; servidores em execução as recusam em até 5 segundos.'
            : 'Ela passa a assinar em um minuto; as anteriores valem até vencer o último endereço delas.',
        ]);
      }),
    );
};
