import { hasValidCheckDigit, parseChave44 } from './chave.ts';
import { bareChave, bareLine, decodeText, type Formato, firstLines, LIST_LINES_LIMIT } from './detect.ts';
import { respostaSemDocumentos } from './envelopes/json.ts';
import { keysIn, tooManyText } from './pecas.ts';
import { type CodigoIgnorado, type CodigoRejeicao, IGNORADOS, REJEICOES, reject } from './rejeicoes.ts';
import { tabela } from './tabela.ts';
import { MODELOS, type Peca } from './tipos.ts';

type Arquivo = { bytes: Uint8Array; nome: string };

/** Files that operating systems leave in folders, and so in zips. */
const SYSTEM_FILES = /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;
/** Models whose key may stand in a list of expected documents. @fonte docs/regras.md, kinds */
const MODELOS_ESPERADOS: readonly string[] = MODELOS;

/** Kinds whose keys look the same and that are not read. */
const NOMES_DOS_OUTROS: Readonly<Record<string, string>> = tabela({
  '58': 'MDF-e (modelo 58)',
  '63': 'BP-e (modelo 63)',
  '99': 'DC-e (modelo 99)',
});

/** National NFS-e. @fonte XSD TSIdNFSe 1.01 */
const CHAVE_NFSE = /^[0-9]{9}[0-9A-Z]{12}[0-9]{29}$/;

const O_QUE_FAZER: Partial<Record<CodigoRejeicao, string>> = {
  arquivo_vazio: 'Gere o arquivo de novo e envie-o.',
  html_no_lugar_do_xml: 'Baixe o XML de novo e envie-o.',
  pdf_no_lugar_do_xml: 'Envie o XML do documento.',
  imagem_no_lugar_do_xml: 'Envie o XML do documento.',
  sped_nao_aceito: 'Envie os XML dos documentos.',
  arquivo_bancario: 'Envie os XML dos documentos fiscais.',
  planilha_no_lugar_do_xml: 'Envie o XML do documento.',
  compactado_nao_aceito: 'Envie os XML soltos ou em um arquivo .zip.',
  json_nao_aceito: 'Envie o XML do documento.',
  conteudo_nao_reconhecido: 'Envie o XML do documento, ou um .zip com os XML.',
};

/** Formats that hold no document. */
export type FormatoSemLeitor = Exclude<
  Formato,
  'xml' | 'xml_escapado' | 'gzip' | 'gzip_base64' | 'json' | 'nfe_txt'
>;

/** How each format is answered: refused always, or (`prometido`) only where its name promised a document. */
const RESPOSTAS: Record<
  Exclude<FormatoSemLeitor, 'lista_de_chaves'>,
  { rejeicao: CodigoRejeicao; ignorado: CodigoIgnorado | null }
> = {
  vazio: { rejeicao: 'arquivo_vazio', ignorado: 'outro_arquivo' },
  html: { rejeicao: 'html_no_lugar_do_xml', ignorado: 'outro_arquivo' },
  pdf: { rejeicao: 'pdf_no_lugar_do_xml', ignorado: 'pdf' },
  imagem: { rejeicao: 'imagem_no_lugar_do_xml', ignorado: 'imagem' },
  rar: { rejeicao: 'compactado_nao_aceito', ignorado: null },
  '7z': { rejeicao: 'compactado_nao_aceito', ignorado: null },
  sped: { rejeicao: 'sped_nao_aceito', ignorado: null },
  banco: { rejeicao: 'arquivo_bancario', ignorado: 'outro_arquivo' },
  office: { rejeicao: 'planilha_no_lugar_do_xml', ignorado: 'outro_arquivo' },
  texto: { rejeicao: 'conteudo_nao_reconhecido', ignorado: 'outro_arquivo' },
  sistema: { rejeicao: 'conteudo_nao_reconhecido', ignorado: 'arquivo_de_sistema' },
  binario: { rejeicao: 'conteudo_nao_reconhecido', ignorado: 'outro_arquivo' },
};

