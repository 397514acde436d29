import { ConfigError } from '../config.ts';
import { DatabaseAwayError, POSTGRES_FULL } from '../platform/db/faults.ts';
import { AppError, type ErroDeCampo } from '../platform/errors.ts';
import { BlobStoreUnavailableError } from '../platform/storage/blob-store.ts';

/** A command that did its work and found something wrong: exit code 1, the result is still shown. */
export class FalhaDoComando extends Error {
  readonly codigo: string;
  constructor(codigo: string, mensagem: string) {
    super(mensagem);
    this.name = 'FalhaDoComando';
    this.codigo = codigo;
  }
}

/** What `--json` prints of a failure. */
interface ErroParaJson {
  codigo: string;
  mensagem: string;
  erros: readonly ErroDeCampo[];
}

/** How fields are named that hold an instant (ms UTC inside): `em`, `criadoEm`, `criada_em`, `tomada_ate`. */
const INSTANT = /(?:^em|Em|_em|_ate)$/;

/** One form of instants in all that `--json` prints: ISO 8601, UTC. */
function asJson(value: object): string {
  return JSON.stringify(value, (key, one: unknown) =>
    typeof one === 'number' && INSTANT.test(key) ? new Date(one).toISOString() : one,
  );
}

/**
 * Where a command speaks. With `--json` stdout gets exactly one JSON object, the result; everything else goes to
 * stderr or nowhere. Without it stdout gets sentences in pt-BR.
 */
export class Saida {
  readonly json: boolean;
  #finished = false;

  constructor(options: { json: boolean }) {
    this.json = options.json;
  }

  /** A line for people on the way; nothing with `--json`. */
  info(text: string): void {
    if (!this.json) process.stdout.write(`${text}\n`);
  }

  /** A line about a problem. */
  aviso(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** The result: the object with `--json`, else the lines. At most once in a command. */
  resultado(value: object, lines: readonly string[]): void {
    this.#finished = true;
    process.stdout.write(this.json ? `${asJson(value)}\n` : lines.map((line) => `${line}\n`).join(''));
  }

  /** Says why the command failed, and keeps the promise of one JSON object. */
  falha(error: unknown): void {
    const told = describeError(error);
    process.stderr.write(`Erro: ${told.mensagem}\n`);
    for (const { mensagem } of told.erros)
      if (mensagem !== told.mensagem) process.stderr.write(`  - ${mensagem}\n`);
    if (this.json && !this.#finished) process.stdout.write(`${JSON.stringify({ erro: told })}\n`);
  }
}

/** Primary result codes of SQLite that an operator can do something about. */
const SQLITE: Readonly<Record<number, string>> = {
  8: 'O banco de dados não pode ser escrito: confira os direitos do arquivo e da pasta de MALOTE_DATA',
  10: 'O disco do banco de dados falhou',
  11: 'O banco de dados está danificado: restaure uma cópia de segurança',
  13: 'O disco está cheio',
  14: 'O banco de dados não abre: confira se a pasta de MALOTE_DATA existe e os seus direitos',
  26: 'O arquivo do banco de dados não é um banco SQLite',
};

function sqliteFault(error: unknown): string | undefined {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' ? SQLITE[errcode & 0xff] : undefined;
}

/** What the other side said, or the line broke with. */
function causeOf(error: Error): string {
  return (error.cause instanceof Error ? error.cause : error).message.replace(/\.$/, '');
}

/** Every failure as code and sentence; what nobody foresaw is shown with its English message. */
export function describeError(error: unknown): ErroParaJson {
  if (error instanceof AppError) {
    const { codigo, message, erros } = error;
    return { codigo, mensagem: message, erros };
  }
  if (error instanceof ConfigError) {
    return { codigo: 'configuracao_invalida', mensagem: error.message, erros: [] };
  }
  if (error instanceof BlobStoreUnavailableError) {
    const mensagem = `O armazenamento dos arquivos (MALOTE_ARQUIVOS) não responde, ou recusa: ${causeOf(error)}.`;
    return { codigo: 'armazenamento_indisponivel', mensagem, erros: [] };
  }
  if (error instanceof DatabaseAwayError) {
    const mensagem = `O banco de dados não responde: ${causeOf(error)}.`;
    return { codigo: 'banco_indisponivel', mensagem, erros: [] };
  }
  const { code, codigo, erros, message } = error as Error & {
    code?: string;
    codigo?: string;
    erros?: ErroDeCampo[];
  };
  const path = (error as NodeJS.ErrnoException).path;
  const system: Record<string, string> = {
    ENOENT: 'Não existe',
    EACCES: 'Sem permissão',
    EISDIR: 'É uma pasta, não um arquivo',
    ENOTDIR: 'Não é uma pasta',
    ENOSPC: 'O disco está cheio',
    EDQUOT: 'A cota de disco acabou',
    EIO: 'O disco falhou',
    [POSTGRES_FULL]: 'O disco do servidor PostgreSQL está cheio',
    EROFS: 'Só se pode ler (o disco está montado sem escrita)',
    EPERM: 'Não é permitido',
    EEXIST: 'Já existe, e não é uma pasta',
    ELOOP: 'Links que apontam uns para os outros',
    ERR_INVALID_URL: 'Não é um endereço válido (comece por http:// ou https://)',
  };
  const told = code === undefined ? undefined : (system[code] ?? sqliteFault(error));
  return {
    codigo: codigo ?? (code ?? 'erro_interno').toLowerCase(),
    mensagem: told === undefined ? (message ?? String(error)) : told + (path ? `: ${path}` : '.'),
    erros: erros ?? [],
  };
}
