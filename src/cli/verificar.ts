import type { Command } from 'commander';
import { openBlobStore } from '../platform/storage/open.ts';
import { verificar } from './conferencias.ts';
import { comBanco } from './deps.ts';
import type { Registrar } from './programa.ts';
import { FalhaDoComando } from './saida.ts';

const SHOWN_FINDINGS = 100;

export const registrarVerificar: Registrar = (program: Command, executar) => {
  program
    .command('verificar')
    .description('confere a consistência dos dados: banco, NSU, conteúdos, arquivos enviados e contagens')
    .action(
      executar(async ({ saida }) => {
        const relatorio = await comBanco(async (deps) => {
          const storage = await openBlobStore(deps.config);
          return verificar({ ...deps, storage }, saida);
        });
        const { achados, avisos } = relatorio;
        saida.resultado(
          { ...relatorio, achados: achados.slice(0, SHOWN_FINDINGS), totalDeAchados: achados.length },
          [
            `${relatorio.clientes} clientes, ${relatorio.documentos} documentos (${relatorio.versoes} versões), ${relatorio.entradas} entradas, ${relatorio.arquivos} arquivos enviados.`,
            ...avisos.map((aviso) => `Aviso: ${aviso}`),
            ...achados
              .slice(0, SHOWN_FINDINGS)
              .map(({ conferencia, mensagem }) => `✗ ${conferencia}: ${mensagem}`),
            ...(achados.length === 0 ? ['Tudo confere.'] : []),
          ],
        );
        if (achados.length > 0)
          throw new FalhaDoComando('inconsistencias', `${achados.length} inconsistência(s) encontrada(s).`);
      }),
    );
};
