/** The tables of capture, as `migrations/0060_captura` tells them. */
import type { ColumnType, Generated } from 'kysely';

type Optional<T> = ColumnType<T, T | undefined, T>;

/** What an office turns on and off for a client. `nfse` is fetched from the ADN, `nfce` from São Paulo's SAE. */
export type Servico = 'nfe' | 'cte' | 'nfse' | 'nfce';
/** As in tpAmb: produção or homologação. */
export type Ambiente = 1 | 2;
type Chamada = 'distNSU' | 'consNSU' | 'consChave' | 'evento';

export interface TabelaCaptura {
  contador_id: number;
  cliente_id: number;
  servico: Servico;
  ligada: 0 | 1;
  mudada_em: number;
  mudada_por: string;
  passiva: Optional<0 | 1>;
}

export interface TabelaCapturaEstado {
  cpf_cnpj: string;
  servico: Servico;
  ambiente: Ambiente;
  ult_nsu: Generated<number>;
  max_nsu: Generated<number>;
  marco: Optional<string | null>;
  proxima_em: Optional<number | null>;
  bloqueada_ate: Optional<number | null>;
  parada: Optional<string | null>;
  parada_certificado: Optional<string | null>;
  erros_seguidos: Generated<number>;
  chaves_em: Optional<number | null>;
  lacunas: Generated<string>;
  recuperar_ate: Optional<number | null>;
  consultas: Generated<string>;
  chamada_em: Optional<number | null>;
  chamada_tipo: Optional<Chamada | null>;
  locatario: Optional<string | null>;
  locada_ate: Optional<number | null>;
  primeira_em: Optional<number | null>;
  ultima_em: Optional<number | null>;
  ultima_ok_em: Optional<number | null>;
  ultima_vazia_em: Optional<number | null>;
  ultimo_documento_em: Optional<number | null>;
  ultima_resposta: Optional<string | null>;
  ultimo_motivo: Optional<string | null>;
  outro_programa_em: Optional<number | null>;
  bloqueios: Generated<number>;
  documentos: Generated<number>;
  municipio: Optional<string | null>;
}

export interface TabelaCapturaChave {
  contador_id: number;
  chave: string;
  cliente_id: number;
  servico: Servico;
  estado: 'pendente' | 'obtida' | 'impossivel';
  por_pessoa: Optional<0 | 1>;
  pedida_em: number;
  pedida_por: string;
  tentada_em: Optional<number | null>;
  tentativas: Optional<number>;
  resposta: Optional<string | null>;
}

interface TabelaCapturaRelogio {
  partida: string;
  inicio: number;
  /** What its clock said last. */
  visto_em: number;
}

/** Whether a city's NFS-e is in the national environment. */
interface TabelaCapturaMunicipio {
  ibge: string;
  ambiente: Ambiente;
  nome: string;
  compartilha: 0 | 1 | null;
  perguntado_em: number;
}

export interface TabelasDaCaptura {
  captura: TabelaCaptura;
  captura_estado: TabelaCapturaEstado;
  captura_chave: TabelaCapturaChave;
  captura_relogio: TabelaCapturaRelogio;
  captura_municipio: TabelaCapturaMunicipio;
}
