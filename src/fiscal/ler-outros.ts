import { compactador, decodeText, type Formato } from './detect.ts';
import { respostaSemDocumentos } from './envelopes/json.ts';
import { readKeyList } from './lista-de-chaves.ts';
import { pareceListaDeNotas } from './nfse/tabelas/parece-lista.ts';
import { type CodigoIgnorado, type CodigoRejeicao, IGNORADOS, REJEICOES, reject } from './rejeicoes.ts';
import type { Peca } from './tipos.ts';

type Arquivo = { bytes: Uint8Array; nome: string };

/** Files that operating systems leave in folders, and so in zips. */
const SYSTEM_FILES = /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$|desktop\.ini$|~\$[^/]*$)/i;
const O_QUE_FAZER: Partial<Record<CodigoRejeicao, string>> = {
  arquivo_vazio: 'Gere o arquivo de novo e envie-o.',
  html_no_lugar_do_xml: 'Baixe o XML de novo e envie-o.',
  pdf_no_lugar_do_xml: 'Envie o XML do documento.',
  imagem_no_lugar_do_xml: 'Envie o XML do documento.',
  sped_nao_aceito: 'Envie os XML dos documentos.',
  arquivo_bancario: 'Envie os XML dos documentos fiscais.',
  planilha_no_lugar_do_xml: 'Envie o XML do documento.',
  compactado_nao_aceito: 'Extraia o conteúdo e envie os XML soltos ou em um arquivo .zip.',
  json_nao_aceito: 'Envie o XML do documento.',
  conteudo_nao_reconhecido: 'Envie o XML do documento, ou um .zip com os XML.',
};

/** Formats that hold no document. */
type FormatoSemLeitor = Exclude<
  Formato,
  'xml' | 'xml_escapado' | 'gzip' | 'gzip_base64' | 'json' | 'nfe_txt'
>;

interface Resposta {
  rejeicao: CodigoRejeicao;
  ignorado: CodigoIgnorado | null;
  /** What it is and what to do, where the codes do not say it well enough. */
  diz?: string;
}

/** True of what is ignored; who is refused is told what to do. */
const NADA_A_FAZER = /; nada a fazer(?: aqui)?\.$/;
const SEM_DOCUMENTO = 'sem documento fiscal dentro; nada a fazer';

/** How each format is answered: refused always, or (`prometido`) only where its name promised a document. */
const RESPOSTAS: Record<Exclude<FormatoSemLeitor, 'lista_de_chaves'>, Resposta> = {
  vazio: { rejeicao: 'arquivo_vazio', ignorado: 'outro_arquivo', diz: 'Arquivo vazio; nada a fazer.' },
  html: {
    rejeicao: 'html_no_lugar_do_xml',
    ignorado: 'outro_arquivo',
    diz: `Página da internet (HTML), ${SEM_DOCUMENTO}.`,
  },
  pdf: { rejeicao: 'pdf_no_lugar_do_xml', ignorado: 'pdf' },
  imagem: { rejeicao: 'imagem_no_lugar_do_xml', ignorado: 'imagem' },
  compactado: { rejeicao: 'compactado_nao_aceito', ignorado: null },
  sped: { rejeicao: 'sped_nao_aceito', ignorado: null },
  banco: {
    rejeicao: 'arquivo_bancario',
    ignorado: 'outro_arquivo',
    diz: 'Arquivo de banco (extrato OFX, remessa ou retorno CNAB), que não é documento fiscal; nada a fazer aqui.',
  },
  office: { rejeicao: 'planilha_no_lugar_do_xml', ignorado: 'planilha' },
  tabela: { rejeicao: 'conteudo_nao_reconhecido', ignorado: 'planilha' },
  certificado: { rejeicao: 'conteudo_nao_reconhecido', ignorado: 'certificado' },
  atalho: {
    rejeicao: 'conteudo_nao_reconhecido',
    ignorado: 'outro_arquivo',
    diz: 'Atalho, não o arquivo para o qual ele aponta. Se ele leva a notas, envie as próprias notas.',
  },
  programa: {
    rejeicao: 'conteudo_nao_reconhecido',
    ignorado: 'outro_arquivo',
    diz: `Programa de computador, ${SEM_DOCUMENTO}.`,
  },
  banco_de_dados: {
    rejeicao: 'conteudo_nao_reconhecido',
    ignorado: 'outro_arquivo',
    diz: 'Banco de dados de um sistema. Se há notas nele, exporte os XML pelo sistema e envie-os.',
  },
  midia: {
    rejeicao: 'conteudo_nao_reconhecido',
    ignorado: 'outro_arquivo',
    diz: `Áudio ou vídeo, ${SEM_DOCUMENTO}.`,
  },
  carta: {
    rejeicao: 'conteudo_nao_reconhecido',
    ignorado: 'outro_arquivo',
    diz: 'Texto comum (leia-me, recado), sem chaves de acesso; nada a fazer.',
  },
  texto: { rejeicao: 'conteudo_nao_reconhecido', ignorado: 'outro_arquivo' },
  sistema: { rejeicao: 'conteudo_nao_reconhecido', ignorado: 'arquivo_de_sistema' },
  binario: { rejeicao: 'conteudo_nao_reconhecido', ignorado: 'outro_arquivo' },
};

