/**
 * A layout of municipal notes as data: nothing but texts and lists, so that it can be written to a JSON file, sent to
 * somebody and checked like one of ours. Which layouts there are is in `tabela.ts`, what reads by them in `ler-nota.ts`;
 * `caminho.ts` tells how places are written. Where a list of places is given, the first that has something counts.
 */

/** Bytes of a file with a description: the longest of ours has 6,000. */
export const LEIAUTE_BYTES_MAX = 64_000;

/** How the note is told from other elements. */
export interface NotaDescrita {
  /** Names of the element that is one note. */
  elemento: readonly string[];
  /** Names of elements around that are kept with it, as long as they hold this note alone. */
  envoltorio?: readonly string[];
  /** Names of what may stand beside it in an element of any name, which is kept with it then. */
  aoLado?: readonly string[];
  /** Names of which one stands right around it. */
  dentroDe?: readonly string[];
  /** What the namespace of it or of an element around has in it. */
  namespace?: readonly string[];
  /** Places below it, all of which are there. */
  tem: readonly string[];
  /** Places below it, none of which is there. */
  naoTem?: readonly string[];
  /**
   * Its elements are written by cities alone, never in a request, and what is missing in them is a fault of the document,
   * not a dialect that is not known.
   */
  norma?: boolean;
}

/** A party: where its CPF or CNPJ stands, and its name. */
export interface ParteDescrita {
  cpfCnpj: readonly string[];
  nome?: readonly string[];
  /** Lines of text in which `CNPJ: …` or `CPF: …` stands. */
  noTexto?: readonly string[];
}

/**
 * Something that says whether the note was cancelled:
 * `situacao` a word or one of these codes; `sim_nao` yes or no; `data` a date, or one that stands for none; `motivo` a text;
 * `confirmacao` a group as ABRASF has it, with the request and its time; `substituta` the number of the note that
 * took its place.
 */
export type SinalDescrito =
  | {
      tipo: 'situacao';
      campos: readonly string[];
      cancelada?: readonly string[];
      substituida?: readonly string[];
      normal?: readonly string[];
      /** Of texts of one or two letters, only these mean something: the others are told, and not guessed. */
      soCodigos?: boolean;
    }
  | { tipo: 'sim_nao' | 'data' | 'motivo' | 'confirmacao' | 'substituta'; campos: readonly string[] };

/** What the file says around its notes, of all of them. Places are names from an element around: `Cabecalho/CodCidade`. */
export interface AoRedor {
  cpfCnpj?: readonly string[];
  nome?: readonly string[];
  inscricao?: readonly string[];
  municipio?: readonly string[];
  /**
   * The one who is named there may only have asked: it is the prestador where the note has the same name, or, for a
   * company, no other inscription.
   */
  confere?: { nome: readonly string[]; inscricao: readonly string[] };
}

export interface MunicipioDescrito {
  /** Code of the city that issued. */
  codigo?: readonly string[];
  /** Codes of up to four digits are of the Receita's table (TOM, SIAFI). */
  daReceita?: boolean;
  /** Its name, and the place of its state. A name may end in its state (`CUBATAO - SP`). */
  nome?: readonly string[];
  uf?: readonly string[];
  /** The only city that has this layout. */
  fixo?: string;
  /** Cities that are told by the namespace. */
  porNamespace?: readonly { contem: string; municipio: string }[];
  /** Codes of the layout's own. */
  proprios?: Readonly<Record<string, string>>;
}

