/** The tables of retention, as `migrations/0007_retencao` tells them. */
import type { Generated } from 'kysely';

export interface TabelaRegraRetencao {
  contador_id: number;
  modelo: string;
  meses: number;
  alterada_em: number;
  alterada_por: string;
}

export interface TabelaGuardaLegal {
  id: Generated<number>;
  contador_id: number;
  cliente_id: number | null;
  chave: string | null;
  modelo: string | null;
  emissao_de: string | null;
  emissao_ate: string | null;
  motivo: string;
  criada_em: number;
  criada_por: string;
  levantada_em: number | null;
  levantada_por: string | null;
  levantada_motivo: string | null;
}

export type EstadoDaExclusao =
  | 'preparando'
  | 'preparada'
  | 'confirmada'
  | 'concluida'
  | 'cancelada'
  | 'vencida'
  | 'falhou';

export interface TabelaExclusao {
  id: string;
  contador_id: number;
  estado: EstadoDaExclusao;
  cortes: string;
  criada_em: number;
  criada_por: string;
  preparada_em: number | null;
  confirmada_em: number | null;
  confirmada_por: string | null;
  concluida_em: number | null;
  expira_em: number;
  documentos: Generated<number>;
  excluidos: Generated<number>;
  mantidos: Generated<number>;
  arquivos_apagados: Generated<number>;
  arquivos_mantidos: Generated<number>;
  erro: string | null;
  tomada_por: string | null;
  tomada_ate: number | null;
}

export interface TabelaExclusaoDocumento {
  exclusao_id: string;
  documento_id: number;
  contador_id: number;
  chave: string;
  classe: string;
  modelo: string;
  dia: string;
  sha256: string;
  excluido_em: number | null;
  mantido_por: string | null;
}

export interface TabelaExclusaoPacote {
  exclusao_id: string;
  parte: number;
  contador_id: number;
  blob: string;
  sha256: string;
  tamanho: number;
  documentos: number;
  baixado_em: number | null;
}

export interface TabelasRetencao {
  regra_retencao: TabelaRegraRetencao;
  guarda_legal: TabelaGuardaLegal;
  exclusao: TabelaExclusao;
  exclusao_documento: TabelaExclusaoDocumento;
  exclusao_pacote: TabelaExclusaoPacote;
}
