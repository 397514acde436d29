/** The OpenAPI documents for tests that look into shapes: every name is replaced by what it stands for. */
import { fetchJson } from './malote.ts';

const COMPONENTE = '#/components/schemas/';

interface Lido {
  openapi: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the parts that they are about
  paths: Record<string, Record<string, any>>;
}

/** The document for integrators, or another one. */
export async function readOpenapi(url: string, path = '/openapi.json'): Promise<Lido> {
  const { body } = await fetchJson(url + path);
  const { schemas } = body.components;
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as { $ref?: string };
    if (typeof $ref === 'string') return inline(schemas[$ref.slice(COMPONENTE.length)]);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inline(inner)]));
  };
  return { openapi: body.openapi, paths: inline(body.paths) as Lido['paths'] };
}
