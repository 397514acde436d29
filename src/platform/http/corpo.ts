import { createRequire } from 'node:module';
import type { TSchema } from 'typebox';
import { AppError, type ErroDeCampo } from '../errors.ts';
import { corpoInvalido, variosCampos } from './errors.ts';
import { readBoolean } from './parametros.ts';

/**
 * Options that a body schema and its properties carry beside JSON Schema:
 * `x-codigo` on the body names the problem (else the first faulty field's code does); on a property it is the
 * code of that field (else `valor_invalido`, or `obrigatorio` when absent), and `x-mensagem` its pt-BR sentence;
 * `x-tolerante` on the body of an area that programs of all kinds write to.
 */
interface Annotated {
  'x-codigo'?: string;
  'x-mensagem'?: string;
  /** The body is read as `asMeant` reads one. */
  'x-tolerante'?: boolean;
  properties?: Record<string, Annotated>;
  items?: Annotated;
}

interface SchemaFault {
  keyword: string;
  instancePath: string;
  params: object;
}

const require = createRequire(import.meta.url);

/** The compiler of schemas is loaded, and each schema compiled, with the first body that comes: a start needs neither. */
function compile(schema: TSchema) {
  const { Compile } = require('typebox/schema') as typeof import('typebox/schema');
  return Compile(schema);
}

/** Makes the check of a JSON body; unknown fields are ignored and stay in the value. */
export function bodyValidator(schema: TSchema): (body: unknown) => { value: unknown } | { error: AppError } {
  let compiled: ReturnType<typeof compile> | null = null;
  return (sent) => {
    const meant = (schema as Annotated)['x-tolerante'] ? asMeant(schema, sent) : { value: sent };
    if ('error' in meant) return meant;
    const { value: body } = meant;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      return { error: corpoInvalido('O corpo deve ser um objeto JSON.') };
    }
    compiled ??= compile(schema);
    if (compiled.Check(body)) return { value: body };
    const [, faults] = compiled.Errors(body);
    const erros = uniqueFields(faults.flatMap((fault) => fieldErrors(schema, fault)));
    return { error: bodyError(schema as Annotated, erros) };
  };
}

/** The part of a schema that says how its value is written. */
interface Written {
  type?: string;
  properties?: Record<string, Written>;
  items?: Written;
}

/** A name that stands twice in one object, but for its case. */
class NameTwice extends Error {}

/**
 * A body as it is meant: names of fields in any case, blanks around texts cut, numbers and booleans also as text. What the
 * schema does not know, or what cannot be read so, stays as it is.
 * @returns the body with the names of the schema; or the error of a name that stands there twice
 */
export function asMeant(schema: object, body: unknown): { value: unknown } | { error: AppError } {
  try {
    return { value: meantValue(schema, body) };
  } catch (error) {
    if (!(error instanceof NameTwice)) throw error;
    return { error: corpoInvalido(`O campo "${error.message.slice(0, 60)}" está repetido no corpo.`) };
  }
}

function meantValue(schema: Written, value: unknown): unknown {
  if (typeof value === 'string') return meantText(schema, value.trim());
  if (Array.isArray(value)) return value.map((one) => meantValue(schema.items ?? {}, one));
  if (typeof value !== 'object' || value === null || !schema.properties) return value;
  const { properties } = schema;
  const declared = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  const meant: Record<string, unknown> = {};
  for (const [given, one] of Object.entries(value)) {
    const name = declared.get(given.toLowerCase()) ?? given;
    if (Object.hasOwn(meant, name)) throw new NameTwice(name);
    meant[name] = meantValue(properties[name] ?? {}, one);
  }
  return meant;
}

function meantText({ type }: Written, text: string): unknown {
  if (type === 'boolean') return readBoolean(text) ?? text;
  return type === 'integer' && /^[+-]?[0-9]{1,15}$/.test(text) ? Number(text) : text;
}

function bodyError(schema: Annotated, erros: readonly ErroDeCampo[]): AppError {
  const [first] = erros;
  const several = variosCampos(erros.length);
  return new AppError({
    codigo: schema['x-codigo'] ?? first?.codigo ?? 'dados_invalidos',
    status: 400,
    mensagem: erros.length === 1 && first ? first.mensagem : (schema['x-mensagem'] ?? several),
    erros,
  });
}

/** One fault of the schema as the fields it is about; `/itens/0/numero` becomes `itens[0].numero`. */
function fieldErrors(schema: TSchema, fault: SchemaFault): ErroDeCampo[] {
  const path = fault.instancePath.split('/').slice(1).map(unescapePointer);
  if (fault.keyword === 'required') {
    const missing = (fault.params as { requiredProperties?: string[] }).requiredProperties ?? [];
    return missing.map((name) => fieldError(schema, [...path, name], 'obrigatorio'));
  }
  return [fieldError(schema, path, 'valor_invalido')];
}

function fieldError(schema: TSchema, path: readonly string[], fallback: string): ErroDeCampo {
  let at: Annotated | undefined = schema as Annotated;
  for (const step of path) at = at?.properties?.[step] ?? at?.items;
  const campo = path.reduce(
    (text, step) => (/^\d+$/.test(step) ? `${text}[${step}]` : text ? `${text}.${step}` : step),
    '',
  );
  const sentence = fallback === 'obrigatorio' ? `${campo} é obrigatório.` : `${campo} tem valor inválido.`;
  return { campo, codigo: at?.['x-codigo'] ?? fallback, mensagem: at?.['x-mensagem'] ?? sentence };
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A field that breaks several rules is named once. */
function uniqueFields(erros: readonly ErroDeCampo[]): ErroDeCampo[] {
  return [...new Map(erros.map((erro) => [erro.campo, erro])).values()];
}
