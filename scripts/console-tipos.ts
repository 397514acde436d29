/**
 * `npm run console:tipos`: the types of the console's routes for `console/src`, made from the server's own OpenAPI
 * description, so that a changed answer fails the console's type check instead of a screen.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ALVO = join(dirname(import.meta.dirname), 'console', 'src', 'generated', 'rotas.ts');
const PREFIXO = '/console/api';
const METODOS = ['get', 'post', 'put', 'delete', 'patch'] as const;

interface Esquema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Esquema[];
  oneOf?: Esquema[];
  allOf?: Esquema[];
  properties?: Record<string, Esquema>;
  required?: string[];
  items?: Esquema;
  additionalProperties?: boolean | Esquema;
  description?: string;
}

interface Operacao {
  parameters?: { name: string; in: string; required?: boolean; schema: Esquema; description?: string }[];
  requestBody?: { content?: Record<string, { schema?: Esquema }> };
  responses: Record<string, { content?: Record<string, { schema?: Esquema }> }>;
}

export interface OpenApi {
  paths: Record<string, Partial<Record<(typeof METODOS)[number], Operacao>>>;
}

const JSON_TYPE = 'application/json';
const quoted = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

/** A JSON schema as a TypeScript type. */
function tipo(schema: Esquema | undefined): string {
  if (!schema) return 'unknown';
  if (schema.$ref) throw new Error(`${schema.$ref}: shapes with a name are of the document for integrators`);
  if ('const' in schema) return JSON.stringify(schema.const).replaceAll('"', "'");
  if (schema.enum) return schema.enum.map((value) => tipo({ const: value })).join(' | ');
  const one = schema.anyOf ?? schema.oneOf;
  if (one) return [...new Set(one.map(tipo))].join(' | ');
  if (schema.allOf) return schema.allOf.map((part) => `(${tipo(part)})`).join(' & ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => tipo({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `Array<${tipo(schema.items)}>`;
    case 'object':
      return objeto(schema);
    default:
      return schema.properties ? objeto(schema) : 'unknown';
  }
}

function objeto({ properties = {}, required = [], additionalProperties }: Esquema): string {
  const fields = Object.entries(properties).map(([name, schema]) =>
    campo(name, schema, required.includes(name)),
  );
  if (fields.length > 0) return `{ ${fields.join(' ')} }`;
  const values = typeof additionalProperties === 'object' ? tipo(additionalProperties) : 'unknown';
  return `Record<string, ${values}>`;
}

function campo(name: string, schema: Esquema, required: boolean): string {
  const about = schema.description
    ? `/** ${schema.description.replaceAll('*/', '* /').replace(/\s+/g, ' ')} */ `
    : '';
  return `${about}${quoted(name)}${required ? '' : '?'}: ${tipo(schema)};`;
}

function rota(operacao: Operacao): string {
  const of = (place: string) => (operacao.parameters ?? []).filter((one) => one.in === place);
  const [caminho, query] = [of('path'), of('query')];
  const corpo = operacao.requestBody?.content?.[JSON_TYPE]?.schema;
  const resposta = operacao.responses['200']?.content?.[JSON_TYPE]?.schema;
  const values = (list: typeof caminho, required: boolean) =>
    `{ ${list.map(({ name, schema, description }) => campo(name, { ...schema, ...(description ? { description } : {}) }, required)).join(' ')} }`;
  return [
    ...(caminho.length > 0 ? [`caminho: ${values(caminho, true)};`] : []),
    ...(query.length > 0 ? [`query: ${values(query, false)};`] : []),
    ...(corpo ? [`corpo: ${tipo(corpo)};`] : []),
    `resposta: ${resposta ? tipo(resposta) : 'unknown'};`,
  ].join(' ');
}

/** The text of `console/src/generated/rotas.ts`. */
export function rotasDoConsole({ paths }: OpenApi): string {
  const lines = Object.entries(paths)
    .filter(([path]) => path.startsWith(`${PREFIXO}/`))
    .flatMap(([path, methods]) =>
      METODOS.flatMap((method) => {
        const operacao = methods[method];
        return operacao
          ? [`  '${method.toUpperCase()} ${path.slice(PREFIXO.length)}': { ${rota(operacao)} };`]
          : [];
      }),
    )
    .sort();
  return `// Made by \`npm run console:tipos\` from the server's OpenAPI description: never changed by hand.\nexport interface Rotas {\n${lines.join('\n')}\n}\n`;
}

async function main(): Promise<void> {
  const pasta = mkdtempSync(join(tmpdir(), 'malote-tipos-'));
  process.env.MALOTE_DATA = pasta;
  const { readConfig } = await import('../src/config.ts');
  const { startServer } = await import('../src/servidor.ts');
  const server = await startServer(
    readConfig({ MALOTE_DATA: pasta, PORT: '0', MALOTE_MODO: 'api', MALOTE_LOG: 'error' }),
  );
  try {
    const openapi = (await (await fetch(`${server.url}/console/openapi.json`)).json()) as OpenApi;
    writeFileSync(ALVO, rotasDoConsole(openapi));
    console.log(
      `console/src/generated/rotas.ts: ${Object.keys(openapi.paths).filter((path) => path.startsWith(PREFIXO)).length} caminhos`,
    );
  } finally {
    await server.stop();
    rmSync(pasta, { recursive: true, force: true });
  }
}

if (import.meta.main) await main();
