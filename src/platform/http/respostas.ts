import { type TObject, Type } from 'typebox';
import type { CatalogoDeErros } from './catalogo.ts';

/** Schema of an error's body; documentation only. */
function problemaSchema(codigos: readonly string[]): TObject {
  return Type.Object(
    {
      type: Type.String(),
      title: Type.String(),
      status: Type.Integer(),
      detail: Type.String(),
      instance: Type.String(),
      codigo: Type.String({ enum: [...codigos] }),
      mensagem: Type.String(),
      erros: Type.Array(
        Type.Object({ campo: Type.String(), codigo: Type.String(), mensagem: Type.String() }),
      ),
      requestId: Type.String(),
    },
    { title: 'Problema' },
  );
}

/**
 * Documents the errors that a route answers, grouped by status, for the `response` of its schema. The e2e table
 * of errors is held against exactly these.
 * @throws when a code is not in the catalogue
 */
export function errorResponses(
  catalogo: CatalogoDeErros,
  codigos: readonly string[],
): Record<string, { description: string; content: Record<string, { schema: TObject }> }> {
  const byStatus = new Map<number, string[]>();
  for (const codigo of codigos) {
    const known = catalogo[codigo];
    if (!known) throw new Error(`error code ${codigo} is not in the catalogue`);
    byStatus.set(known.status, [...(byStatus.get(known.status) ?? []), codigo]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((codigo) => `\`${codigo}\`: ${catalogo[codigo]?.significado}`).join('\n\n'),
        content: { 'application/problem+json': { schema: problemaSchema(group) } },
      },
    ]),
  );
}

/** Documents a JSON answer of status 200. */
export function jsonResponse(description: string, schema: object): { 200: object } {
  return { 200: { description, content: { 'application/json': { schema } } } };
}
