/** The command line: the one list of all commands. */
import { readFileSync } from 'node:fs';
import { registrarAuditoria } from './auditoria.ts';
import { registrarBackup } from './backup.ts';
import { registrarCertificado } from './certificado.ts';
import { registrarChaveMestra } from './chave-mestra.ts';
import { registrarChaves } from './chaves.ts';
import { registrarCliente } from './cliente.ts';
import { registrarConta } from './conta.ts';
import { registrarEsquemas } from './esquemas.ts';
import { registrarExportar } from './exportar.ts';
import { registrarImportar } from './importar.ts';
import { registrarMigrarBanco } from './migrar-banco.ts';
import { registrarOauth } from './oauth.ts';
import { CommanderError, criarPrograma, type Registrar, usageFault } from './programa.ts';
import { registrarRestaurar } from './restaurar.ts';
import { registrarRetencao } from './retencao.ts';
import { registrarSemear } from './semear.ts';
import { registrarServir } from './servir.ts';
import { registrarToken } from './token.ts';
import { registrarUsuario } from './usuario.ts';
import { registrarVerificar } from './verificar.ts';

const COMANDOS: readonly Registrar[] = [
  registrarServir,
  registrarConta,
  registrarCliente,
  registrarToken,
  registrarUsuario,
  registrarOauth,
  registrarChaves,
  registrarCertificado,
  registrarChaveMestra,
  registrarAuditoria,
  registrarImportar,
  registrarExportar,
  registrarVerificar,
  registrarBackup,
  registrarRestaurar,
  registrarMigrarBanco,
  registrarRetencao,
  registrarSemear,
  registrarEsquemas,
];

const EXIT_FAILED = 1;
/** The call itself was wrong: nothing was done. */
const EXIT_USAGE = 2;

/** Runs one command. Sets the exit code of the process; does not end it, since `servir` goes on. */
export async function runCli(args: readonly string[]): Promise<void> {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const program = criarPrograma({
    versao: version,
    comandos: COMANDOS,
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
    if (fault === null) return;
    process.stderr.write(
      `Erro: ${fault}. Veja: malote ${error.code === 'commander.unknownCommand' ? '' : commandOf(args)}--ajuda\n`,
    );
    if (args.includes('--json')) {
      process.stdout.write(
        `${JSON.stringify({ erro: { codigo: 'uso_invalido', mensagem: fault, erros: [] } })}\n`,
      );
    }
    process.exitCode = EXIT_USAGE;
  }
}

/** What people type out of habit. */
function inOurWords(arg: string, at: number): string {
  if (arg === '--help' || (at === 0 && (arg === 'ajuda' || arg === 'help'))) return '--ajuda';
  return at === 0 && (arg === '--version' || arg === '-v') ? '--versao' : arg;
}

/** `conta criar --crm 1` → `conta criar `. */
function commandOf(args: readonly string[]): string {
  const end = args.findIndex((arg) => arg.startsWith('-'));
  const words = args
    .slice(0, Math.min(2, end === -1 ? args.length : end))
    .filter((arg) => /^[a-z-]+$/.test(arg));
  return words.map((word) => `${word} `).join('');
}
