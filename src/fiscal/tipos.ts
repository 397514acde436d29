/**
 * The nouns of the fiscal core. Every parser in `fiscal/` turns untrusted bytes into these values, and
 * everything above speaks only of them. No I/O, no clock, no technology.
 */

declare const marca: unique symbol;
type Marcado<T, M extends string> = T & { readonly [marca]: M };

/** Access key: 44 characters (DF-e, CF-e), 50 (national NFS-e) or a printable composed key. Upper case. */
export type Chave = Marcado<string, 'Chave'>;
/** CPF (11 digits) or CNPJ (14, numeric or alphanumeric), upper case, without mask. */
export type CpfCnpj = Marcado<string, 'CpfCnpj'>;
/** Exactly six digits. */
export type CodigoCrm = Marcado<string, 'CodigoCrm'>;

/** tpAmb: 1 produção, 2 homologação. */
export type Ambiente = 1 | 2;

export const ESPECIE = {
  nfe: 'NFe',
  nfce: 'NFCe',
  nfse: 'NFSe',
  cte: 'CTe',
  cteOs: 'CTeOS',
  gtve: 'GTVe',
  cfe: 'CFe',
  nfcom: 'NFCom',
  nf3e: 'NF3e',
  nfag: 'NFAg',
  nfgas: 'NFGas',
  nfabi: 'NFABI',
  evento: 'Evento',
  inutilizacao: 'Inutilizacao',
  resumo: 'Resumo',
  chave: 'Chave',
  outro: 'Outro',
} as const;
/** What a piece found in a file is (`especie` of an item). */
export type Especie = (typeof ESPECIE)[keyof typeof ESPECIE];

/** `modelo` of the export record: the kinds that are read whole, then those of which the common parts are. */
export const MODELOS = ['55', '65', '57', '67', '64', '59', 'NFSe', '62', '66', '75', '76', '77'] as const;
export type Modelo = (typeof MODELOS)[number];

export const PAPEL = {
  emitente: 'emitente',
  prestador: 'prestador',
  destinatario: 'destinatario',
  tomador: 'tomador',
  remetente: 'remetente',
  expedidor: 'expedidor',
  recebedor: 'recebedor',
  transportador: 'transportador',
  intermediario: 'intermediario',
  retirada: 'retirada',
  entrega: 'entrega',
  autorizado: 'autorizado',
} as const;
export type Papel = (typeof PAPEL)[keyof typeof PAPEL];

/**
 * Papéis from the strongest to the weakest: where one company plays several parts in a document, its entry
 * shows the first of these. `emitente` and `prestador` make the entry `Emitida`.
 */
export const PAPEIS_POR_FORCA: readonly Papel[] = [
  'emitente',
  'prestador',
  'destinatario',
  'tomador',
  'remetente',
  'recebedor',
  'expedidor',
  'intermediario',
  'transportador',
  'retirada',
  'entrega',
  'autorizado',
];

export const STATUS_DOCUMENTO = {
  autorizada: 'Autorizada',
  cancelada: 'Cancelada',
  denegada: 'Denegada',
  pendente: 'Pendente',
  inutilizada: 'Inutilizada',
  cartaCorrecao: 'CartaCorrecao',
  evento: 'Evento',
  faltante: 'Faltante',
} as const;
export type StatusDocumento = (typeof STATUS_DOCUMENTO)[keyof typeof STATUS_DOCUMENTO];

export interface Participante {
  papel: Papel;
  cpfCnpj: CpfCnpj;
  nome: string | null;
}

/** What SEFAZ answered about the document (`protNFe/infProt`). */
export interface Protocolo {
  /** cStat, 3 or 4 digits. */
  cStat: string;
  xMotivo: string | null;
  nProt: string | null;
  /** ISO 8601 as it stands in the XML. */
  dhRecbto: string | null;
  /** Base64 digest of the document that was authorised. */
  digVal: string | null;
  /** It is an answer of homologação to what was written for produção; not kept by itself. */
  deHomologacao?: true;
}

