/** What an office decides about the capture of a client: on, off, passive, now. Each is written to the audit log. */

import { ACAO, auditar } from '../auditoria/auditar.ts';
import type { Trx } from '../banco/tabelas.ts';
import type { Servico } from '../banco/tabelas-captura.ts';
import { runAsService } from '../platform/db/tenant.ts';
import { podePagina } from './decidir.ts';
import type { DepsDaCaptura } from './deps-da-captura.ts';
import { capturaDesligada } from './errors.ts';
import { type EstadoDaCaptura, estadoDaCaptura } from './estado.ts';
import type { LinhaDeEstado, Sequencia } from './queries.ts';
import * as queries from './queries.ts';

/** A client at a service, and who speaks for its office. */
export interface Pedido {
  contadorId: number;
  cliente: { id: number; cpfCnpj: string };
  servico: Servico;
  /** As in the audit log. */
  autor: string;
}

/** Turns capture on or off; `passiva` where another program captures the same client. */
export async function setCaptura(
  deps: DepsDaCaptura,
  input: Pedido & { ligada: boolean; passiva: boolean },
): Promise<EstadoDaCaptura> {
  const { contadorId, cliente, servico, autor, ligada, passiva } = input;
  const { relogio } = deps;
  await inTransaction(deps, async (trx) => {
    const before = await findOwn(trx, input);
    const same = before && (before.ligada === 1) === ligada && (before.passiva === 1) === passiva;
    if (same || (!before && !ligada)) return;
    await queries.upsertCaptura(trx, {
      contador_id: contadorId,
      cliente_id: cliente.id,
      servico,
      ligada: ligada ? 1 : 0,
      passiva: passiva ? 1 : 0,
      mudada_em: relogio.parede(),
      mudada_por: autor,
    });
    if (ligada) await acordar(trx, sequenciaDo(deps, input), relogio.agora());
    await auditar(trx, {
      em: relogio.parede(),
      acao: !ligada ? ACAO.capturaDesligada : passiva ? ACAO.capturaPassiva : ACAO.capturaLigada,
      contadorId,
      autor,
      alvo: `cliente/${cliente.id}`,
      detalhe: { servico },
    });
  });
  return estadoDaCaptura(deps, input);
}

/** What became of somebody's wish that capture work now. */
interface CapturaPedida {
  /** Whether the next call is made at once. */
  agora: boolean;
  estado: EstadoDaCaptura;
}

/**
 * The next call as soon as the service's clock allows it, which nobody's wish moves. What stood still for a person to look
 * goes on.
 * @throws captura_desligada
 */
export async function captureNow(deps: DepsDaCaptura, input: Pedido): Promise<CapturaPedida> {
  const { contadorId, cliente, servico, autor } = input;
  const { relogio } = deps;
  const agora = await inTransaction(deps, async (trx) => {
    const own = await findOwn(trx, input);
    if (own?.ligada !== 1) throw capturaDesligada();
    const sequencia = sequenciaDo(deps, input);
    const parada = await acordar(trx, sequencia, relogio.agora());
    if (parada !== null)
      await auditar(trx, {
        em: relogio.parede(),
        acao: ACAO.capturaRetomada,
        contadorId,
        autor,
        alvo: `cliente/${cliente.id}`,
        detalhe: { servico, parada },
      });
    const estado = await queries.findEstado(trx, sequencia);
    return estado !== null && own.passiva !== 1 && podePagina(estado, relogio.agora()).pode;
  });
  const estado = await estadoDaCaptura(deps, input);
  return { agora: agora && estado.espera !== 'servico_descansa', estado };
}

/**
 * Makes the state of a sequence, or lets one that sleeps or stands still go on. One that waits goes on waiting.
 * @returns why it stood still
 */
async function acordar(trx: Trx, sequencia: Sequencia, agora: number): Promise<string | null> {
  await queries.insertEstado(trx, { ...sequencia, proxima_em: agora });
  const estado = await queries.findEstado(trx, sequencia);
  if (!estado) return null;
  const set = paraAcordar(estado, agora);
  if (set) await queries.updateEstado(trx, { ...sequencia, set });
  return estado.parada;
}

/** A refused certificate is not tried again: another one wakes the sequence by itself. */
function paraAcordar(estado: LinhaDeEstado, agora: number): queries.MudancaDeEstado | null {
  const solta = estado.parada !== null && estado.parada_certificado === null;
  if (!solta && estado.proxima_em !== null) return null;
  return {
    proxima_em: estado.proxima_em ?? agora,
    ...(solta ? { parada: null, erros_seguidos: 0 } : {}),
  };
}

async function findOwn(trx: Trx, { contadorId, cliente, servico }: Pedido) {
  const rows = await queries.findCapturas(trx, { contadorId, clienteId: cliente.id });
  return rows.find((row) => row.servico === servico);
}

function sequenciaDo({ ambiente }: DepsDaCaptura, { cliente, servico }: Pedido): Sequencia {
  return { cpf_cnpj: cliente.cpfCnpj, servico, ambiente };
}

/** As the service: the state belongs to all offices that have this client. */
function inTransaction<T>({ db }: DepsDaCaptura, act: (trx: Trx) => Promise<T>): Promise<T> {
  return runAsService(() => db.write.transaction().execute(act));
}
