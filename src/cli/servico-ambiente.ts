/** The settings of an installed service: a file beside the data, which node reads before it starts (`--env-file-if-exists`). */
import { join } from 'node:path';
import { SETTINGS } from '../config.ts';

export const ARQUIVO_DO_AMBIENTE = 'malote.env';

/** Names that the service reads besides its own settings. */
const DE_FORA = /^AWS_[A-Z_]+$/;

/** What an installed service needs to know; all paths absolute. */
export interface Instalado {
  /** Letters, digits and hyphens: of the unit, or of the task. */
  nome: string;
  /** Folder of the program. */
  raiz: string;
  dataFolder: string;
  /** The Node that runs it. */
  node: string;
}

export const arquivoDoAmbiente = ({ dataFolder }: Pick<Instalado, 'dataFolder'>) =>
  join(dataFolder, ARQUIVO_DO_AMBIENTE);

/** The file's lines: what is set in an environment at this moment, and the data folder. @throws Error for what no line can hold */
export function linhasDoAmbiente(env: NodeJS.ProcessEnv, dataFolder: string): string[] {
  const known = new Set<string>(Object.values(SETTINGS).map((setting) => setting.env));
  const set = Object.entries(env)
    .filter(([name, value]) => value && name !== SETTINGS.data.env && (known.has(name) || DE_FORA.test(name)))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    '# Ambiente do serviço do Malote: uma variável por linha, lidas quando ele inicia; veja docs/configuracao.md.',
    ...[[SETTINGS.data.env, dataFolder] as const, ...set].map(
      ([name, value = '']) => `${name}=${quoted(name, value)}`,
    ),
  ];
}

/** node takes what stands between quotes as it is: backslashes of Windows, JSON, `#`. */
function quoted(name: string, value: string): string {
  const quote = ["'", '"', '`'].find((one) => !value.includes(one) && (one !== '"' || !value.includes('\\')));
  if (quote === undefined || /[\r\n]/.test(value))
    throw new Error(
      `${name} tem aspas de todos os tipos ou mais de uma linha: ponha-a à mão em ${ARQUIVO_DO_AMBIENTE}.`,
    );
  return `${quote}${value}${quote}`;
}