export interface ItemFiscal {
  /** nItem, from 1. */
  numero: number;
  cfop: string | null;
  ncm: string | null;
  /** vProd, decimal text with a point, as it stands in the XML. */
  valor: string | null;
}

export type EspecieDeDocumento = Exclude<Especie, 'Evento' | 'Inutilizacao' | 'Resumo' | 'Chave' | 'Outro'>;

/** A fiscal document (NF-e, NFC-e, NFS-e, CT-e and its kin, CF-e SAT), whatever wrapper it came in. */
export interface Documento {
  classe: 'documento';
  especie: EspecieDeDocumento;
  chave: Chave;
  modelo: Modelo;
  ambiente: Ambiente;
  /** `@versao` of the layout, such as `4.00`. */
  layout: string | null;
  /** Without leading zeros. */
  serie: string;
  /** Without leading zeros. */
  numero: string;
  /** ISO 8601 with offset, such as `2026-03-01T10:00:00-03:00`; date-only layouts (≤ 2.00) get 00:00 in the zone of the UF. */
  dataEmissao: string;
  /** tpNF: 0 entrada, 1 saída; null where the kind has none. */
  tpNF: '0' | '1' | null;
  natureza: string | null;
  participantes: Participante[];
  /** Document total (vNF, vTPrest, vCFe), decimal text with a point. */
  valor: string | null;
  finalidade: { codigo: string; descricao: string } | null;
  itens: ItemFiscal[];
  protocolo: Protocolo | null;
  /** From the protocol alone; events are applied where documents are kept. */
  statusProtocolo: 'Autorizada' | 'Denegada' | 'Cancelada' | 'Pendente';
  /**
   * Identity of the content, Base64: the digest of the signed element, computed from these bytes; never what the document
   * claims of itself. Two copies with the same digest are the same document.
   */
  digest: string;
  /** Natureza of NFS-e (layout nacional) and its município; false and null for the others. */
  layoutNacional: boolean;
  municipioPrestacao: number | null;
  /** Read from a row of a list, which tells of the note and is not the note. */
  deLista?: true;
  /** Readable findings that do not reject, such as a check digit that does not match. */
  avisos: string[];
  /** For people: that not all parties or items are here (`dfe/anotar.ts`). Absent: all are. */
  anotadoEmParte?: string;
  /** What somebody has to look after, told in the row of the file that brought it. */
  ressalva?: { codigo: string; mensagem: string };
}

export type EfeitoEvento = 'cancela' | 'carta_correcao' | 'cancela_evento' | 'manifestacao' | 'nenhum';

/** A registered event (procEventoNFe or procEventoCTe with an accepted cStat, CFeCanc signed by the device …). */
export interface Evento {
  classe: 'evento';
  especie: 'Evento';
  /** Key of the document that it is about. */
  chave: Chave;
  modelo: Modelo;
  ambiente: Ambiente;
  layout: string | null;
  /** tpEvento, six digits; `CFeCanc` for the cancellation of a CF-e SAT, which has none. */
  codigo: string;
  descricao: string;
  sequencia: number;
  efeito: EfeitoEvento;
  /** Author (`infEvento/CNPJ|CPF`), null where it has none. */
  autor: CpfCnpj | null;
  /** CNPJDest/CPFDest of the answer, when given. */
  destinatario: CpfCnpj | null;
  /** dhEvento, ISO 8601 with offset. */
  dataEmissao: string;
  protocolo: Protocolo;
  /** Whom the event lets have the document (110150), beside its parties. */
  autorizados?: CpfCnpj[];
  /** For `cancela_evento`: which event it undoes. */
  desfaz: { codigo: string; sequencia: number | null; nProt: string | null } | null;
  /** nItem of the items whose purpose the recipient declares (211120, 211130); other events have no such list. */
  itensDeclarados?: number[];
  /** Only the authority's answer is here, without what was asked; nobody signed for it. */
  soResposta?: true;
  /** The Id of what was signed names another document. */
  idDeOutraChave?: true;
  /** Protocol of the document that a cancellation is about, as the event says it; null or absent where it says none. */
  protocoloDaNota?: string | null;
  digest: string;
  avisos: string[];
}

