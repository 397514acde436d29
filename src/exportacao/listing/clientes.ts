/** Whom a token may ask about: the clients of its office, with how far each one's feed has come. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authOf, type HttpContext } from '../../autorizacao/contexto.ts';
import { pageOfClientes } from '../../contas/clientes.ts';
import { addLinks, paginasDe } from '../paginas.ts';

/** As it travels. */
interface ClienteDoEscritorio {
  cpf_cnpj: string;
  nome: string;
  /** Of the newest entry; 0 while there is none. */
  nsu: number;
}

export async function sendClientes(
  ctx: HttpContext,
  input: { request: FastifyRequest; reply: FastifyReply; pagina: number; tamanho: number },
): Promise<FastifyReply> {
  const { request, reply, pagina, tamanho } = input;
  const { contadorId, clienteIds: ids } = authOf(request);
  const found = await pageOfClientes(ctx.deps.db.read, { contadorId, ids, pagina, tamanho });
  const paginacao = { total: found.total, tamanho, pagina };
  addLinks(reply, { paginacao, origin: ctx.origin(request, 'base') });
  const clientes = found.clientes.map(
    ({ cpfCnpj, nome, ultimoNsu }): ClienteDoEscritorio => ({ cpf_cnpj: cpfCnpj, nome, nsu: ultimoNsu }),
  );
  return reply.send({ total: found.total, paginas: paginasDe(paginacao), tamanho, pagina, clientes });
}
