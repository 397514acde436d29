/** What is said to the services and what they answer, whatever carries it. */
import type { CertificadoEmUso } from '../../contas/certificado/guardar.ts';
import type { CpfCnpj } from '../../fiscal/tipos.ts';

/** Where a call goes to; `MALOTE_CAPTURA_ENDERECOS` can say another address for each. */
export type NomeDoEndereco =
  | 'nfe'
  | 'nfe_eventos'
  | 'cte'
  | 'cte_eventos'
  | 'adn'
  | 'sefin'
  | 'sae_chaves'
  | 'sae_download'
  | 'convenio';

/** The certificate that a call is made with. The key is opened for a new connection only. */
export interface CertificadoDeCliente {
  /** SHA-256 of the certificate, hex. */
  impressao: string;
  /** @throws UnsealError when what is stored does not open */
  open(): Promise<CertificadoEmUso>;
}

/** One HTTP request. */
export interface PedidoHttp {
  endereco: NomeDoEndereco;
  url: string;
  method: 'GET' | 'POST';
  /** In lower case. */
  headers: Readonly<Record<string, string>>;
  body?: Buffer;
  certificado: CertificadoDeCliente;
  /** Longer answers are a failure; bytes. */
  maxBytes: number;
}

export interface RespostaHttp {
  status: number;
  /** In lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  bytes: Buffer;
}

/** What carries a request: `TransporteHttps`, or in tests something without a network. */
export interface Transporte {
  /** @throws FalhaDeTransporte */
  pedir(pedido: PedidoHttp): Promise<RespostaHttp>;
  /** Ends connections that were opened with certificates other than these; without a list, all. */
  close(except?: ReadonlySet<string>): void;
}

/** Why there is no answer of a service. */
export const FALHAS = [
  /** The name is not known, or nobody takes the connection. */
  'sem_conexao',
  'prazo_de_conexao',
  'prazo_de_resposta',
  /** The connection was cut. */
  'interrompida',
  /** The service did not see or did not take the client's certificate. */
  'certificado_nao_apresentado',
  'certificado_recusado',
  /** What is stored of the certificate does not open. */
  'certificado_nao_abre',
  /** The server's own certificate: of no known authority, of another name, or out of its dates. */
  'servidor_desconhecido',
  'servidor_com_outro_nome',
  'servidor_vencido',
  /** Any other failure of TLS. */
  'tls',
  'redirecionamento',
  'resposta_grande',
] as const;
export type CodigoDeFalha = (typeof FALHAS)[number];

/** No answer came. Holds no object of the TLS library: those drag keys along. */
export class FalhaDeTransporte extends Error {
  readonly codigo: CodigoDeFalha;
  /** Whether the service may have got the request, and counted it. */
  readonly enviado: boolean;
  /** Code of Node or OpenSSL, for the log. */
  readonly causa: string;

  constructor(codigo: CodigoDeFalha, { enviado, causa = '' }: { enviado: boolean; causa?: string }) {
    super(`${codigo}${causa && ` (${causa})`}`);
    this.codigo = codigo;
    this.enviado = enviado;
    this.causa = causa;
  }
}

/** Who is asked for, and with what. */
export interface Interessado {
  cpfCnpj: CpfCnpj;
  /** UF of the client, as its certificate was registered with. */
  uf: string;
  certificado: CertificadoDeCliente;
}

/** What a service answered, in the words of `cStat` wherever it has some. */
export interface Resposta {
  /**
   * cStat of SEFAZ and SAE. Of the ADN and SEFIN: `138` where documents came, `137` for nothing, else the code of the first
   * fault (`E1217`). `http_503`: an answer that is not the service's own.
   */
  codigo: string;
  /** The service's words, at most 500 characters. */
  motivo: string;
  status: number;
  /** Seconds that the service asks to wait (429, 503); null: it says nothing. */
  esperarSegundos: number | null;
  /** The whole answer, as it came. */
  bytes: Buffer;
}

/** A lot of a sequence. */
export interface RespostaComNsu extends Resposta {
  /** Null where the answer has none. */
  ultNsu: number | null;
  maxNsu: number | null;
  /** How many documents the lot holds. */
  documentos: number;
}

/** A page of keys of the SAE. */
export interface RespostaComChaves extends Resposta {
  chaves: string[];
  /** Date of the last listed document, as the service wrote it; where the next page begins. */
  ultimaData: string | null;
}