function ignored(codigo: CodigoIgnorado): Peca {
  return { resultado: 'ignorada', especie: 'Outro', codigo, mensagem: IGNORADOS[codigo] };
}

function refusedFile(codigo: CodigoRejeicao, oQueE: string = REJEICOES[codigo]): Peca {
  const mensagem = `${oQueE} ${O_QUE_FAZER[codigo] ?? ''}`.trim();
  return { resultado: 'rejeitada', especie: 'Outro', chave: null, rejeicao: reject(codigo, mensagem) };
}

function refusedLine(codigo: CodigoRejeicao, mensagem: string, linha: number): Peca {
  return { resultado: 'rejeitada', especie: 'Chave', chave: null, rejeicao: reject(codigo, mensagem, linha) };
}

/**
 * Reads one line of a list. Only keys of 44 positions are noted: the NFS-e has no numbering in which one could be
 * missing, so a key of 50 would be noted for nobody.
 */
function readLine(line: string, linha: number): Peca {
  const bare = bareChave(line);
  const chave = parseChave44(bare);
  if (CHAVE_NFSE.test(bare)) {
    return refusedLine(
      'documento_nao_suportado',
      `Linha ${linha}: "${bare}" é chave de NFS-e (50 posições), que não entra em lista de chaves. Envie o XML da NFS-e.`,
      linha,
    );
  }
  if (!chave) {
    return refusedLine(
      'chave_invalida',
      `Linha ${linha}: "${line.slice(0, 60)}" não é chave de acesso de 44 posições. Corrija a linha e envie a lista de novo.`,
      linha,
    );
  }
  if (!hasValidCheckDigit(chave)) {
    return refusedLine(
      'chave_com_dv_invalido',
      `Linha ${linha}: o dígito verificador da chave ${chave} não confere. Corrija a linha e envie a lista de novo.`,
      linha,
    );
  }
  const modelo = chave.slice(20, 22);
  if (!MODELOS_ESPERADOS.includes(modelo)) {
    return refusedLine(
      'documento_nao_suportado',
      `Linha ${linha}: a chave ${chave} é de ${NOMES_DOS_OUTROS[modelo] ?? `um documento do modelo ${modelo}`}, que não é aceito.`,
      linha,
    );
  }
  return { resultado: 'esperado', especie: 'Chave', chave, origem: 'lista', mensagem: null };
}

/** Reads a list of access keys, one a line: each good one is an expected document; a key told twice counts once. */
function readKeyList(bytes: Uint8Array): Peca[] {
  const limit = keysIn(bytes.length);
  const seen = new Set<string>();
  const pieces: Peca[] = [];
  const lines = firstLines(decodeText(bytes).replace(/^\ufeff+/, ''));
  if (lines.length > LIST_LINES_LIMIT) return [refusedLine('pecas_demais', tooManyText(LIST_LINES_LIMIT), 1)];
  for (const [index, raw] of lines.entries()) {
    const line = bareLine(raw);
    if (line === '') continue;
    const piece = readLine(line, index + 1);
    if (piece.resultado === 'esperado') {
      if (seen.has(piece.chave)) continue;
      seen.add(piece.chave);
    }
    if (pieces.length >= limit) return [refusedLine('pecas_demais', tooManyText(limit), index + 1)];
    pieces.push(piece);
  }
  return pieces;
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

function isPromised(nome: string): boolean {
  return /\.(?:xml|txt)$/i.test(nome.trim());
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
  if (formato === 'lista_de_chaves') return readKeyList(bytes);
  if (SYSTEM_FILES.test(nome)) return [ignored('arquivo_de_sistema')];
  const { rejeicao, ignorado } = RESPOSTAS[formato];
  if (formato === 'sped') return [refusedFile(rejeicao, nameSped(bytes))];
  return [ignorado === null || isPromised(nome) ? refusedFile(rejeicao) : ignored(ignorado)];
}
