/** The filtered listings of NF-e and NFC-e. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpContext } from '../../autorizacao/contexto.ts';
import type { Cliente } from '../../contas/clientes.ts';
import { paginaDeFaltantes } from '../../documentos/read/faltantes.ts';
import { paginaDeListagem } from '../../documentos/read/listagem.ts';
import { presenter } from '../documents/documento.ts';
import { periodoInvalido } from '../errors.ts';
import { addLinks, LAST_PAGE, toPagina } from '../paginas.ts';
import { presentFaltante } from '../present.ts';
import type { Intervalo } from './datas.ts';
import { type FiltroDeStatus, type FiltroDeTipo, statusDe, tipoDe } from './filtros.ts';

interface ListagemInput {
  request: FastifyRequest;
  reply: FastifyReply;
  cliente: Cliente;
  modelo: '55' | '65';
  periodo: Periodo;
  tipo: FiltroDeTipo;
  pagina: number;
  tamanho: number;
}

interface Periodo {
  /** ms UTC, included. */
  desde: number;
  /** ms UTC, excluded; null: open. */
  ate: number | null;
}

/** Joins the two dates of a listing; the end is inclusive. @throws periodo_invalido */
export function toPeriodo(inicial: Intervalo, final: Intervalo | undefined): Periodo {
  if (final && final.fim <= inicial.inicio) throw periodoInvalido();
  return { desde: inicial.inicio, ate: final?.fim ?? null };
}

/** Answers documents by issue date; inutilizações where Status asks for them. */
export async function sendListagem(
  ctx: HttpContext,
  input: ListagemInput & { status: Exclude<FiltroDeStatus, 'Faltantes'> },
): Promise<FastifyReply> {
  const { request, reply, tamanho } = input;
  const { total, entradas } = await paginaDeListagem(ctx.deps.db.read, {
    clienteId: input.cliente.id,
    modelo: input.modelo,
    ...input.periodo,
    tipo: tipoDe(input.tipo),
    filtro: statusDe(input.status),
    pagina: Math.min(input.pagina, LAST_PAGE),
    tamanho,
  });
  const paginacao = { total, tamanho, pagina: input.pagina };
  addLinks(reply, { paginacao, origin: ctx.origin(request, 'base') });
  return reply.send(toPagina(paginacao, entradas.map(presenter(ctx, { request }))));
}

/** Answers missing numbers; only an issuer has any, so among received documents there are none. */
export async function sendFaltantes(ctx: HttpContext, input: ListagemInput): Promise<FastifyReply> {
  const { request, reply, tamanho, cliente } = input;
  const { total, truncado, faltantes } =
    tipoDe(input.tipo) === 'Recebida'
      ? { total: 0, truncado: false, faltantes: [] }
      : await paginaDeFaltantes(ctx.deps.db.read, {
          contadorId: cliente.contadorId,
          cpfCnpj: cliente.cpfCnpj,
          modelo: input.modelo,
          ...input.periodo,
          pagina: Math.min(input.pagina, LAST_PAGE),
          tamanho,
        });
  const paginacao = { total, tamanho, pagina: input.pagina };
  addLinks(reply, { paginacao, origin: ctx.origin(request, 'base') });
  if (truncado) reply.header('x-faltantes-truncado', 'true');
  return reply.send(toPagina(paginacao, faltantes.map(presentFaltante)));
}
