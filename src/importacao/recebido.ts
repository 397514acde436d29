/** An upload whose bytes are stored already: its row and its job, in one transaction. */
import { addJob } from '../platform/jobs/queue.ts';
import type { StoredBlob } from '../platform/storage/blob-store.ts';
import { insertArquivo, type LinhaDeArquivo } from './queries.ts';
import { JOB_IMPORTAR, STATUS_ARQUIVO } from './tipos.ts';

interface EnvioRecebido extends StoredBlob {
  id: string;
  contadorId: number;
  /** Key of its bytes. */
  blob: string;
  extensao: string;
  /** When its bytes came; ms UTC. */
  chegouEm: number;
  agora: number;
  /** Key that its address was signed with; empty where it has had none. */
  kid: string;
  origem: Pick<LinhaDeArquivo, 'origem' | 'usuario_id' | 'nome' | 'reimportado_de' | 'alcance'> &
    Partial<Pick<LinhaDeArquivo, 'fonte'>>;
}

/** How `arquivo.alcance` is written: ids of the clients that a sender is limited to. */
export const writeAlcance = (alcance: readonly number[] | null) =>
  alcance === null ? null : JSON.stringify(alcance);

/** Call it in a transaction that may put jobs in line (`puttingInLine`). */
export async function insertRecebido(
  trx: Parameters<typeof insertArquivo>[0],
  envio: EnvioRecebido,
): Promise<void> {
  const { id, contadorId, blob, sizeBytes, sha256, md5, chegouEm, agora } = envio;
  await insertArquivo(trx, {
    id,
    contador_id: contadorId,
    token_id: null,
    extensao: envio.extensao,
    tamanho_anunciado: sizeBytes,
    tamanho: sizeBytes,
    status: STATUS_ARQUIVO.emProcessamento,
    criado_em: chegouEm,
    expira_em: Math.floor(chegouEm / 1000),
    kid: envio.kid,
    recebido_em: chegouEm,
    inicio_em: null,
    fim_em: null,
    sha256,
    md5,
    blob,
    ...envio.origem,
  });
  await addJob(trx, { tipo: JOB_IMPORTAR, arquivoId: id, contadorId, pesoBytes: sizeBytes, now: agora });
}