/** A homologated inutilização of numbers (cStat 102). */
export interface Inutilizacao {
  classe: 'inutilizacao';
  especie: 'Inutilizacao';
  /** Its Id without `ID`. */
  chave: Chave;
  modelo: Modelo;
  ambiente: Ambiente;
  layout: string | null;
  serie: string;
  numeroInicial: number;
  numeroFinal: number;
  /** Two digits. */
  ano: string;
  emitente: CpfCnpj;
  justificativa: string | null;
  /** dhRecbto, ISO 8601 with offset. */
  dataEmissao: string;
  protocolo: Protocolo;
  /** Only the authority's answer is here, without what was asked; nobody signed for it. */
  soResposta?: true;
  digest: string;
  avisos: string[];
}

export type Registro = Documento | Evento | Inutilizacao;

/** A fault of the document, told to people. A value, never thrown. */
export interface Rejeicao {
  /** Stable, lower snake case; listed in docs/erros.md. */
  codigo: string;
  /** pt-BR: names the element and the rule, and says what to do. */
  mensagem: string;
  /** Readable path of the XML element, such as `nfeProc/NFe/infNFe/det[3]/prod/NCM`. */
  elemento: string | null;
  linha: number | null;
  coluna: number | null;
}

export interface VeredictoEsquema {
  /** `esquema_mais_antigo`: its only faults are what a newer package would explain. */
  resultado: 'valido' | 'invalido' | 'nao_verificado' | 'esquema_mais_antigo';
  /** Which schema judged, such as `procNFe_v4.00.xsd (PL_010b_V1.30)`; null when none did. */
  esquema: string | null;
  /** Readable reason in pt-BR when invalid, or why it was not checked. */
  motivo: string | null;
}

export interface VeredictoAssinatura {
  resultado: 'integra' | 'alterada' | 'sem_assinatura';
  motivo: string | null;
  /** `rsa-sha1`, `rsa-sha256` …; null without signature. */
  algoritmo: string | null;
  /** Subject CN of the embedded certificate. */
  titular: string | null;
  /**
   * Digest, Base64, computed over the signed element as it stands here: in the form and with the method that its
   * signature names, SHA-1 of Canonical XML 1.0 where there is none that can be read. Never what a signature claims.
   */
  digestCalculado: string;
  digestMetodo: 'sha1' | 'sha256';
  /** What the embedded certificate is worth; null where none can be read, or nothing is signed. */
  signatario: Signatario | null;
}

/** A stretch of time, both ends included, epoch ms. */
export interface Periodo {
  de: number;
  ate: number;
}

/** The certificate that came with a signature: whom it names, and who answers for that. The same for every document that it signed. */
export interface Signatario {
  /** CNPJ or CPF of the holder; null where the certificate names none. */
  titularDocumento: CpfCnpj | null;
  /**
   * Who answers for the certificate, as far as the authorities at hand tell. `icp_brasil`: its chain leads to a root
   * that is trusted for all documents. `sat`: to one that is trusted for what SAT devices sign. `desconhecida`: its
   * authority is not at hand. `invalida`: it answers for itself, or its chain is false. Times are apart.
   */
  cadeia: 'icp_brasil' | 'sat' | 'desconhecida' | 'invalida';
  /** When the certificate itself was valid. */
  validade: Periodo;
  /** When all authorities above it were valid at once; null where the chain leads to no trusted root. */
  validadeDaCadeia: Periodo | null;
}

/** From the weakest to the strongest. Rows keep the place in this list: only append. */
export const PROVAS = ['declarada', 'coerente', 'assinada', 'sefaz'] as const;
/**
 * `sefaz`: fetched from the authority itself. `assinada`: signed by who must sign, with a certificate of ICP-Brasil that was
 * valid then, and authorised as it stands here. `coerente`: the same as far as it can be checked here. `declarada`: anything less.
 */
export type Prova = (typeof PROVAS)[number];

