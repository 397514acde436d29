/** Why a mass export failed, for who asked for it. The log of the service has the error itself. */
import { type FaltaDoEntorno, faltaDoEntorno } from '../../platform/surroundings.ts';
import { ExportacaoGrandeDemais } from './documentos.ts';

const DO_ENTORNO: Readonly<Record<FaltaDoEntorno, string>> = {
  disco_cheio:
    'Não há espaço em disco para guardar a exportação. Avise quem opera o serviço, e peça-a de novo quando houver.',
  banco_cheio:
    'Não há espaço no disco do banco de dados. Avise quem opera o serviço, e peça a exportação de novo quando houver.',
  armazenamento:
    'O armazenamento dos arquivos não responde, ou recusa. Peça a exportação de novo em alguns minutos; se persistir, avise quem opera o serviço.',
  banco:
    'O banco de dados não responde, ou recusa. Peça a exportação de novo em alguns minutos; se persistir, avise quem opera o serviço.',
};
const DO_SERVICO =
  'A exportação falhou por um erro do serviço. Peça-a de novo; se persistir, avise quem opera o serviço.';

export function motivoDaFalha(error: unknown): string {
  if (error instanceof ExportacaoGrandeDemais) return error.message;
  const falta = faltaDoEntorno(error);
  return falta === null ? DO_SERVICO : DO_ENTORNO[falta];
}