/** A layout. */
export interface Leiaute {
  /** Lower case letters, digits and `-`. */
  id: string;
  nome: string;
  /** Where its fields are published or were seen. */
  fonte: string;
  nota: NotaDescrita;
  /** Further groups whose fields are not the note's own. */
  grupos?: readonly string[];
  numero: readonly string[];
  /** Series of the note's own numbering: part of its key. */
  serie?: readonly string[];
  /** Series of the RPS, shown where the note has none of its own. */
  serieDoRps?: readonly string[];
  /** The prestador's number with the city, where the city numbers by it: part of its key. */
  inscricao?: readonly string[];
  codigo?: readonly string[];
  /** `ordem`: of day and month where the year comes last; that of Brazil where it is not said. */
  data: { campos: readonly string[]; hora?: readonly string[]; ordem?: 'dia_mes' | 'mes_dia' };
  competencia?: readonly string[];
  prestador: ParteDescrita;
  tomador?: ParteDescrita;
  intermediario?: ParteDescrita;
  aoRedor?: AoRedor;
  valor: readonly string[];
  /** Amounts of items or services, added where the note gives no total, or has one for each of several services. */
  soma?: readonly string[];
  /** Taken for the value, and told, where the note has no other. */
  base?: readonly string[];
  municipio?: MunicipioDescrito;
  /** City where the service was rendered. */
  prestacao?: readonly string[];
  situacao?: readonly SinalDescrito[];
  /** Number of the note that this one replaces. */
  substitui?: readonly string[];
  chaveNacional?: readonly string[];
  /** The national key is the note's own key. */
  chaveNacionalDaNota?: boolean;
  /** Says that the note was a test. */
  teste?: readonly string[];
  /** Says the environment as SEFAZ does: 2 is a test. */
  ambiente?: readonly string[];
  versao?: readonly string[];
  /** Names of what a city changes after issuing, further to those of all layouts. */
  mutaveis?: readonly string[];
  /**
   * What to tell of a note whose prestador is nowhere: that it is an export without one, and what to send instead.
   * `{numero}` stands for the number, `{ato}` for `da emissão` or `do cancelamento`.
   */
  semPrestador?: { codigo: 'nfse_sem_prestador' | 'mensagem_sem_documento'; mensagem: string };
}

/** Groups that stand for something else than the note in every layout. */
export const GRUPOS_DE_OUTROS: readonly string[] = [
  'prestador',
  'prestadorservico',
  'dadosprestador',
  'identificacaoprestador',
  'emitente',
  'prest',
  'tomador',
  'tomadorservico',
  'dadostomador',
  'identificacaotomador',
  'destinatario',
  'toms',
  'toma',
  'intermediario',
  'intermediarioservico',
  'identificacaointermediario',
  'itens',
  'itensservico',
  'item',
  'lista',
  'listaservicos',
  'deducoes',
  'tbfatura',
  'tbservico',
  'formapagamento',
  'rps',
  'identificacaorps',
  'endereco',
  'enderecoprestador',
  'enderecotomador',
  'contato',
  'signature',
];

/** What changes in a note after issuing, by whatever name: its situation, links that expire, the key it gets nationally. */
export const MUTAVEIS_DE_TODOS: readonly string[] = [
  'situacaocodigonfse',
  'situacaodescricaonfse',
  'situacaonfse',
  'situacaonfsedescricao',
  'situacaonf',
  'situacaorps',
  'situacao',
  'sitnf',
  'sitcod',
  'statusnfse',
  'tsstatusnfse',
  'statusnfe',
  'statusnfpse',
  'status',
  'tipolancamento',
  'cancelada',
  'iscancelada',
  'notacancelada',
  'flcancelada',
  'anulada',
  'datacancelamento',
  'dtcancelamento',
  'datacncnf',
  'datahoracancelamento',
  'motcancelamento',
  'motivocancelamento',
  'dsmotivocancelamento',
  'dscancelamento',
  'descricaocancelamento',
  'motcncnf',
  'motivocncnf',
  'cancelamento',
  'cancelamentonfe',
  'cancelamentonfse',
  'nfsecancelamento',
  'nfsesubstituicao',
  'chaveacessonfsenacional',
  'chavenotanacional',
  'chaveadn',
  'linknfse',
];

