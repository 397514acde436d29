/** HTTP of the accounts area (specification 4.3). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { formatCpfCnpj } from '../fiscal/cpf-cnpj.ts';
import type { CatalogoDeErros } from '../platform/http/catalogo.ts';
import { rotaNaoEncontrada } from '../platform/http/errors.ts';
import { atualizarCliente, type CadastroDeps, cadastrarCliente, type Origem } from './cadastrar.ts';
import {
  type AtualizacaoDoCliente,
  type CadastroDoCliente,
  readAtualizacao,
  readCadastro,
} from './corpo-do-cliente.ts';
import { atualizacaoSchema, type ClienteParams, type ContadorParams, cadastroSchema } from './schemas.ts';

/** The specification puts a neutral word for the name of the platform, which programs have in their addresses. */
const CLIENTES = '/api/contas/:plataforma/contador/:CRM/cliente';
const PLATAFORMA = /^[A-Za-z0-9_-]+$/;

/** What the accounts area is given; who may do what is decided above it. */
export interface ContasHttp {
  deps: CadastroDeps;
  catalogo: CatalogoDeErros;
  /** `onRequest` hooks in their order: credentials (401), syntax of the CRM (400), whose it is (403). */
  guards: ((request: FastifyRequest, reply: FastifyReply) => Promise<void>)[];
  /** The office of the path, and who asks. Behind the guards. */
  origemOf(request: FastifyRequest): Promise<Origem>;
}

/** Whatever else stands there is another path. @throws rota_nao_encontrada */
async function requirePlataforma(request: FastifyRequest): Promise<void> {
  if (!PLATAFORMA.test((request.params as { plataforma: string }).plataforma)) throw rotaNaoEncontrada();
}

/** Registers every route of the accounts area but those of the token issuer. */
export function contasRoutes(app: FastifyInstance, http: ContasHttp): void {
  app.post<{ Params: Static<typeof ContadorParams>; Body: CadastroDoCliente }>(
    CLIENTES,
    {
      schema: cadastroSchema(http.catalogo),
      onRequest: [requirePlataforma, ...http.guards],
      ...readBodyWith(app, readCadastro),
    },
    async (request) => {
      const origem = await http.origemOf(request);
      const { id, cpfCnpj } = await cadastrarCliente(http.deps, { ...origem, cadastro: request.body });
      return { data: { id, message: `Cliente ${formatCpfCnpj(cpfCnpj)} cadastrado com sucesso.` } };
    },
  );
  app.put<{ Params: Static<typeof ClienteParams>; Body: AtualizacaoDoCliente }>(
    `${CLIENTES}/:CPFCNPJ`,
    {
      schema: atualizacaoSchema(http.catalogo),
      onRequest: [requirePlataforma, ...http.guards],
      ...readBodyWith(app, readAtualizacao),
    },
    async (request) => {
      const origem = await http.origemOf(request);
      const { cpfCnpj } = await atualizarCliente(http.deps, {
        ...origem,
        cpfCnpj: request.params.CPFCNPJ,
        atualizacao: request.body,
      });
      return { message: `Cliente ${formatCpfCnpj(cpfCnpj)} atualizado com sucesso.` };
    },
  );
}

/** The body through a reader of ours, everything else as on every route. */
function readBodyWith(app: FastifyInstance, read: (body: unknown) => { value: unknown } | { error: Error }) {
  const { validatorCompiler } = app;
  if (!validatorCompiler) throw new Error('the server has no validator compiler');
  const compile: typeof validatorCompiler = (part) =>
    part.httpPart === 'body' ? read : validatorCompiler(part);
  return { validatorCompiler: compile };
}
