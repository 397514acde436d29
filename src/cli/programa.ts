import { Command, CommanderError, Help, InvalidArgumentError, Option } from 'commander';
import { Saida } from './saida.ts';

/** What a command is run with. */
interface Chamado<O> {
  argumentos: string[];
  opcoes: O;
  saida: Saida;
}

/** Wraps what a command does into an action of commander. */
export type Executar = <O = Record<string, never>>(
  act: (chamado: Chamado<O>) => Promise<void>,
) => (...args: unknown[]) => Promise<void>;

/** Adds one command, with its subcommands, to the program. */
export type Registrar = (program: Command, executar: Executar) => void;

const TITLES: Record<string, string> = {
  'Usage:': 'Uso:',
  'Arguments:': 'Argumentos:',
  'Options:': 'Opções:',
  'Global Options:': 'Opções gerais:',
  'Commands:': 'Comandos:',
};

/** commander's own words in help pages, in pt-BR. */
class Ajuda extends Help {
  override styleTitle(title: string): string {
    return TITLES[title] ?? title;
  }
  override styleUsage(usage: string): string {
    return usage.replaceAll('[options]', '[opções]').replaceAll('[command]', '[comando]');
  }
  override subcommandTerm(command: Command): string {
    return this.styleUsage(super.subcommandTerm(command));
  }
  override optionDescription(option: Parameters<Help['optionDescription']>[0]): string {
    return super
      .optionDescription(option)
      .replace(/ ?\(default: (?:false|0)\)/, '')
      .replace(/\(default: ("?)(.*?)\1\)/, '(padrão: $2)')
      .replace(/\(env: (.*?)\)/, '(ou a variável $1)');
  }
}

/** Makes the program with its commands, help, version and messages in pt-BR. */
export function createPrograma(input: {
  versao: string;
  comandos: readonly Registrar[];
  /** Told when a command failed. */
  aoFalhar: (error: unknown, saida: Saida) => void;
}): Command {
  const program = inPortuguese(new Command('malote'))
    .description('Malote: central aberta de documentos fiscais eletrônicos')
    .version(input.versao, '-V, --versao', 'mostra a versão')
    .usage('<comando> [opções]');
  const executar: Executar =
    (act) =>
    async (...args) => {
      const command = args.at(-1) as Command;
      const opcoes = command.opts() as { json?: boolean };
      const saida = new Saida({ json: opcoes.json === true });
      try {
        await act({ argumentos: command.args, opcoes: opcoes as never, saida });
      } catch (error) {
        input.aoFalhar(error, saida);
      }
    };
  for (const registrar of input.comandos) registrar(program, executar);
  forEachCommand(program, (command) => {
    inPortuguese(command);
    if (command !== program && command.commands.length === 0) {
      command.option('--json', 'mostra o resultado como um objeto JSON', false);
    }
  });
  return program;
}

/** The options of a command about one office, and about one of its clients. */
export const CRM = { '--crm <codigo>': 'código CRM do escritório' };
export const CRM_E_CLIENTE = {
  ...CRM,
  '--cpf-cnpj <numero>': 'CPF ou CNPJ do cliente, com ou sem máscara',
};

/** Adds options that must be given; flags → description. */
export function required(command: Command, options: Record<string, string>): Command {
  for (const [flags, description] of Object.entries(options)) command.requiredOption(flags, description);
  return command;
}

/** Adds where the service is and the token for it: options, or variables that keep the token out of the history. */
export function comAcesso(command: Command): Command {
  const url = new Option('--url <endereco>', 'endereço do Malote').env('MALOTE_URL').argParser(parseUrl);
  const token = new Option('--token <token>', 'token de integração')
    .env('MALOTE_TOKEN')
    .argParser(parseToken);
  return command.addOption(url.makeOptionMandatory()).addOption(token.makeOptionMandatory());
}

function parseUrl(text: string): string {
  const url = text.trim();
  if (/^https?:\/\/[^/]/i.test(url) && URL.canParse(url)) return url;
  throw new InvalidArgumentError(
    `--url: o endereço começa por http:// ou https://, como http://127.0.0.1:8080, e não "${url}"`,
  );
}

function parseToken(text: string): string {
  const token = text.trim();
  if (token !== '') return token;
  throw new InvalidArgumentError('--token: está vazio; é o texto que começa por mlt_');
}

/** Above every number that a list shows of a thing. */
export const MAX_ID = 999_999_999_999;

/** Reads the value of an option that is a whole number from `de` to `ate`. */
export function inteiro(opcao: string, de: number, ate: number): (text: string) => number {
  return (text) => {
    const n = Number(text);
    if (/^-?\d{1,15}$/.test(text) && n >= de && n <= ate) return n;
    throw new InvalidArgumentError(`${opcao} deve ser um número inteiro de ${de} a ${ate}`);
  };
}

function inPortuguese(command: Command): Command {
  command.createHelp = () => Object.assign(new Ajuda(), command.configureHelp());
  return command
    .helpOption('-h, --ajuda', 'mostra esta ajuda')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .showSuggestionAfterError(false);
}

function forEachCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const child of command.commands) forEachCommand(child, visit);
}

/** What commander says of a wrong call, in pt-BR; null when it only ended after help or version. */
export function usageFault(error: CommanderError): string | null {
  if (error.exitCode === 0 || error.code === 'commander.help') return null;
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  const sentences: Record<string, string> = {
    'commander.unknownOption': `opção desconhecida: ${quoted}`,
    'commander.unknownCommand': `comando desconhecido: ${quoted}`,
    'commander.missingArgument': `falta o argumento <${quoted}>`,
    'commander.missingMandatoryOptionValue': `falta a opção ${quoted}`,
    'commander.optionMissingArgument': `a opção ${quoted} precisa de um valor`,
    'commander.excessArguments': 'há argumentos a mais',
    'commander.invalidArgument': error.message.replace(/^error: (?:.*? is invalid\. )?/, ''),
  };
  return sentences[error.code] ?? error.message.replace(/^error: /, '');
}

export { CommanderError };
