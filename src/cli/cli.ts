/** The command line: the one list of all commands. */
import type { Command } from 'commander';
import { versaoDoMalote } from '../versao.ts';
import { CommanderError, createPrograma, type Registrar, usageFault } from './programa.ts';

/** By the word that calls them; each is loaded when it is called. */
export const COMANDOS: Readonly<Record<string, () => Promise<Registrar>>> = {
  servir: async () => (await import('./servir.ts')).registerServir,
  servico: async () => (await import('./servico.ts')).registerServico,
  conta: async () => (await import('./conta.ts')).registerConta,
  cliente: async () => (await import('./cliente.ts')).registerClientes,
  token: async () => (await import('./token.ts')).registerToken,
  usuario: async () => (await import('./usuario.ts')).registerUsuario,
  oauth: async () => (await import('./oauth.ts')).registerOauth,
  chaves: async () => (await import('./chaves.ts')).registerChaves,
  certificado: async () => (await import('./certificado.ts')).registerCertificado,
  captura: async () => (await import('./captura.ts')).registerCaptura,
  'chave-mestra': async () => (await import('./chave-mestra.ts')).registerChaveMestra,
  auditoria: async () => (await import('./auditoria.ts')).registerAuditoria,
  importar: async () => (await import('./importar.ts')).registerImportar,
  exportar: async () => (await import('./exportar-comando.ts')).registerExportar,
  verificar: async () => (await import('./verificar.ts')).registerVerificar,
  orfao: async () => (await import('./orfao.ts')).registerOrfao,
  backup: async () => (await import('./backup.ts')).registerBackup,
  restaurar: async () => (await import('./restaurar.ts')).registerRestaurar,
  'migrar-banco': async () => (await import('./migrar-banco.ts')).registerMigrarBanco,
  retencao: async () => (await import('./retencao.ts')).registerRetencao,
  semear: async () => (await import('./semear.ts')).registerSemear,
  esquemas: async () => (await import('./esquemas.ts')).registerEsquemas,
  leiautes: async () => (await import('./leiautes.ts')).registerLeiautes,
  icp: async () => (await import('./icp.ts')).registerIcp,
};

const EXIT_FAILED = 1;
/** The call itself was wrong: nothing was done. */
const EXIT_USAGE = 2;

/** Runs one command. Sets the exit code of the process; does not end it, since `servir` goes on. */
export async function runCli(args: readonly string[]): Promise<void> {
  const program = createPrograma({
    versao: versaoDoMalote(),
    comandos: await calledBy(args),
    aoFalhar(error, saida) {
      saida.falha(error);
      process.exitCode = EXIT_FAILED;
    },
  });
  try {
    await program.parseAsync(args.map(inOurWords), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const fault = usageFault(error);
    if (fault === null) {
      // A command that has others below it has shown them and done nothing.
      if (error.code === 'commander.help' && args.length > 0) process.exitCode = EXIT_USAGE;
      return;
    }
    process.stderr.write(`Erro: ${fault}. Veja: malote ${commandOf(program, args)}--ajuda\n`);
    if (args.includes('--json')) {
      process.stdout.write(
        `${JSON.stringify({ erro: { codigo: 'uso_invalido', mensagem: fault, erros: [] } })}\n`,
      );
    }
    process.exitCode = EXIT_USAGE;
  }
}

/** The command that is called; all of them for who asks for help, or is to be told what there is. */
function calledBy(args: readonly string[]): Promise<Registrar[]> {
  const called = Object.entries(COMANDOS).filter(([name]) => name === args[0]);
  const wanted = called.length > 0 ? called : Object.entries(COMANDOS);
  return Promise.all(wanted.map(([, load]) => load()));
}

/** What people type out of habit. */
function inOurWords(arg: string, at: number): string {
  if (arg === '--help' || (at === 0 && (arg === 'ajuda' || arg === 'help'))) return '--ajuda';
  return at === 0 && (arg === '--version' || arg === '-v') ? '--versao' : arg;
}

/** `conta criar --crm 1` → `conta criar `: the words that are commands. */
function commandOf(program: Command, args: readonly string[]): string {
  const [word = '', ...others] = args;
  const command = program.commands.find((one) => one.name() === word);
  return command ? `${word} ${commandOf(command, others)}` : '';
}
