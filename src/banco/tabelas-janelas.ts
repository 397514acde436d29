/** Counts per minute that processes share (PostgreSQL only); what a column means is told in the migration. */
export interface TabelaJanela {
  chave: string;
  inicio: number;
  quantos: number;
}
