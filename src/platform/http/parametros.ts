import type { TSchema, TUnsafe } from 'typebox';
import { AppError, type ErroDeCampo } from '../errors.ts';
import { Type } from './esquema.ts';

/** How the text of a parameter becomes its value; undefined when it cannot. */
type Reader<T> = (text: string) => T | undefined;

const READER = Symbol('reader');
const MENSAGEM = Symbol('mensagem');

interface ParameterOptions<T> {
  /** What OpenAPI shows. */
  schema: Record<string, unknown>;
  /** Error code of a value that cannot be read. */
  codigo: string;
  /** pt-BR sentence of that error. */
  mensagem: string;
  read: Reader<T>;
}

/**
 * Declares a path or query parameter: one object documents it, types it and reads it. The reader and the
 * sentence hang on symbols, so that neither shows in OpenAPI; the code does, as `x-codigo`. With a `default` in
 * its schema it is optional for callers and always there for handlers.
 */
export function parameter<T>(options: ParameterOptions<T>): TUnsafe<T> {
  const schema = Type.Unsafe<T>({
    ...options.schema,
    'x-codigo': options.codigo,
    [READER]: options.read,
    [MENSAGEM]: options.mensagem,
  } as TSchema);
  // A parameter with a default may be absent from the request, and never is from the value.
  return options.schema.default === undefined ? schema : (Type.Optional(schema) as unknown as TUnsafe<T>);
}

const INT64_MAX = 2n ** 63n - 1n;

/**
 * Reads decimal int64 text. Values above 2^53 − 1 are legal and read as that: no number of ours comes near, and
 * an answer that echoes one stays exact.
 */
export function readInt64(text: string): number | undefined {
  if (!/^[+-]?[0-9]{1,19}$/.test(text.trim())) return undefined;
  const value = BigInt(text.trim().replace('+', ''));
  if (value > INT64_MAX || value < -INT64_MAX - 1n) return undefined;
  const number = Number(value);
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(number, Number.MAX_SAFE_INTEGER)) + 0;
}

/** An int64 from `minimum` to `maximum`. */
export function integerParameter(options: {
  codigo: string;
  mensagem: string;
  minimum: number;
  maximum?: number;
  default?: number;
  examples?: readonly number[];
  description: string;
}): TUnsafe<number> {
  const { codigo, mensagem, ...documented } = options;
  return parameter({
    codigo,
    mensagem,
    schema: { type: 'integer', format: 'int64', ...documented },
    read(text) {
      const value = readInt64(text);
      const fits =
        value !== undefined &&
        value >= options.minimum &&
        value <= (options.maximum ?? Number.MAX_SAFE_INTEGER);
      return fits ? value : undefined;
    },
  });
}

/** `true`, `false`, `1`, `0` in any case; `-1` too, which is how some languages write what is true. */
export function booleanParameter(options: { name: string; description: string }): TUnsafe<boolean> {
  return parameter({
    codigo: 'booleano_invalido',
    mensagem: `${options.name} deve ser true, false, 1 ou 0.`,
    schema: { type: 'boolean', default: false, examples: [true], description: options.description },
    read: readBoolean,
  });
}

/** @returns undefined for anything else */
export function readBoolean(text: string): boolean | undefined {
  return BOOLEANS.get(text.trim().toLowerCase());
}

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['-1', true],
  ['false', false],
  ['0', false],
]);

/** Above it a page is an error and never cut silently: clients stop at a page shorter than they asked for. */
const TAMANHO_MAX = 500;
const TAMANHO_DEFAULT = 50;

/** `Tamanho` of a list. */
export const tamanhoDaPagina = integerParameter({
  codigo: 'tamanho_invalido',
  mensagem: `Tamanho deve ser um inteiro de 1 a ${TAMANHO_MAX}.`,
  minimum: 1,
  maximum: TAMANHO_MAX,
  default: TAMANHO_DEFAULT,
  description: `Registros por página, de 1 a ${TAMANHO_MAX}.`,
});

/** `Tamanho` and `Pagina` of a list that is read page by page. */
export const paginacao = {
  Pagina: integerParameter({
    codigo: 'pagina_invalida',
    mensagem: 'Pagina deve ser um inteiro maior ou igual a 1.',
    minimum: 1,
    default: 1,
    description: 'Página, a partir de 1.',
  }),
  Tamanho: tamanhoDaPagina,
};

interface ParameterObject {
  properties?: Readonly<Record<string, object>>;
  required?: readonly string[];
}

/**
 * Reads all parameters of a path or query: names in any case, unknown ones ignored, a value that is empty or
 * blank is an absent one, a repeated one is a fault.
 * @returns only declared names, in their declared spelling, or the error that names every faulty one
 */
export function readParameters(
  schema: ParameterObject,
  raw: Record<string, string | string[] | undefined>,
): { value: Record<string, unknown> } | { error: AppError } {
  const given = gather(raw);
  const value: Record<string, unknown> = {};
  const erros: ErroDeCampo[] = [];
  const properties = (schema.properties ?? {}) as Record<string, Record<PropertyKey, unknown>>;
  for (const [name, property] of Object.entries(properties)) {
    const texts = given.get(name.toLowerCase()) ?? [];
    if (texts.length > 1) {
      erros.push({
        campo: name,
        codigo: 'parametro_repetido',
        mensagem: `${name} veio mais de uma vez. Envie um valor só.`,
      });
      continue;
    }
    const text = texts[0] ?? '';
    if (text.trim() !== '') {
      const read = (property[READER] as Reader<unknown>)(text);
      if (read === undefined) erros.push(faultOf(name, property));
      else value[name] = read;
    } else if (property.default !== undefined) {
      value[name] = property.default;
    } else if (schema.required?.includes(name)) {
      erros.push({ campo: name, codigo: 'parametro_obrigatorio', mensagem: `${name} é obrigatório.` });
    }
  }
  return erros.length > 0 ? { error: parameterError(erros) } : { value };
}

function gather(raw: Record<string, string | string[] | undefined>): Map<string, string[]> {
  const given = new Map<string, string[]>();
  for (const [name, texts] of Object.entries(raw)) {
    if (texts === undefined) continue;
    const known = given.get(name.toLowerCase()) ?? [];
    given.set(name.toLowerCase(), known.concat(texts));
  }
  return given;
}

function faultOf(name: string, property: Record<PropertyKey, unknown>): ErroDeCampo {
  return { campo: name, codigo: String(property['x-codigo']), mensagem: String(property[MENSAGEM]) };
}

/** The first faulty parameter names the problem; `erros` has all of them. */
function parameterError(erros: readonly ErroDeCampo[]): AppError {
  const [first] = erros;
  return new AppError({
    codigo: first?.codigo ?? 'dados_invalidos',
    status: 400,
    mensagem: first?.mensagem ?? '',
    erros,
  });
}
