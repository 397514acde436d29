import type { TObject, TSchema } from 'typebox';
import type { CatalogoDeErros, ERROS_HTTP } from './catalogo.ts';
import { Type } from './esquema.ts';

/** What the machinery can answer to any request, before its route is asked or while it works. */
export const DE_TODAS: readonly (keyof typeof ERROS_HTTP)[] = [
  'requisicao_malformada',
  'caminho_invalido',
  'tempo_esgotado',
  'cabecalhos_grandes_demais',
  'erro_interno',
  'indisponivel',
];

/** What a JSON body can be refused with before it is looked into. */
export const DO_CORPO = ['corpo_invalido', 'corpo_grande_demais', 'tipo_de_conteudo_invalido'] as const;

const texto = (description: string) => Type.String({ description });

/** Body of an error; documentation only. Codes are open: more come, none is renamed. */
const PROBLEMA = Type.Object(
  {
    type: texto('Endereço que nomeia o erro.'),
    title: texto('O mesmo para todo erro deste código.'),
    status: Type.Integer({ description: 'O da resposta.' }),
    detail: texto('Frase para pessoas.'),
    instance: texto('Caminho da requisição.'),
    codigo: Type.String({
      description: 'Estável, em minúsculas: programe por ele. Outros podem ser acrescentados.',
      examples: ['token_ausente'],
    }),
    mensagem: texto('Igual a detail.'),
    erros: Type.Array(
      Type.Object(
        {
          campo: texto('Parâmetro ou campo do corpo.'),
          codigo: texto('Estável, como o do erro.'),
          mensagem: texto('Frase para pessoas.'),
        },
        { title: 'ErroDeCampo' },
      ),
      { description: 'Vazio quando não há campos.' },
    ),
    requestId: texto('O do cabeçalho X-Request-Id: informe-o a quem opera o serviço.'),
  },
  { title: 'Problema' },
);

/** Who is told to come again is told when. */
const VOLTE = { 'Retry-After': { type: 'integer', description: 'Segundos a esperar antes de repetir.' } };
const COM_VOLTE: readonly number[] = [429, 503];

interface RespostaDeErro {
  description: string;
  headers?: object;
  content: Record<string, { schema: TObject; 'x-codigos'?: readonly string[] }>;
}

/**
 * Documents the errors that a route answers, grouped by status, for the `response` of its schema; those that any route
 * can answer are added. The e2e table of errors is held against exactly these.
 * @throws when a code is not in the catalogue
 */
export function errorResponses(
  catalogo: CatalogoDeErros,
  codigos: readonly string[],
): Record<string, RespostaDeErro> {
  const byStatus = new Map<number, string[]>();
  for (const codigo of new Set([...codigos, ...DE_TODAS])) {
    const known = catalogo[codigo];
    if (!known) throw new Error(`error code ${codigo} is not in the catalogue`);
    byStatus.set(known.status, [...(byStatus.get(known.status) ?? []), codigo]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((codigo) => `\`${codigo}\`: ${catalogo[codigo]?.significado}`).join('\n\n'),
        ...(COM_VOLTE.includes(status) ? { headers: VOLTE } : {}),
        content: { 'application/problem+json': { schema: PROBLEMA, 'x-codigos': group } },
      },
    ]),
  );
}

/** How the routes of an area answer: with JSON, or with what the codes say; `comuns` are those of all its routes. */
export const answersOf =
  (catalogo: CatalogoDeErros, comuns: readonly string[] = []) =>
  (description: string, schema: TSchema, codigos: readonly string[]) => ({
    ...jsonResponse(description, schema),
    ...errorResponses(catalogo, [...comuns, ...codigos]),
  });

/** Documents a JSON answer of status 200. */
export function jsonResponse(description: string, schema: object): { 200: object } {
  return { 200: { description, content: { 'application/json': { schema } } } };
}
