/** The table of backups, as `migrations/0010_copia_de_seguranca` tells it. */
import type { ColumnType, Generated } from 'kysely';

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

/** As `migrations/0082_copias_agendadas` tells it. */
export interface TabelaCopiaAgendada {
  id: number;
  hora: string;
  proxima_em: number;
  pedida_em: number | null;
  por: string | null;
  lease_ate: ColumnType<number, number | undefined, number>;
  inicio_em: number | null;
  fim_em: number | null;
  erro: string | null;
}

export interface TabelasDaCopia {
  copia_agendada: TabelaCopiaAgendada;
  copia_de_seguranca: TabelaCopiaDeSeguranca;
}
