/** Tables of `migrations/0006_consulta`: searching, accesses, how far feeds were read, mass exports. */
import type { ColumnType, Generated } from 'kysely';

/** Optional on insert. */
type Optional<T> = ColumnType<T, T | undefined, T>;

export interface TabelaEmpresa {
  contador_id: number;
  cpf_cnpj: string;
  nome: string;
}

export interface TabelaEmpresaPalavra {
  contador_id: number;
  palavra: string;
  cpf_cnpj: string;
}

interface TabelaEmpresaPendente {
  contador_id: number;
  depois_de: string;
}

export interface TabelaFaltanteJustificado {
  contador_id: number;
  cliente_id: number;
  modelo: string;
  serie: string;
  numero_inicial: number;
  numero_final: number;
  motivo: string;
  por: string;
  em: number;
}

export interface TabelaAcesso {
  id: Generated<number>;
  contador_id: number;
  documento_id: number;
  em: number;
  ato: string;
  autor: string;
}

export interface TabelaAcessoEmLote {
  id: Generated<number>;
  contador_id: number;
  cliente_id: number;
  autor: string;
  nsu_de: number;
  nsu_ate: number;
  de: number;
  ate: number;
}

export interface TabelaLeituraDoFeed {
  contador_id: number;
  cliente_id: number;
  token_id: number;
  nsu: number;
  em: number;
}

type EstadoDaExportacao = 'na_fila' | 'em_andamento' | 'pronta' | 'falhou' | 'interrompida' | 'expirada';

export interface TabelaExportacao {
  id: string;
  contador_id: number;
  usuario_id: number;
  cliente_id: number | null;
  tipo: 'zip' | 'xlsx' | 'csv';
  pedido: string;
  estado: EstadoDaExportacao;
  processo: string;
  feitos: Optional<number>;
  total: number | null;
  bytes: number | null;
  erro: string | null;
  criado_em: number;
  fim_em: number | null;
  expira_em: number;
  blob: Optional<string | null>;
  batida: Optional<number>;
}

export interface TabelasDeConsulta {
  empresa: TabelaEmpresa;
  empresa_palavra: TabelaEmpresaPalavra;
  empresa_pendente: TabelaEmpresaPendente;
  faltante_justificado: TabelaFaltanteJustificado;
  acesso: TabelaAcesso;
  acesso_em_lote: TabelaAcessoEmLote;
  leitura_do_feed: TabelaLeituraDoFeed;
  exportacao: TabelaExportacao;
}
