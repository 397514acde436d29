/** Parameters, fields and answers as lists of terms, which a phone shows as well as a wide screen. */
import { resolver } from './componentes.ts';
import { escapar, paragrafos } from './marcacao.ts';
import type { Documento, Esquema } from './tipos.ts';

export interface Linha {
  nome: string;
  /** HTML. */
  tipo: string;
  marca?: 'obrigatório' | 'pode faltar' | undefined;
  /** Paragraphs, with words in backticks. */
  texto: string;
}

export function tabela(linhas: readonly Linha[]): string {
  const rows = linhas.map(({ nome, tipo, marca, texto }) => {
    const mark = marca ? ` <span class="marca">${marca}</span>` : '';
    const about = tipo || mark ? `<small>${tipo}${mark}</small>` : '';
    return `<dt><code>${escapar(nome)}</code>${about}</dt><dd>${paragrafos(texto)}</dd>`;
  });
  return `<dl>${rows.join('\n')}</dl>`;
}

/** One line for each field of an object. @param input.enviado a body: told is what has to be there, else what may not be */
export function campos(
  documento: Documento,
  { schema, enviado }: { schema: Esquema; enviado: boolean },
): Linha[] {
  const { properties = {}, required = [] } = resolver(documento, schema);
  return Object.entries(properties).map(([nome, campo]) => ({
    nome,
    tipo: nomeDoTipo(documento, campo),
    marca: marcaDe(required.includes(nome), enviado),
    texto: [textoDe(campo), palavras(campo)].filter(Boolean).join(' '),
  }));
}

function marcaDe(isRequired: boolean, enviado: boolean): Linha['marca'] {
  if (enviado) return isRequired ? 'obrigatório' : undefined;
  return isRequired ? undefined : 'pode faltar';
}

/** A nullable field has its text inside. */
function textoDe(campo: Esquema): string {
  return campo.description ?? campo.anyOf?.find((one) => one.description)?.description ?? '';
}

function palavras({ enum: words = [], examples = [], anyOf = [] }: Esquema): string {
  const [first] = anyOf;
  const said = (list: readonly unknown[]) => list.map((word) => `\`${word}\``).join(', ');
  if (words.length > 0) return `Um destes: ${said(words)}.`;
  if (examples.length > 0) return `Exemplos: ${said(examples)}.`;
  return first ? palavras(first) : '';
}

const NOMES: Record<string, string> = {
  string: 'texto',
  integer: 'inteiro',
  number: 'número',
  boolean: 'booleano',
  object: 'objeto',
  null: 'null',
};
const FORMATOS: Record<string, string> = {
  'date-time': 'data e hora',
  uri: 'endereço',
  binary: 'bytes',
  email: 'e-mail',
};

/** What a value is, as HTML: a shape with a name leads to where it is described. */
export function nomeDoTipo(documento: Documento, schema: Esquema): string {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return `<a href="#formato-${name}">${escapar(name)}</a>`;
  if (schema.anyOf) return schema.anyOf.map((one) => nomeDoTipo(documento, one)).join(' ou ');
  if (schema.type === 'array') return `lista de ${nomeDoTipo(documento, schema.items ?? {})}`;
  const type = [schema.type ?? 'string'].flat()[0] ?? '';
  return FORMATOS[schema.format ?? ''] ?? NOMES[type] ?? type;
}
