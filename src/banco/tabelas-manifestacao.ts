/** The tables of manifestação, as `migrations/0065_manifestacao` tells them. */
import type { ColumnType } from 'kysely';

type Optional<T> = ColumnType<T, T | undefined, T>;

type EstadoDaManifestacao = 'pendente' | 'enviando' | 'registrada' | 'recusada';

export interface TabelaManifestacao {
  contador_id: number;
  cliente_id: number;
  chave: string;
  codigo: string;
  ambiente: number;
  justificativa: string | null;
  estado: EstadoDaManifestacao;
  pedida_em: number;
  pedida_por: string;
  proxima_em: number | null;
  enviada_em: Optional<number | null>;
  tentativas: Optional<number>;
  resposta: Optional<string | null>;
  motivo: Optional<string | null>;
  respondida_em: Optional<number | null>;
  nprot: Optional<string | null>;
}

export interface TabelaResumoDeNota {
  contador_id: number;
  cliente_id: number;
  chave: string;
  ambiente: number;
  emitente: string | null;
  emitente_nome: string | null;
  valor: string | null;
  emitida_em: number | null;
  autorizada_em: number | null;
  situacao: string;
  visto_em: number;
}

export interface TabelaManifestacaoRegra {
  contador_id: number;
  cliente_id: number;
  ciencia: 0 | 1;
  mudada_em: number;
  mudada_por: string;
}

export interface TabelasDaManifestacao {
  manifestacao: TabelaManifestacao;
  resumo_de_nota: TabelaResumoDeNota;
  manifestacao_regra: TabelaManifestacaoRegra;
}
