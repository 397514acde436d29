import { isSpace, isXmlChar, NAME_BEYOND_ASCII, NAME_CLASS, NAME_START, nameClassOf } from './chars.ts';
import { normalizeAttribute } from './text.ts';

/** A fault of the document, thrown inside the scanner and turned into a value at its door. */
export class Fault extends Error {
  readonly codigo: string;
  /** Byte offset. */
  readonly at: number;
  constructor(at: number, mensagem: string, codigo = 'xml_mal_formado') {
    super(mensagem);
    this.at = at;
    this.codigo = codigo;
  }
}

export interface QName {
  /** '' without one. */
  prefix: string;
  localName: string;
}

/** Longest name, in bytes. Fiscal layouts stay below 50; libxml2 refuses 50,000. */
const MAX_NAME_BYTES = 1000;

// Char codes of the markup: numbers are compared, not strings.
export const BANG = 0x21;
const DOUBLE_QUOTE = 0x22;
const HASH = 0x23;
const APOSTROPHE = 0x27;
export const SLASH = 0x2f;
const COLON = 0x3a;
const SEMICOLON = 0x3b;
export const EQUALS = 0x3d;
export const GREATER_THAN = 0x3e;
export const QUESTION = 0x3f;

/** By the rules, of any encoding. */
export const XML_DECLARATION =
  /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.[0-9]+"|'1\.[0-9]+')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"([A-Za-z][A-Za-z0-9._-]*)"|'([A-Za-z][A-Za-z0-9._-]*)'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>$/;

const ENTITY_NAME = /^(?:amp|lt|gt|quot|apos)$/;

/**
 * A cursor over the bytes of a document that knows its words: names, references, comments, values. Each method
 * starts at `at`, leaves it behind what it read, and throws a {@link Fault} when that is not well-formed.
 */
