/** The table of backups, as `migrations/0010_copia_de_seguranca` tells it. */
import type { Generated } from 'kysely';

export interface TabelaCopiaDeSeguranca {
  id: Generated<number>;
  criada_em: number;
  concluida_em: number;
  destino: string;
  bytes: number;
  documentos: number;
  arquivos: number;
  faltas: number;
  com_chave: number;
  manifesto: string;
}

export interface TabelasDaCopia {
  copia_de_seguranca: TabelaCopiaDeSeguranca;
}
