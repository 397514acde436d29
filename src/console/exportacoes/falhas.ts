/** Why a mass export failed, for who asked for it. The log of the service has the error itself. */
import { isDatabasePassing } from '../../platform/db/faults.ts';
import { BLOBS_UNAVAILABLE } from '../../platform/storage/blob-store.ts';
import { ExportacaoGrandeDemais } from './documentos.ts';

/** SQLite tells it by message. */
const SQLITE_CHEIO = /disk is full/;

export function motivoDaFalha(error: unknown): string {
  if (error instanceof ExportacaoGrandeDemais) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT' || (isDatabasePassing(error) && SQLITE_CHEIO.test(message)))
    return 'Não há espaço em disco para guardar a exportação. Avise quem opera o serviço, e peça-a de novo quando houver.';
  if (code === BLOBS_UNAVAILABLE)
    return 'O armazenamento dos arquivos não responde, ou recusa. Peça a exportação de novo em alguns minutos; se persistir, avise quem opera o serviço.';
  if (isDatabasePassing(error))
    return 'O banco de dados não responde, ou recusa. Peça a exportação de novo em alguns minutos; se persistir, avise quem opera o serviço.';
  return 'A exportação falhou por um erro do serviço. Peça-a de novo; se persistir, avise quem opera o serviço.';
}
