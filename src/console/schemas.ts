/** What the schemas of all console routes share. Each group has its own `schemas-<group>.ts`. */
import type { TObject, TSchema } from 'typebox';
import { parseCpfCnpj } from '../fiscal/cpf-cnpj.ts';
import type { CatalogoDeErros } from '../platform/http/catalogo.ts';
import { ouNulo, Type } from '../platform/http/esquema.ts';
import { integerParameter, parameter } from '../platform/http/parametros.ts';
import { DO_CORPO, errorResponses, jsonResponse } from '../platform/http/respostas.ts';
import { type Acesso, API_DO_CONSOLE, acessoDe, PAPEIS } from './acesso.ts';

export { ouNulo };
export const texto = (description: string, more: object = {}) => Type.String({ description, ...more });
/** ISO 8601 with the offset of São Paulo. */
export const dataHora = (description: string) => texto(description, { format: 'date-time' });
/** The same; null where it never happened. */
export const instante = (description: string) => ouNulo(Type.String({ format: 'date-time', description }));

/** `cpfCnpj` of a path; of several readings of a short number the registered one is meant, so the text itself is kept. */
export const cpfCnpjDoCaminho = parameter<string>({
  codigo: 'cpf_cnpj_invalido',
  mensagem: 'cpfCnpj deve ser um CPF ou CNPJ com dígitos verificadores válidos.',
  schema: { type: 'string', description: 'CPF ou CNPJ do cliente, com ou sem máscara.' },
  read: (given) => (parseCpfCnpj(given) ? given : undefined),
});

/** `id` of a path. */
export const idDoCaminho = integerParameter({
  codigo: 'dados_invalidos',
  mensagem: 'id deve ser um número inteiro positivo.',
  minimum: 1,
  description: 'Número do registro.',
});

export const ID_DO_CAMINHO = Type.Object({ id: idDoCaminho });

/** An id in a body. One that a database's integer cannot hold is nobody's, and not for the database to refuse. */
export const ID_NO_CORPO = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** A free text of a query. */
export const textoEmConsulta = (name: string, description: string, maxLength = 200) =>
  parameter<string>({
    codigo: 'dados_invalidos',
    mensagem: `${name} deve ter até ${maxLength} caracteres.`,
    schema: { type: 'string', maxLength, description },
    read: (given) => (given.length <= maxLength ? given.trim() : undefined),
  });

/** Behind which number a list goes on, as its answer said. */
export const depoisDoNumero = parameter<number>({
  codigo: 'pagina_invalida',
  mensagem: 'depois deve ser o `proximo` de uma resposta desta lista.',
  schema: { type: 'string', description: 'O `proximo` da página anterior.' },
  read: (given) => (/^\d{1,9}$/.test(given) ? Number(given) : undefined),
});

/** The answer of routes that have nothing to tell but that it is done. */
export const MENSAGEM = Type.Object({ mensagem: texto('Texto para pessoas.') });

/** Codes that the guard answers; see `sessao/guarda.ts`. */
const DA_SESSAO = ['sessao_ausente', 'limite_excedido', 'papel_insuficiente'];
const DE_MUDANCA = ['origem_recusada'];

export interface DescricaoDaRota {
  /** `GET /clientes/:cpfCnpj`: method and path below `/console/api`. */
  rota: string;
  resumo: string;
  descricao?: string;
  params?: TObject;
  querystring?: TObject;
  body?: TObject;
  /** Absent: the answer is no JSON, and `descricao` tells what it is. */
  resposta?: TSchema;
  /** Codes beside those of the guard and of the body. */
  codigos?: readonly string[];
  /** Where it leads a browser with 303. */
  leva?: string;
}

/** Describes one route for OpenAPI, with the roles and the errors that the guard brings. */
export function consoleSchema(catalogo: CatalogoDeErros, rota: DescricaoDaRota) {
  const [method = '', path = ''] = rota.rota.split(' ');
  const acesso = acessoDe({ method, url: API_DO_CONSOLE + path });
  const { resumo, descricao, params, querystring, body, resposta } = rota;
  const codigos = [...codigosDe({ acesso, method, body: body !== undefined }), ...(rota.codigos ?? [])];
  return {
    tags: ['Console'],
    operationId: nomeDaOperacao(method, path),
    summary: resumo,
    description: [descricao, papeisDe(acesso)].filter(Boolean).join('\n\n'),
    security: acesso === 'publica' ? [] : [{ sessao: [] }],
    'x-papeis': acesso === 'publica' ? [] : acesso,
    ...(params ? { params } : {}),
    ...(querystring ? { querystring } : {}),
    ...(body ? { body } : {}),
    response: {
      ...(resposta ? jsonResponse(resumo, resposta) : { 200: { description: resumo } }),
      ...(rota.leva ? { 303: { description: rota.leva, type: 'null' } } : {}),
      ...errorResponses(catalogo, [...new Set(codigos)]),
    },
  };
}

/** `PUT /documentos/:id/finalidade` is `putDocumentosIdFinalidade`. */
function nomeDaOperacao(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
}

function codigosDe({ acesso, method, body }: { acesso: Acesso; method: string; body: boolean }): string[] {
  const changes = method !== 'GET';
  return [
    ...(acesso === 'publica'
      ? []
      : DA_SESSAO.filter((one) => one !== 'papel_insuficiente' || acesso.length < PAPEIS.length)),
    ...(changes ? DE_MUDANCA : []),
    ...(changes && acesso !== 'publica' ? ['csrf_invalido'] : []),
    ...(body ? [...DO_CORPO, 'dados_invalidos'] : []),
  ];
}

function papeisDe(acesso: Acesso): string {
  if (acesso === 'publica') return 'Sem sessão.';
  return `Papéis: ${acesso.join(', ')}.`;
}
