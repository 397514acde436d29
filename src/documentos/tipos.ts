import type { Transaction } from 'kysely';
import type { Tabelas } from '../banco/tabelas.ts';
import type {
  Chave,
  Codificacao,
  Documento,
  Especie,
  Julgamento,
  MetadeDeEvento,
  OrigemDoEsperado,
  ProtocoloAvulso,
  Prova,
  Registro,
  Rejeicao,
  StatusDocumento,
  VeredictoAssinatura,
  VeredictoEsquema,
} from '../fiscal/tipos.ts';

export type Trx = Transaction<Tabelas>;

export const RESULTADO = {
  novo: 'novo',
  atualizado: 'atualizado',
  duplicado: 'duplicado',
  evento: 'evento',
  esperado: 'esperado',
  semCliente: 'sem_cliente',
  semLeiaute: 'sem_leiaute',
  homologacao: 'homologacao',
  conflito: 'conflito',
  ignorado: 'ignorado',
  rejeitado: 'rejeitado',
} as const;
/** What became of a piece (docs/regras.md, uploads). */
export type Resultado = (typeof RESULTADO)[keyof typeof RESULTADO];

/** What hinders `Uploaded`: the person has something to do about it. */
export const PROBLEMAS: readonly Resultado[] = [
  RESULTADO.rejeitado,
  RESULTADO.conflito,
  RESULTADO.semCliente,
  RESULTADO.semLeiaute,
  RESULTADO.homologacao,
];

/** One object for all documents of a batch that carry it: what they are sent in holds it once. */
export interface CertificadoCortado {
  /** Base64 as it stood there: as bytes, since of a text the thread that stores it would have a copy in each batch. */
  readonly bytes: Uint8Array;
  /** Hash of the bytes, hex. */
  readonly sha256: string;
}

/** A document taken apart for the store: made in a reader thread, carried to the store as it is (`conteudo.ts`). */
export interface ConteudoPreparado {
  /** false: `bytes` are to be compressed, by themselves or in a block with others. */
  comprimido: boolean;
  /** Without the certificate, where one was cut out. */
  bytes: Uint8Array;
  /** What was cut out of the bytes, to be kept apart; null where nothing was. */
  certificado: CertificadoCortado | null;
  /** Length of the original bytes. */
  tamanho: number;
  /** Hash of the original bytes, hex. */
  sha256: string;
  codificacao: Codificacao;
}

/** What a note of a layout that is not read stands in, as it waits for the layout. */
export interface AEnsinarGuardado {
  /** By which those of one layout are found together. */
  forma: string;
  /** Hash of the bytes as they came, hex. */
  digest: string;
  /** zstd */
  bytes: Uint8Array;
  tamanho: number;
  /** Of the office's layouts by which it was read: 0 for none. */
  revisao: number;
}

/** A record but for its items: what tells it from others and says who takes part. */
export type RegistroSemItens = Exclude<Registro, Documento> | Omit<Documento, 'itens'>;

/** A record as the store takes it: its items are written where it is read (`itens-guardados.ts`), and only kept here. */
export type RegistroAGuardar = Exclude<Registro, Documento> | (Omit<Documento, 'itens'> & { itens: string });

/** One piece of a file, read and judged, ready to be stored. */
export type PecaLida = {
  /** Path inside the file; '' for a file that is the document itself. */
  caminho: string;
  especie: Especie;
} & (
  | {
      kind: 'registro';
      registro: RegistroAGuardar;
      conteudo: ConteudoPreparado;
      esquema: VeredictoEsquema;
      assinatura: VeredictoAssinatura;
      prova: Julgamento;
    }
  /** A document that is awaited; `mensagem` is what a summary says of it, for people. */
  | { kind: 'esperado'; chave: Chave; origem: OrigemDoEsperado; mensagem: string | null }
  /** What is no document may bring protocols of some (`protocolos.ts`). */
  | {
      kind: 'rejeitado';
      chave: Chave | null;
      sha256: string | null;
      rejeicao: Rejeicao;
      protocolos?: readonly ProtocoloAvulso[];
      /** Half of an event (`metades.ts`). */
      metade?: MetadeDeEvento;
      /** What a note of a layout that is not read stands in (`leiautes/a-ensinar.ts`). */
      aEnsinar?: AEnsinarGuardado;
    }
  | {
      kind: 'ignorado';
      sha256: string | null;
      codigo: string;
      mensagem: string;
      protocolos?: readonly ProtocoloAvulso[];
    }
);

/** Pieces of one file, in their order. */
export interface Lote {
  /** `arquivo.numero` */
  arquivoNumero: number;
  contadorId: number;
  pecas: readonly PecaLida[];
}

/** What the store says of one piece; the import area writes it as an `item`. */
export interface PecaGravada {
  caminho: string;
  sha256: string | null;
  especie: Especie;
  chave: string | null;
  resultado: Resultado;
  codigo: string | null;
  mensagem: string | null;
  linha: number | null;
  coluna: number | null;
  elemento: string | null;
  documentoId: number | null;
  /** Its bytes are those that its document was new with: the oldest version. */
  primeira: boolean;
}

/** What an entry tells of its document. */
export interface EventoDaEntrada {
  codigo: string;
  descricao: string;
  /** 0 where no event is behind it. */
  sequencia: number;
  /** ID, code, key and sequence, as the Id of an event is composed; empty where no event is behind it. */
  id: string;
  /** When it happened, ISO 8601 with offset; null where no event stands behind it, and the time of the entry is meant. */
  data: string | null;
  prova: Prova;
  /** Of its bytes; null where it has none of its own, or no more. */
  versaoId: number | null;
  /** Grows with what is shown of it. */
  revisao: number;
  /** Of its own bytes. */
  tamanho: number;
  /** Its own text when it was asked for. */
  xml: string | null;
}

/**
 * An entry as the export area reads it, before it takes its wire form. Of an event it shows the document, as that stands
 * now; while the client does not have the document, the event itself, with the status `Evento`.
 */
export interface Entrada {
  nsu: number;
  documentoId: number;
  versaoId: number;
  chave: string;
  modelo: string;
  status: StatusDocumento;
  tipo: 'Emitida' | 'Recebida';
  papel: string;
  serie: string | null;
  numero: string | null;
  /** ISO 8601 with offset, as it stands in the document. */
  dataEmissao: string;
  /** Milliseconds UTC. */
  importadoEm: number;
  /** What happened to the document: of its event, whose bytes are apart; or why it is listed once more. */
  evento: EventoDaEntrada | null;
  /** Of the status that is shown. */
  prova: Prova;
  layoutNacional: boolean;
  municipioPrestacao: number | null;
  revisao: number;
  /** Length of the original bytes; 0 once retention is over and they are deleted. */
  tamanho: number;
  /** Text of the document when it was asked for. */
  xml: string | null;
}

/** An entry that is read by itself. */
export interface EntradaComHash extends Entrada {
  /** Hex SHA-256 of the original bytes; empty once these are deleted. */
  sha256: string;
}
