/** Lists of access keys as people send them: one key a line, or a column of a table, with or without a heading above. */
import { hasValidCheckDigit, parseChave44 } from './chave.ts';
import { keysIn, tooManyText } from './pecas.ts';
import { type CodigoRejeicao, reject } from './rejeicoes.ts';
import { tabela } from './tabela.ts';
import { MODELOS, type Peca } from './tipos.ts';

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

/** A line that could have been meant as an access key: its characters only, with the groups people print it in. */
const LINHA_DE_CHAVE = /^[0-9A-Za-z .\-/]{1,80}$/;
/** Longer than a key in any grouping. */
const FIELD_MAX = 80;
/** What stands between columns, and what spreadsheets put around a value. */
const BETWEEN_FIELDS = /[;,\t|"']+/;

/** Enough digits in a row for somebody to have meant a key: 44 positions, or the 50 of a national NFS-e. */
const KEY_LIKE = /^(?:NFe|CTe|CFe|NFS|NFCom|NF3e|NFAg|NFGas)?[0-9]{6}[0-9A-Z]{15}[0-9]{23}(?:[0-9]{6})?$/i;
/** A key with digits too few or too many. */
const NEARLY_A_KEY = /^[0-9]{6}[0-9A-Z]{12}[0-9]{12,40}$/;
/** A key that a spreadsheet took for a number: of its digits the first few are left. */
const ROUNDED = /^\d(?:[.,]\d+)?E\+(?:4[0-9])$/i;

/** A key among words: behind a number, `Chave:`, in the address of a QR code. */
const AMONG_WORDS = /(?<![0-9A-Za-z])(?:NFe|CTe|CFe)?([0-9]{6}[0-9A-Za-z]{15}[0-9]{23})(?![0-9A-Za-z])/g;
const WORDS_MAX = 4_000;

/** Lines of a list of keys: fifty times the longest that portals take; an attack is millions of one digit. */
export const LIST_LINES_LIMIT = 100_000;
/** Lines of another kind that a list may have: a greeting, headings, a sum. */
const OTHER_LINES = 10;
/** In longer ones, of its lines with keys. */
const OTHER_LINES_SHARE = 0.2;

interface Linha {
  texto: string;
  /** Fields that have the form of a key, or were meant to have. */
  chaves: string[];
  temColunas: boolean;
  /** They stand in it among words. */
  emPalavras?: true;
}

/** Lines of a text, of more than {@link LIST_LINES_LIMIT} the first, and one more. */
function firstLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/, LIST_LINES_LIMIT + 1);
}

/** Takes grouping and a literal such as `NFe` off a key, upper case. */
function bareChave(text: string): string {
  return text
    .replace(/[\s.\-/]/g, '')
    .replace(/^(?:NFe|CTe|CFe|NFS|NFCom|NF3e|NFAg|NFGas)/i, '')
    .toUpperCase();
}

function isMeant(field: string): boolean {
  if (field.length > FIELD_MAX) return false;
  const bare = bareChave(field);
  return KEY_LIKE.test(bare) || NEARLY_A_KEY.test(bare) || ROUNDED.test(field);
}

function lineOf(raw: string): Linha {
  const texto = raw.trim();
  // With a comma in it a rounded key is one field all the same.
  if (ROUNDED.test(texto)) return { texto, chaves: [texto], temColunas: false };
  const fields = texto.split(BETWEEN_FIELDS).map((field) => field.trim());
  const told = fields.filter((field) => field !== '');
  const line: Linha = { texto, chaves: told.filter(isMeant), temColunas: told.length > 1 };
  if (isOneKey(line)) return line;
  const found = amongWords(texto);
  return found.length > 0 ? { texto, chaves: found, temColunas: true, emPalavras: true } : line;
}

/** The keys in words: with a good check digit and of a kind that is read, for other numbers have as many digits. */
function amongWords(texto: string): string[] {
  const found = [...texto.slice(0, WORDS_MAX).matchAll(AMONG_WORDS)].map(([, key = '']) => key);
  return found.filter((key) => {
    const chave = parseChave44(key.toUpperCase());
    return chave !== null && hasValidCheckDigit(chave) && MODELOS_ESPERADOS.includes(chave.slice(20, 22));
  });
}

function isOneKey({ chaves }: Linha): boolean {
  return chaves.some((field) => KEY_LIKE.test(bareChave(field)));
}

/** Whether a text is a list of keys, whatever stands above, below and beside them. */
export function isKeyList(text: string): boolean {
  const lines = firstLines(text)
    .map(lineOf)
    .filter(({ texto }) => texto !== '');
  const keyed = lines.filter(isOneKey);
  if (keyed.length === 0) return false;
  const others = lines.filter(({ chaves }) => chaves.length === 0);
  return (
    others.length <= Math.max(OTHER_LINES, keyed.length * OTHER_LINES_SHARE) ||
    (!keyed.every(({ emPalavras }) => emPalavras) && others.every(({ texto }) => LINHA_DE_CHAVE.test(texto)))
  );
}

function refusedLine(codigo: CodigoRejeicao, mensagem: string, linha: number): Peca {
  return { resultado: 'rejeitada', especie: 'Chave', chave: null, rejeicao: reject(codigo, mensagem, linha) };
}

/**
 * Reads one key of a list. Only keys of 44 positions are noted: the NFS-e has no numbering in which one could be
 * missing, so a key of 50 would be noted for nobody.
 */
function readKey(text: string, linha: number): Peca {
  const bare = bareChave(text);
  const chave = parseChave44(bare);
  if (ROUNDED.test(text)) {
    return refusedLine(
      'chave_invalida',
      `Linha ${linha}: a planilha trocou a chave por um número arredondado (${text.slice(0, 30)}). Formate a coluna como texto, preencha-a de novo e envie a lista.`,
      linha,
    );
  }
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
      `Linha ${linha}: "${text.slice(0, 60)}" não é chave de acesso de 44 posições. Corrija a linha e envie a lista de novo.`,
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

/** What of a line is to be read: its keys; the line itself where it stands among bare keys and could be a wrong one. */
function keysOf(line: Linha, amongBareKeys: boolean): string[] {
  if (line.chaves.length > 0) return line.chaves;
  return amongBareKeys && /\d/.test(line.texto) && LINHA_DE_CHAVE.test(line.texto) ? [line.texto] : [];
}

/**
 * Reads a list of access keys: each good one is an expected document; a key told twice counts once. Headings and other
 * lines without a key are passed over.
 */
export function readKeyList(text: string, bytes: number): Peca[] {
  const limit = keysIn(bytes);
  const seen = new Set<string>();
  const pieces: Peca[] = [];
  const lines = firstLines(text.replace(/^\ufeff+/, ''));
  if (lines.length > LIST_LINES_LIMIT) return [refusedLine('pecas_demais', tooManyText(LIST_LINES_LIMIT), 1)];
  let amongBareKeys = false;
  for (const [index, raw] of lines.entries()) {
    const line = lineOf(raw);
    if (isOneKey(line)) amongBareKeys = !line.temColunas;
    for (const text of keysOf(line, amongBareKeys)) {
      const piece = readKey(text, index + 1);
      if (piece.resultado === 'esperado') {
        if (seen.has(piece.chave)) continue;
        seen.add(piece.chave);
      }
      if (pieces.length >= limit) return [refusedLine('pecas_demais', tooManyText(limit), index + 1)];
      pieces.push(piece);
    }
  }
  return pieces;
}
