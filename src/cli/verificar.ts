import type { Command } from 'commander';
import { contar } from './contar.ts';
import { comArquivos, comInstalacao } from './deps.ts';
import type { Registrar } from './programa.ts';
import type { RelatorioDoReparo } from './reparos.ts';
import { FalhaDoComando } from './saida.ts';

/** What a person is shown of them; a program (`--json`) gets all. */
const SHOWN_FINDINGS = 100;

export const registerVerificar: Registrar = (program: Command, executar) => {
  program
    .command('verificar')
    .description('confere a consistência dos dados: banco, NSU, conteúdos, arquivos enviados e contagens')
    .option('--reparar', 'repara o que pode ser reparado, e diz o que não pode', false)
    .option(
      '--aceitar <tabela...>',
      'com --reparar: as linhas destas tabelas estão certas, e o que os índices têm delas não',
    )
    .action(
      executar<{ reparar: boolean; aceitar?: string[] }>(async ({ opcoes, saida }) => {
        const relatorio = await comInstalacao((deps) =>
          comArquivos(deps, async (all) => {
            // Loaded here, because the schema engine is needed by few commands, and not by the service's first thread.
            if (!opcoes.reparar) {
              const { conferir } = await import('./conferencias.ts');
              return (await conferir(all, saida)).relatorio;
            }
            const { verifyAndRepair } = await import('./reparos.ts');
            return await verifyAndRepair(all, { saida, aceitar: opcoes.aceitar ?? [] });
          }),
        );
        const reparos = 'reparos' in relatorio ? (relatorio as RelatorioDoReparo).reparos : [];
        const { achados, avisos } = relatorio;
        saida.resultado(
          {
            ...relatorio,
            totalDeAchados: achados.length,
            ...(opcoes.reparar ? { totalDeReparos: reparos.length } : {}),
          },
          [
            `${contar(relatorio.clientes, 'cliente')}, ${contar(relatorio.documentos, 'documento')} (${contar(relatorio.versoes, 'versão', 'versões')}), ${contar(relatorio.entradas, 'entrada')}, ${contar(relatorio.arquivos, 'arquivo enviado', 'arquivos enviados')}.`,
            ...reparos.slice(0, SHOWN_FINDINGS).map(({ alvo, mensagem }) => `✓ ${alvo}: ${mensagem}`),
            ...avisos.map((aviso) => `Aviso: ${aviso}`),
            ...achados
              .slice(0, SHOWN_FINDINGS)
              .map(({ conferencia, mensagem }) => `✗ ${conferencia}: ${mensagem}`),
            ...(achados.length > SHOWN_FINDINGS
              ? [`… e mais ${achados.length - SHOWN_FINDINGS}; com --json vêm todos.`]
              : []),
            ...(achados.length === 0 ? ['Tudo confere.'] : []),
          ],
        );
        if (achados.length > 0)
          throw new FalhaDoComando(
            'inconsistencias',
            `${contar(achados.length, 'inconsistência encontrada', 'inconsistências encontradas')}.`,
          );
      }),
    );
};
