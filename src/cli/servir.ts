import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { Pronto } from '../servidor.ts';
import type { Registrar } from './programa.ts';

export const registerServir: Registrar = (program: Command, executar) => {
  program
    .command('servir')
    .description('inicia o servidor: API, importação e console num só processo (veja MALOTE_MODO)')
    .action(
      executar(async ({ saida }) => {
        const { serve } = await import('../servidor.ts');
        await serve(readConfig(), (pronto) => saida.resultado(pronto, linhasDe(pronto)));
      }),
    );
};

/** While nobody can enter the console, the way in is told to who can read what this process says. */
function linhasDe({ url, outros, semHttps, pasta, primeiroUso }: Pronto): string[] {
  const lines = [`Malote escutando em ${url} (dados em ${pasta})`];
  if (outros.length > 0) lines.push(`Também em ${outros.join(', ')}`);
  if (semHttps)
    lines.push(
      'Atenção: outros computadores chegam por http, sem cifra: quem escuta a rede lê senhas e notas. Veja docs/rede.md.',
    );
  if (primeiroUso !== null) {
    lines.push('Ninguém pode entrar no console ainda. Para criar o primeiro usuário (vale 24 horas):');
    lines.push(`  ${primeiroUso}`);
  }
  return lines;
}
