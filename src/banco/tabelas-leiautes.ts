/** The tables of taught layouts, as `migrations/0070_leiautes_ensinados` tells them. */
import type { Generated } from 'kysely';

export interface TabelaLeiauteEnsinado {
  id: Generated<number>;
  contador_id: number;
  leiaute: string;
  conteudo: string;
  origem: 'ensinado' | 'instalado';
  revisao: number;
  criado_em: number;
  criado_por: string;
  retirado_em: number | null;
}

export interface TabelaNotaAEnsinar {
  id: Generated<number>;
  contador_id: number;
  digest: string;
  forma: string;
  bytes: Uint8Array;
  tamanho: number;
  tentada: number;
  arquivo_numero: number;
  item_ordem: number;
  caminho: string;
  criado_em: number;
}

interface TabelaReleituraDeLeiaute {
  contador_id: number;
  arquivo_id: string;
}

export interface TabelasDosLeiautes {
  leiaute_ensinado: TabelaLeiauteEnsinado;
  nota_a_ensinar: TabelaNotaAEnsinar;
  releitura_de_leiaute: TabelaReleituraDeLeiaute;
}
