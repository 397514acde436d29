/** Shapes of the service's JSON, exactly as they travel. */

/** What happened to the document, and the event's own bytes. */
export interface EventoDoDocumento {
  /** tpEvento, such as `110111`; `correcao` where no event is behind it: `descricao` says why the entry was made. */
  codigo: string;
  descricao: string;
  /** 0 for `correcao`. */
  sequencia: number;
  /** `ID`, code, key and sequence; empty for `correcao`. */
  id: string;
  /** When it happened, ISO 8601 with offset. */
  data: string;
  /** How well the event itself is proven. */
  prova: Prova;
  /** Of the event's bytes, like the document's; empty for `correcao`, and once these were deleted. */
  url_download: string;
  /** The event's text when it was asked for with `xml: true`. */
  xml: string;
}

/**
 * One record of the export area: always of a document, as it now stands. While only an event of it has come, `status` is
 * `Evento`, and `xml` and `url_download` are the event's. Of a missing number `nsu` is 0 and `chave` may be empty.
 */
export interface Documento {
  nsu: number;
  /** ISO 8601 with offset. */
  data_emissao: string | null;
  /** ISO 8601 with offset. */
  data_importacao: string | null;
  chave: string;
  modelo: string;
  status: string;
  /** `Emitida` or `Recebida`, seen from the company in the path. */
  tipo: string;
  /** Signed, absolute, valid for 15 minutes, needs no token; empty once the content was deleted (retention). */
  url_download: string;
  /** The document's text when it was asked for with `xml: true`, else empty. */
  xml: string;
  /** Signed; empty unless the purpose was asked for. */
  url_finalidade: string;
  layout_nacional: boolean;
  /** IBGE code; 0 for what is no NFS-e. */
  municipio_prestacao: number;
  /** What made this entry, where that is not the document's own arrival. */
  evento: EventoDoDocumento | null;
  papel: string | null;
  serie: string | null;
  numero: string | null;
  /** How well the status that is shown is proven. */
  prova: Prova | null;
}

/** From the strongest to the weakest: fetched from the authority, signed and authorised, coherent, only said. */
export type Prova = 'sefaz' | 'assinada' | 'coerente' | 'declarada';

/** A record that stands in a feed: it always has its NSU and its key. */
export type DocumentoComNsu = Documento;

export interface Pagina<T = Documento> {
  total: number;
  paginas: number;
  tamanho: number;
  pagina: number;
  documentos: T[];
}

/** A client of the office that the token reaches. */
export interface ClienteDoEscritorio {
  /** Without mask. */
  cpf_cnpj: string;
  nome: string;
  /** Of the newest entry in its feed; 0 while there is none. */
  nsu: number;
}

export interface PaginaDeClientes {
  total: number;
  paginas: number;
  tamanho: number;
  pagina: number;
  clientes: ClienteDoEscritorio[];
}

export type StatusImportacao =
  | 'Aguardando Upload'
  | 'Em Processamento'
  | 'Uploaded'
  | 'Com Erro'
  | 'Expirado';

/** Record 2.4 of the specification. */
export interface StatusArquivo {
  /** Bytes. */
  tamanho: number;
  extensao: string;
  status: StatusImportacao;
  dataCriacao: string;
  /** Empty unless `Com Erro`. */
  log: string;
  dataUploaded: string | null;
  /** Only on `Com Erro`. */
  dataInicioImportacao?: string | null;
  /** Only on `Com Erro`. */
  dataFimImportacao?: string | null;
}

/** A file that was sent, with its identifier. */
export interface ArquivoEnviado extends StatusArquivo {
  id: string;
}

export type ResultadoDoItem =
  | 'novo'
  | 'atualizado'
  | 'duplicado'
  | 'evento'
  | 'esperado'
  | 'sem_cliente'
  | 'sem_leiaute'
  | 'homologacao'
  | 'conflito'
  | 'ignorado'
  | 'rejeitado';

/** One document found in an imported file. */
export interface ItemDoArquivo {
  /** Path inside the zip; empty for a file that is the document itself. */
  caminho: string;
  sha256: string | null;
  especie: string;
  chave: string | null;
  resultado: ResultadoDoItem;
  codigo: string | null;
  mensagem: string | null;
  linha: number | null;
  coluna: number | null;
  /** Path of the XML element a fault is in. */
  elemento: string | null;
}

export interface PaginaDeItens {
  total: number;
  paginas: number;
  tamanho: number;
  pagina: number;
  itens: ItemDoArquivo[];
}

/** Filters of the NF-e and NFC-e listings. Dates: `YYYY-MM-DD` (a day in America/Sao_Paulo) or a full ISO timestamp. */
export interface FiltrosDeListagem {
  dataInicial: string | Date;
  /** Inclusive. */
  dataFinal?: string | Date;
  tipo?: 'Emitidas' | 'Recebidas' | 'Todas';
  status?:
    | 'Autorizadas'
    | 'Canceladas'
    | 'CartaCorrecao'
    | 'Faltantes'
    | 'Denegadas'
    | 'Inutilizadas'
    | 'Todas';
  /** 1…500. */
  tamanho?: number;
  /** From 1. */
  pagina?: number;
}

export type FinalidadeAquisicao =
  | 'Revenda'
  | 'Industrializacao'
  | 'UsoConsumo'
  | 'AtivoImobilizado'
  | 'Servico'
  | 'Outras';

/** `sugerida` by the service, taken from the `documento`, or `informada` by a person. */
export type OrigemDaFinalidade = 'informada' | 'documento' | 'sugerida';

/** What was bought for what, of a document and of each of its items. */
export interface FinalidadeDoDocumento {
  chave: string;
  /** finNFe and its kin, as the issuer declared it. */
  finalidade_documento: { codigo: string; descricao: string } | null;
  finalidade_aquisicao: FinalidadeAquisicao;
  origem: OrigemDaFinalidade;
  itens: {
    numero: number;
    cfop: string | null;
    ncm: string | null;
    finalidade_aquisicao: FinalidadeAquisicao;
    origem: OrigemDaFinalidade;
  }[];
}

/** A person's word on the purpose: for the whole document, for some of its items, or both. */
export interface FinalidadeInformada {
  finalidade_aquisicao?: FinalidadeAquisicao;
  itens?: { numero: number; finalidade_aquisicao: FinalidadeAquisicao }[];
}