/** A page that shows a note, as browsers save it: the print or the consultation, without the document. */
const PAGINA_DE_NOTA = /DANFS?E|NFS-?e\b|NF-?e\b|nota fiscal/i;
const DE_NOTA =
  'Página da internet (HTML) que mostra uma nota fiscal (DANFE, DANFSe ou consulta): não é o documento. Se o XML dela não está no envio, baixe-o no portal (botão XML) e envie-o.';

/** A page is told by its visible words; what stands behind the first megabyte tells nothing more. */
const mostraNota = (bytes: Uint8Array) =>
  PAGINA_DE_NOTA.test(decodeText(bytes.subarray(0, 1 << 20)).replaceAll(/<[^<>]*>/g, ' '));

const LISTA =
  'Lista de notas de serviço em colunas (CSV ou texto), de uma forma que não é lida. No site da prefeitura, exporte as NFS-e em XML: se o leiaute delas não for conhecido, ele se ensina em Leiautes a ensinar.';
const EM_COLUNAS: ReadonlySet<FormatoSemLeitor> = new Set(['tabela', 'texto', 'carta']);

/** What shows notes without being one, and what to send instead. */
function ditoDeNotas(formato: FormatoSemLeitor, bytes: Uint8Array): string | undefined {
  if (formato === 'html' && mostraNota(bytes)) return DE_NOTA;
  return EM_COLUNAS.has(formato) && pareceListaDeNotas(bytes) ? LISTA : undefined;
}

function ignored(codigo: CodigoIgnorado, mensagem: string = IGNORADOS[codigo]): Peca {
  return { resultado: 'ignorada', especie: 'Outro', codigo, mensagem };
}

function refusedFile(codigo: CodigoRejeicao, oQueE: string = REJEICOES[codigo]): Peca {
  const mensagem = `${oQueE.replace(NADA_A_FAZER, '.')} ${O_QUE_FAZER[codigo] ?? ''}`.trim();
  return { resultado: 'rejeitada', especie: 'Outro', chave: null, rejeicao: reject(codigo, mensagem) };
}

/** Which bookkeeping a SPED file is, by its first line. @fonte docs/regras.md, uploads */
const ESCRITURACOES: readonly (readonly [RegExp, string])[] = [
  [/^\|0000\|LECD\|/i, 'ECD (escrituração contábil)'],
  [/^\|0000\|LECF\|/i, 'ECF (escrituração contábil fiscal)'],
  // Version, purpose 0 or 1, then the two dates.
  [/^\|0000\|\d{3}\|[01]\|\d{8}\|\d{8}\|/, 'EFD ICMS/IPI'],
  [/^\|0000\|\d{3}\|[01]\|[0-9]?\|[^|]*\|\d{8}\|\d{8}\|/, 'EFD-Contribuições'],
];

function nameSped(bytes: Uint8Array): string {
  const head = decodeText(bytes.subarray(0, 1024)).replace(/^[\ufeff\s]+/, '');
  const name = ESCRITURACOES.find(([pattern]) => pattern.test(head))?.[1];
  return name
    ? `O arquivo é uma escrituração SPED, ${name}, não um documento fiscal.`
    : REJEICOES.sped_nao_aceito;
}