export class Lexer {
  readonly bytes: Buffer;
  /** The document with one character per byte: its positions are byte offsets. */
  readonly source: string;
  at = 0;
  readonly #names = new Map<string, QName>();
  /** Where the next `&` and the next `]]>` stand, looked for again only once passed: text costs linear time. */
  #nextAmpersand = -1;
  #nextCdataEnd = -1;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.source = bytes.toString('latin1');
  }

  /** Char code (byte) at the cursor; NaN at the end. */
  peek(): number {
    return this.source.charCodeAt(this.at);
  }

  skipSpace(): void {
    while (isSpace(this.source.charCodeAt(this.at))) this.at++;
  }

  xmlDeclaration(): void {
    const end = this.source.indexOf('?>') + 2;
    const declaration = end >= 2 ? XML_DECLARATION.exec(this.source.slice(0, end)) : null;
    if (!declaration) throw new Fault(0, 'A declaração <?xml … ?> no início do arquivo está mal formada.');
    const encoding = declaration[1] ?? declaration[2] ?? 'UTF-8';
    if (!/^utf-?8$/i.test(encoding)) {
      throw new Fault(
        0,
        `A declaração <?xml … ?> diz ${encoding.slice(0, 40)}, mas o conteúdo está em UTF-8.`,
      );
    }
    this.at = end;
  }

  /** Text from the cursor up to the markup at `end`. */
  characterData(end: number): void {
    if (this.#nextCdataEnd < this.at) this.#nextCdataEnd = this.#find(']]>');
    if (this.#nextCdataEnd < end) {
      throw new Fault(this.#nextCdataEnd, 'A sequência "]]>" não é permitida no texto.');
    }
    if (this.#nextAmpersand < this.at) this.#nextAmpersand = this.#find('&');
    while (this.#nextAmpersand < end) {
      this.at = this.#reference(this.#nextAmpersand);
      this.#nextAmpersand = this.#find('&');
    }
    this.at = end;
  }

  #find(text: string): number {
    const found = this.source.indexOf(text, this.at);
    return found < 0 ? Number.POSITIVE_INFINITY : found;
  }

  /** Proves the reference at `at` and returns the offset behind it. */
  #reference(at: number): number {
    const source = this.source;
    if (source.charCodeAt(at + 1) === HASH) return this.#characterReference(at);
    let end = at + 1;
    while (end - at <= 6 && NAME_CLASS[source.charCodeAt(end)] === NAME_START) end++;
    if (source.charCodeAt(end) === SEMICOLON && ENTITY_NAME.test(source.slice(at + 1, end))) return end + 1;
    const bare = source.charCodeAt(end) !== SEMICOLON;
    throw new Fault(
      at,
      bare
        ? 'O caractere & está solto no XML, o que o padrão não permite.'
        : `A entidade &${source.slice(at + 1, end)}; não existe em XML.`,
    );
  }

  #characterReference(at: number): number {
    const source = this.source;
    const hex = source[at + 2] === 'x';
    const digits = hex ? '0123456789abcdef' : '0123456789';
    const first = at + (hex ? 3 : 2);
    let end = first;
    let value = 0;
    for (; end < source.length && source.charCodeAt(end) !== SEMICOLON; end++) {
      const digit = digits.indexOf((source[end] ?? '').toLowerCase());
      if (digit < 0) throw new Fault(at, 'Referência numérica (&#…;) mal formada.');
      value = Math.min(value * digits.length + digit, 0x110000);
    }
    if (end === first || end >= source.length) throw new Fault(at, 'Referência numérica (&#…;) mal formada.');
    if (!isXmlChar(value)) {
      throw new Fault(at, 'A referência numérica indica um caractere que o XML não permite.');
    }
    return end + 1;
  }

  commentOrCdata(): void {
    const at = this.at;
    if (this.commentOrPi()) return;
    if (!this.source.startsWith('<![CDATA[', at)) {
      throw new Fault(at, 'Marca "<!" desconhecida dentro do documento.');
    }
    const end = this.source.indexOf(']]>', at);
    if (end < 0) throw new Fault(at, 'A seção CDATA não termina (falta "]]>").');
    this.at = end + 3;
  }

  /** Reads a comment or processing instruction; false when neither stands here. */
  commentOrPi(): boolean {
    if (this.source.startsWith('<!--', this.at)) this.#comment();
    else if (this.source.startsWith('<?', this.at)) this.processingInstruction();
    else return false;
    return true;
  }

  #comment(): void {
    const at = this.at;
    const end = this.source.indexOf('--', at + 4);
    if (end < 0) throw new Fault(at, 'O comentário não termina (falta "-->").');
    if (this.source.charCodeAt(end + 2) !== GREATER_THAN) {
      throw new Fault(end, 'A sequência "--" não é permitida dentro de um comentário.');
    }
    this.at = end + 3;
  }

  processingInstruction(): void {
    const at = this.at;
    this.at += 2;
    const { prefix, localName } = this.qname('uma instrução de processamento');
    if (prefix !== '')
      throw new Fault(at, 'O nome de uma instrução de processamento não pode ter dois-pontos.');
    if (localName.toLowerCase() === 'xml') {
      throw new Fault(at, 'A declaração <?xml … ?> só é permitida no início do arquivo.');
    }
    const end = this.source.indexOf('?>', this.at);
    if (end < 0) throw new Fault(at, 'A instrução de processamento não termina (falta "?>").');
    if (end > this.at && !isSpace(this.source.charCodeAt(this.at))) {
      throw new Fault(at, 'Instrução de processamento mal formada.');
    }
    this.at = end + 2;
  }

  attributeValue(localName: string): string {
    const source = this.source;
    const quote = source.charCodeAt(this.at);
    if (quote !== DOUBLE_QUOTE && quote !== APOSTROPHE) {
      throw new Fault(this.at, `O valor do atributo ${localName.slice(0, 60)} não está entre aspas.`);
    }
    const from = this.at + 1;
    const to = source.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", from);
    if (to < 0) throw new Fault(this.at, `O valor do atributo ${localName.slice(0, 60)} não termina.`);
    const value = source.slice(from, to);
    const less = value.indexOf('<');
    if (less >= 0) throw new Fault(from + less, 'O caractere < não é permitido no valor de um atributo.');
    for (let at = value.indexOf('&'); at >= 0; at = value.indexOf('&', at + 1)) this.#reference(from + at);
    this.at = to + 1;
    return normalizeAttribute(this.bytes.toString('utf8', from, to));
  }

  qname(what: string): QName {
    const from = this.at;
    let end = this.#nameEnd(from);
    let colon = -1;
    if (this.source.charCodeAt(end) === COLON) {
      colon = end;
      end = this.#nameEnd(colon + 1);
    }
    const bad = end === from || colon === from || end === colon + 1 || this.source.charCodeAt(end) === COLON;
    if (bad || end - from > MAX_NAME_BYTES)
      throw new Fault(from, `O nome de ${what} está ausente ou mal formado.`);
    this.at = end;
    const raw = this.source.slice(from, end);
    const known = this.#names.get(raw);
    if (known) return known;
    const prefix = colon < 0 ? '' : this.bytes.toString('utf8', from, colon);
    const name = { prefix, localName: this.bytes.toString('utf8', colon < 0 ? from : colon + 1, end) };
    this.#names.set(raw, name);
    return name;
  }

  /** Offset behind the NCName at `from`; `from` itself when none starts there. */
  #nameEnd(from: number): number {
    const source = this.source;
    let at = from;
    for (;;) {
      const kind = NAME_CLASS[source.charCodeAt(at)];
      if (!kind) return at;
      if (kind === NAME_BEYOND_ASCII) {
        const codePoint = this.bytes.toString('utf8', at, at + 4).codePointAt(0) ?? 0;
        const resolved = nameClassOf(codePoint);
        if (resolved === 0 || (at === from && resolved !== NAME_START)) return at;
        at += Buffer.byteLength(String.fromCodePoint(codePoint));
      } else {
        if (at === from && kind !== NAME_START) return at;
        at++;
      }
    }
  }
}

/** Whether the text is a name without colon. */
export function isNcName(text: string): boolean {
  let first = true;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    const kind = code < 0x80 ? NAME_CLASS[code] : nameClassOf(code);
    if (!kind || (first && kind !== NAME_START)) return false;
    first = false;
  }
  return !first;
}

/** Start tag of a name as written, for a message. */
export function shown(latin1Name: string): string {
  return `<${Buffer.from(latin1Name.slice(0, 80), 'latin1').toString('utf8')}>`;
}
