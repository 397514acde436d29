import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { Proibido, RequisicaoInvalida, TempoEsgotado } from './erros.ts';
import type { ArquivoEnviado, StatusArquivo } from './tipos.ts';
import type { Transporte } from './transporte.ts';

/** The state is asked for after this long, then ever more seldom. */
const FIRST_POLL_MS = 150;
const SLOWEST_POLL_MS = 3_000;
const DEFAULT_DEADLINE_MS = 30 * 60_000;
/** An address lives for a minute; a connection that is slower than that three times will not get faster. */
const MAX_TICKETS = 3;

export interface OpcoesDeEnvio {
  /** `.xml` or `.zip`; by default the one of the path. */
  extensao?: string;
  /** False: return as soon as the bytes are with the service. Default true. */
  aguardar?: boolean;
  /** How long to wait for the final state. Default 30 minutes. */
  prazoMs?: number;
  /** Told whenever the state was asked for. */
  aoConsultar?: (arquivo: ArquivoEnviado) => void;
  signal?: AbortSignal;
}

interface Ticket {
  url: string;
  id: string;
}

export interface Envio {
  enviarArquivo(arquivo: string | Uint8Array, opcoes?: OpcoesDeEnvio): Promise<ArquivoEnviado>;
  statusArquivo(id: string): Promise<StatusArquivo>;
  aguardarArquivo(id: string, opcoes?: OpcoesDeEnvio): Promise<ArquivoEnviado>;
}

export function createEnvio(transporte: Transporte, importUrl: string): Envio {
  const statusArquivo = (id: string) =>
    transporte.json<StatusArquivo>({
      method: 'GET',
      url: `${importUrl}/storage/arquivo/${encodeURIComponent(id)}`,
      comToken: true,
    });

  const announce = (size: number, extension: string, opcoes: OpcoesDeEnvio) =>
    transporte.json<Ticket>({
      method: 'POST',
      url: `${importUrl}/storage`,
      comToken: true,
      json: { size, extension },
      ...signalOf(opcoes),
    });

  /** @returns null when the service has the bytes, else why the address was refused: mostly because it lapsed */
  async function put(ticket: Ticket, bytes: Uint8Array, opcoes: OpcoesDeEnvio): Promise<Proibido | null> {
    try {
      await transporte.bytes({ method: 'PUT', url: ticket.url, comToken: false, bytes, ...signalOf(opcoes) });
      return null;
    } catch (error) {
      if (!(error instanceof Proibido)) throw error;
      // The answer to an earlier try may have been lost: then the file is already there.
      const { status } = await statusArquivo(ticket.id);
      return status === 'Aguardando Upload' || status === 'Expirado' ? error : null;
    }
  }

  async function aguardarArquivo(id: string, opcoes: OpcoesDeEnvio = {}): Promise<ArquivoEnviado> {
    let left = opcoes.prazoMs ?? DEFAULT_DEADLINE_MS;
    for (let pauseMs = FIRST_POLL_MS; ; pauseMs = Math.min(SLOWEST_POLL_MS, pauseMs * 1.5)) {
      const arquivo = { id, ...(await statusArquivo(id)) };
      opcoes.aoConsultar?.(arquivo);
      if (isFinal(arquivo)) return arquivo;
      if (left <= 0) throw tooLate(arquivo);
      const nap = Math.min(pauseMs, left);
      left -= nap;
      await transporte.esperar(nap, opcoes.signal);
    }
  }

  async function enviarArquivo(
    arquivo: string | Uint8Array,
    opcoes: OpcoesDeEnvio = {},
  ): Promise<ArquivoEnviado> {
    const extension = extensionOf(arquivo, opcoes);
    const size = typeof arquivo === 'string' ? (await stat(arquivo)).size : arquivo.byteLength;
    for (let tickets = 1; ; tickets++) {
      // Before a large file is read: the service may refuse its size or extension.
      const ticket = await announce(size, extension, opcoes);
      const bytes = typeof arquivo === 'string' ? await readFile(arquivo) : arquivo;
      const refusal = await put(ticket, bytes, opcoes);
      if (refusal && tickets === MAX_TICKETS) throw refusal;
      if (refusal) continue;
      if (opcoes.aguardar ?? true) return aguardarArquivo(ticket.id, opcoes);
      return { id: ticket.id, ...(await statusArquivo(ticket.id)) };
    }
  }

  return { enviarArquivo, statusArquivo, aguardarArquivo };
}

function signalOf(opcoes: OpcoesDeEnvio): { signal?: AbortSignal } {
  return opcoes.signal === undefined ? {} : { signal: opcoes.signal };
}

function isFinal({ status }: StatusArquivo): boolean {
  return status === 'Uploaded' || status === 'Com Erro' || status === 'Expirado';
}

function extensionOf(arquivo: string | Uint8Array, opcoes: OpcoesDeEnvio): string {
  const extension = opcoes.extensao ?? (typeof arquivo === 'string' ? extname(arquivo) : '');
  if (extension !== '') return extension;
  throw new RequisicaoInvalida({
    codigo: 'extensao_invalida',
    status: 0,
    mensagem: 'Diga a extensão do arquivo: { extensao: ".xml" } ou { extensao: ".zip" }.',
  });
}

function tooLate(arquivo: ArquivoEnviado): TempoEsgotado {
  return new TempoEsgotado({
    codigo: 'tempo_esgotado',
    status: 0,
    mensagem: `O arquivo ${arquivo.id} ainda está "${arquivo.status}". A importação continua; consulte statusArquivo("${arquivo.id}").`,
  });
}
