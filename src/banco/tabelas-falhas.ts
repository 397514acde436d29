/** Tables of `migrations/0076_falhas_vistas`: failures of imports that somebody has looked at. */
export interface TabelaFalhaVista {
  contador_id: number;
  arquivo_numero: number;
  /** 0: the file failed as a whole. */
  ordem: number;
  codigo: string;
  situacao: 'visto' | 'resolvido';
  motivo: string;
  por: string;
  em: number;
}

export interface TabelasDasFalhas {
  falha_vista: TabelaFalhaVista;
}