/** Whether a person meant a file to be a document. Words in a `.txt` are a note to the reader. */
function isPromised(nome: string, formato?: FormatoSemLeitor): boolean {
  const meant = formato === 'carta' ? /\.xml$/i : /\.(?:xml|txt)$/i;
  return meant.test(nome.trim());
}

/** XML that nobody meant to be a document, as its name says: a picture, a stylesheet, a sheet of Excel. */
const ALHEIOS: Partial<Record<string, CodigoIgnorado>> = {
  documento_desconhecido: 'outro_arquivo',
  planilha_no_lugar_do_xml: 'planilha',
};
const DE_OUTRO_TIPO =
  /\.(?:svg|xslt?|xsd|wsdl|rss|atom|kml|gpx|x?html?|xls|xlsx|doc|docx|rels|plist|config|manifest|jrxml|rdl|rpt|url|webloc|library-ms|search-ms|theme)$/i;

/** What is no fiscal document and bears the name of something else is passed over, as a PDF is. */
export function semAlheios(pieces: Peca[], nome: string): Peca[] {
  const [only] = pieces;
  if (pieces.length !== 1 || only?.resultado !== 'rejeitada' || !DE_OUTRO_TIPO.test(nome.trim()))
    return pieces;
  const codigo = only.especie === 'Outro' ? ALHEIOS[only.rejeicao.codigo] : undefined;
  return codigo ? [ignored(codigo)] : pieces;
}

/** Tells what JSON without documents is: an answer of the national NFS-e that found none, or anything else. */
export function tellJson(text: string, { nome }: Arquivo): Peca {
  const status = respostaSemDocumentos(text);
  if (status) {
    return refusedFile(
      'json_nao_aceito',
      `O JSON é a resposta da distribuição de NFS-e sem documentos (${status}).`,
    );
  }
  return isPromised(nome) ? refusedFile('json_nao_aceito') : ignored('outro_arquivo');
}

/**
 * Tells what a file that is no XML is. What a person named `.xml` or `.txt` and is none is refused, for a document
 * was expected of it; companions such as a DANFE are ignored under their own name.
 * @fonte docs/regras.md, uploads
 */
export function tellNonXml(formato: FormatoSemLeitor, { bytes, nome }: Arquivo): Peca[] {
  if (formato === 'lista_de_chaves') return readKeyList(decodeText(bytes), bytes.length);
  if (SYSTEM_FILES.test(nome)) return [ignored('arquivo_de_sistema')];
  if (formato === 'office' && /\.msg$/i.test(nome)) return [refusedFile('conteudo_nao_reconhecido', MSG)];
  const { rejeicao, ignorado, diz } = RESPOSTAS[formato];
  if (formato === 'sped') return [refusedFile(rejeicao, nameSped(bytes))];
  if (formato === 'compactado') return [refusedFile(rejeicao, nameCompactado(bytes))];
  const deNota = ditoDeNotas(formato, bytes);
  if (ignorado !== null && !isPromised(nome, formato))
    return [deNota === LISTA ? ignored('planilha', LISTA) : ignored(ignorado, deNota ?? diz)];
  if (deNota)
    return [{ resultado: 'rejeitada', especie: 'Outro', chave: null, rejeicao: reject(rejeicao, deNota) }];
  return [
    refusedFile(rejeicao, rejeicao === 'conteudo_nao_reconhecido' ? (diz ?? NOMES[formato]) : undefined),
  ];
}

/** What of these could be read was taken apart before. */
const MSG =
  'O arquivo é uma mensagem do Outlook (.msg) danificada ou incompleta: salve os anexos dela e envie-os.';

function nameCompactado(bytes: Uint8Array): string {
  return `O arquivo está compactado em ${compactador(bytes)}, que não é aberto aqui.`;
}

/** What the rest is, where a document was expected. */
const NOMES: Partial<Record<FormatoSemLeitor, string>> = {
  tabela: 'O arquivo é uma tabela (CSV), sem chaves de acesso de 44 posições.',
  certificado: 'O arquivo é um certificado digital; cadastre-o na ficha do cliente.',
};
