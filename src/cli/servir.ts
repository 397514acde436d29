import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { Registrar } from './programa.ts';

export const registrarServir: Registrar = (program: Command, executar) => {
  program
    .command('servir')
    .description('inicia o servidor: API, importação e console num só processo (veja MALOTE_MODO)')
    .action(
      executar(async () => {
        const { serve } = await import('../servidor.ts');
        await serve(readConfig());
      }),
    );
};
