import type { Deps } from '../deps.ts';
import { databaseNow } from '../platform/db/relogio.ts';
import { isArriving } from './arriving.ts';
import { arquivoNaoEncontrado } from './errors.ts';
import {
  EXPIRADO_APOS_MS,
  EXPIRAR_DEPOIS_DE_SEGUNDOS,
  VENCIDO_SOME_DEPOIS_DE_SEGUNDOS,
  VENCIDOS_DE_CADA_VEZ,
} from './limites.ts';
import { deleteLapsed, expireTickets, findArquivoDoContador, type LinhaDeArquivo } from './queries.ts';
import { horaComDeslocamento, horaLocal } from './tempo.ts';
import { STATUS_ARQUIVO } from './tipos.ts';

/** The record 2.4 of the specification, in the order of its keys; the last two only on `Com Erro`. */
interface SituacaoDoArquivo {
  tamanho: number;
  extensao: string;
  status: string;
  dataCriacao: string;
  log: string;
  dataUploaded: string | null;
  dataInicioImportacao?: string | null;
  dataFimImportacao?: string | null;
}

/** The state of an office's file. @throws AppError arquivo_nao_encontrado, for another office's file too */
export async function readSituacao(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: { id: string; contadorId: number; chegando?: boolean },
): Promise<SituacaoDoArquivo> {
  // Before the row is read: an upload that is accepted in between must not be taken for a lapsed ticket.
  const moment = { agora: deps.clock.now(), chegando: input.chegando ?? isArriving(input.id) };
  const arquivo = await findArquivoDoContador(deps.db.read, input);
  if (!arquivo) throw arquivoNaoEncontrado();
  return presentSituacao(arquivo, statusEm(arquivo, moment));
}

/**
 * A ticket that lapsed is `Expirado` at once, whether or not the periodic job has marked it; one whose body is
 * still arriving, here or at another process, is not, since states only go forward.
 */
export function statusEm(
  arquivo: Pick<LinhaDeArquivo, 'status' | 'expira_em' | 'chegando_ate'>,
  moment: { agora: number; chegando: boolean },
): string {
  const waits = arquivo.status === STATUS_ARQUIVO.aguardandoUpload;
  const lapsed = Math.max(arquivo.expira_em, arquivo.chegando_ate ?? 0) < expiradosAntesDe(moment.agora);
  return waits && lapsed && !moment.chegando ? STATUS_ARQUIVO.expirado : arquivo.status;
}

/** Unix seconds: a ticket, or a body on its way, that had time until then has it no more. Its last second still counts. */
export function expiradosAntesDe(agora: number): number {
  return Math.floor((agora - EXPIRADO_APOS_MS) / 1000);
}

function presentSituacao(arquivo: LinhaDeArquivo, status: string): SituacaoDoArquivo {
  const local = (instante: number | null) => (instante === null ? null : horaLocal(instante));
  return {
    tamanho: arquivo.tamanho ?? arquivo.tamanho_anunciado,
    extensao: arquivo.extensao,
    status,
    dataCriacao: horaComDeslocamento(arquivo.criado_em),
    log: arquivo.log,
    dataUploaded: local(arquivo.recebido_em),
    ...(status === STATUS_ARQUIVO.comErro && {
      dataInicioImportacao: local(arquivo.inicio_em),
      dataFimImportacao: local(arquivo.fim_em),
    }),
  };
}

/**
 * Marks the tickets that lapsed unused, as soon as no body can be arriving for them any more. Both this host's clock
 * and the database's must say so: a host whose clock is ahead would end the tickets of all others.
 */
export async function expireLapsed(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return expireTickets(deps.db.write, (await segundosDeTodos(deps)) - EXPIRAR_DEPOIS_DE_SEGUNDOS);
}

/** Forgets those that lapsed unused a day ago, some at a time; by the same clocks. @returns how many */
export async function forgetLapsed(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const beforeSeconds = (await segundosDeTodos(deps)) - VENCIDO_SOME_DEPOIS_DE_SEGUNDOS;
  return deleteLapsed(deps.db.write, { beforeSeconds, limite: VENCIDOS_DE_CADA_VEZ });
}

/** Unix seconds that have passed by both clocks. */
async function segundosDeTodos({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const hostNow = clock.now();
  return Math.floor(Math.min(hostNow, await databaseNow(db.read, hostNow)) / 1000);
}