/** What a version is short of. Rows keep these words. */
export const FALHA_DE_PROVA = {
  semAssinatura: 'sem_assinatura',
  alterada: 'alterada',
  titularDiverso: 'titular_diverso',
  titularNaoInformado: 'titular_nao_informado',
  assinadaPelaPrefeitura: 'assinada_pela_prefeitura',
  cadeiaInvalida: 'cadeia_invalida',
  cadeiaDesconhecida: 'cadeia_desconhecida',
  foraDaValidade: 'fora_da_validade',
  semProtocolo: 'sem_protocolo',
  protocoloIncompleto: 'protocolo_incompleto',
  protocoloDeOutroConteudo: 'protocolo_de_outro_conteudo',
  municipal: 'municipal',
  soResposta: 'so_resposta',
  idDeOutraChave: 'id_de_outra_chave',
  autorSemPoder: 'autor_sem_poder',
  chaveDeOutroEmitente: 'chave_de_outro_emitente',
  respostaDeHomologacao: 'resposta_de_homologacao',
  linhaDeLista: 'linha_de_lista',
} as const;
export type FalhaDeProva = (typeof FALHA_DE_PROVA)[keyof typeof FALHA_DE_PROVA];

export interface Julgamento {
  prova: Prova;
  /** In the order of the checks; empty where nothing is missing. */
  falhas: readonly FalhaDeProva[];
}

/** How the bytes of a kept document are encoded, so that they can be shown as text later. */
export type Codificacao = 'utf-8' | 'utf-16le' | 'utf-16be' | 'iso-8859-1' | 'windows-1252';

/** How an awaited document is known: by a list of keys, or by SEFAZ's summary, which may say that it is denied or cancelled. */
export type OrigemDoEsperado = 'lista' | 'resumo' | 'resumo_denegada' | 'resumo_cancelada';

/** SEFAZ's word on a document that came without it, good once the document is there (`envelopes/avulso.ts`). */
export interface ProtocoloAvulso {
  chave: Chave;
  ambiente: Ambiente;
  /** What it makes of the document; never Pendente. */
  status: Documento['statusProtocolo'];
  /** Base64, of the content that it is about; null where it does not say. */
  digVal: string | null;
  /** The element (`protNFe`, `protCTe`), standing alone, in UTF-8. */
  bytes: Uint8Array;
}

/** Half of an event whose other half may come in another file (`envelopes/metades.ts`). */
export interface MetadeDeEvento {
  /** What was asked for, or the answer that registers it. */
  lado: 'pedido' | 'resposta';
  chave: Chave;
  ambiente: Ambiente;
  /** Code and sequence, such as `110111/1`. */
  identidade: string;
  /** The element, standing alone, in UTF-8. */
  bytes: Uint8Array;
}

/** What a note of a layout that is not read stands in, until somebody describes the layout. */
export interface AEnsinar {
  /** By which those of one layout are found together: names from the root to where fields begin, and its namespace. */
  forma: string;
  /** The stretch that it stands in, as it came, with all that stands beside it. */
  bytes: Uint8Array;
}

/** One thing found in the bytes of a file that is no zip: what `fiscal/ler.ts` returns. */
export type Peca =
  | {
      resultado: 'lida';
      especie: Especie;
      registro: Registro;
      /** The document as it is kept: the whole file when it is the file's root, else its own element, standing alone. */
      bytes: Uint8Array;
      codificacao: Codificacao;
      esquema: VeredictoEsquema;
      assinatura: VeredictoAssinatura;
      prova: Julgamento;
    }
  | {
      /** A document that is known to exist and is awaited: by a list of keys, or by SEFAZ's summary of it. */
      resultado: 'esperado';
      especie: 'Chave' | 'Resumo';
      chave: Chave;
      origem: OrigemDoEsperado;
      /** What the summary says, for people; null for a key of a list. */
      mensagem: string | null;
    }
  | {
      resultado: 'rejeitada';
      especie: Especie;
      chave: Chave | null;
      rejeicao: Rejeicao;
      protocolos?: readonly ProtocoloAvulso[];
      metade?: MetadeDeEvento;
      aEnsinar?: AEnsinar;
    }
  | {
      resultado: 'ignorada';
      especie: 'Outro';
      codigo: string;
      mensagem: string;
      protocolos?: readonly ProtocoloAvulso[];
    };