/** What speaks of cancelling by its own name, in layouts that do not name it: words count, codes do not, and a reason is told. */
export const SINAIS_DE_TODOS: readonly SinalDescrito[] = [
  {
    tipo: 'situacao',
    campos: [
      '//situacaonfse|situacaonf|situacaonota|situacao|statusnfse|tsstatusnfse|statusnfe|statusnf|statusnota|status|descricaosituacao|descricaostatus|situacaodescricao|statusdescricao',
      '//dssituacao|descsituacao|dsstatus|descstatus|sitnota|sitnf|sitnfse',
      '//situacaonfse|situacaonota|situacao|statusnfse|statusnota|status/descricao',
    ],
  },
  {
    tipo: 'sim_nao',
    campos: [
      '//cancelada|iscancelada|notacancelada|cancelamento|nfsecancelada|nfcancelada|isnfsecancelada|isnotacancelada|flcancelada|flagcancelada|flagcancelamento|indicadorcancelamento|anulada|isanulada|notaanulada',
    ],
  },
  {
    tipo: 'data',
    campos: [
      '//datacancelamento|dtcancelamento|dhcancelamento|datahoracancelamento|dthrcancelamento|datacancelamentonfse|datacancelamentonota|datacancelada|dtcanc|datacanc|dtcancel|datacancel',
    ],
  },
  {
    tipo: 'motivo',
    campos: [
      '//motivocancelamento|motcancelamento|mtcancelamento|dsmotivocancelamento|descricaocancelamento|dscancelamento|justificativacancelamento|motcanc|motivocanc|codigocancelamento|usuariocancelamento|protocolocancelamento',
    ],
  },
  {
    tipo: 'confirmacao',
    campos: [
      '//nfsecancelamento|cancelamentonfse|cancelamentonfe|cancelamentonota|dadoscancelamento|infcancelamento|cancelamento',
    ],
  },
  {
    tipo: 'substituta',
    campos: [
      '//substituidapor|notasubstituta|nfsesubstituta|numeronotasubstituta|numeronfsesubstituta|notasubstituidora|nfsesubstituidora|numeronotasubstituidora|numeronfsesubstituidora',
    ],
  },
];

const IDS = 'cpfcnpj|cnpjcpf|cnpj|cpf|nrcnpj|nrdocumento|documento|numerodocumento';
const NOMES = 'razaosocial|nomerazaosocial|nome';

/** Parties by names that can mean nobody else, for where a layout has them and a city wrote them otherwise. */
export const PARTES_DE_TODOS: Readonly<Record<'prestador' | 'tomador' | 'intermediario', ParteDescrita>> = {
  prestador: {
    cpfCnpj: [
      `.//prestadorservico|prestador|dadosprestador|infprestador|identificacaoprestador/${IDS}`,
      `.//prestadorservico|prestador|dadosprestador|infprestador|identificacaoprestador/identificacaoprestador|cpfcnpj|cnpjcpf|documento/${IDS}`,
      `.//identificacaoprestador/cpfcnpj|cnpjcpf|documento/${IDS}`,
      `.//prestadorservico|prestador|dadosprestador|infprestador/identificacaoprestador/cpfcnpj|cnpjcpf|documento/${IDS}`,
      './cpfcnpjprestador|cnpjcpfprestador|cnpjprestador|cpfprestador|prestadorcpfcnpj|prestadorcnpjcpf|prestadorcnpj',
    ],
    nome: [`.//prestadorservico|prestador|dadosprestador|infprestador/${NOMES}`],
  },
  tomador: {
    cpfCnpj: [
      `.//tomadorservico|tomador|dadostomador|inftomador|identificacaotomador/${IDS}`,
      `.//tomadorservico|tomador|dadostomador|inftomador/identificacaotomador|cpfcnpj|cnpjcpf|documento/${IDS}`,
      `.//identificacaotomador/cpfcnpj|cnpjcpf|documento/${IDS}`,
      `.//tomadorservico|tomador|dadostomador|inftomador/identificacaotomador/cpfcnpj|cnpjcpf|documento/${IDS}`,
      './cpfcnpjtomador|cnpjcpftomador|cnpjtomador|cpftomador|tomadorcpfcnpj|tomadorcnpjcpf|tomadorcnpj|tomadorcpf',
    ],
    nome: [`.//tomadorservico|tomador|dadostomador|inftomador/${NOMES}`],
  },
  intermediario: {
    cpfCnpj: [
      `.//intermediarioservico|intermediario|dadosintermediario|identificacaointermediario/${IDS}`,
      `.//intermediarioservico|intermediario|dadosintermediario/identificacaointermediario|cpfcnpj|cnpjcpf|documento/${IDS}`,
      `.//intermediarioservico|intermediario|dadosintermediario/identificacaointermediario/cpfcnpj|cnpjcpf|documento/${IDS}`,
      './cpfcnpjintermediario|cnpjintermediario|intermediariocpfcnpj',
    ],
    nome: [`.//intermediarioservico|intermediario|dadosintermediario/${NOMES}`],
  },
};
