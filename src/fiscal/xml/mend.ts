import { CONTROL_BYTES, isSpace, NON_CHARACTERS } from './chars.ts';
import { BANG, EQUALS, Fault, GREATER_THAN, Lexer, QUESTION, SLASH, shown } from './lexer.ts';
import { declarationFault, XML_NAMESPACE } from './namespaces.ts';
import { ScopedMap } from './scoped-map.ts';

/**
 * What to do about XML that is not well-formed. Never to mend it by hand: a signature would not hold any more, and what
 * the issuer has would be another document.
 */
export const PECA_DE_NOVO =
  'Baixe o XML de novo, ou peça-o a quem o emitiu: um XML assinado não pode ser editado.';

/** A fault of the original, at a byte offset of the mended copy. */
export interface Falha {
  at: number;
  mensagem: string;
  /** A tag that is missing, or is none: which element stands in which is not sure around it. */
  deEstrutura?: true;
}

/** The faults of a stretch, found again by place. */
export class Falhas {
  readonly todas: readonly Falha[];
  /** @param todas in the order of their places */
  constructor(todas: readonly Falha[]) {
    this.todas = todas;
  }

  /** The first one in a range of bytes. */
  in({ start, end }: { start: number; end: number }): Falha | null {
    const first = this.todas[countWhere(this.todas, ({ at }) => at < start)];
    return first && first.at < end ? first : null;
  }
}

/** A copy in which every fault is out of the way, and what it was. */
export interface Consertado {
  bytes: Buffer;
  /** In the order of their places; at least one. */
  falhas: readonly Falha[];
  /** The place in the original of a place in the copy. */
  original(offset: number): number;
}

/** A file with more is no list with a fault in it. */
const FAULTS_MAX = 10_000;
const SPACE = 0x20;
const UNDERSCORE = 0x5f;
const LONE_LESS_THAN = 'O caractere < está solto no XML, o que o padrão não permite.';
/** What a stray `<` may have been the beginning of: a tag, written or closed wrongly, or what hides tags. */
const TAG_OR_COMMENT = /^<(?:[!?]|\s*\/?\s*[A-Za-z_\u0080-\u00ff][^<>]*>|[A-Za-z_\u0080-\u00ff/])/;
const TAG_MAX = 200;
const NAME_START = /[A-Za-z_\u0080-\u00ff]/;

interface Open {
  /** As written. */
  name: string;
  start: number;
  contentStart: number;
  /** Where the first element in it begins; -1: there is none. */
  firstInside: number;
  /** Whether an element was opened and closed in it: it is part of the structure, not a stray mark in a text. */
  holds: boolean;
  /** Its prefix was not declared; its colon has become part of its name. */
  unbound: boolean;
}

/**
 * Makes a well-formed copy of XML that is malformed in places, so that what is well-formed by itself can be found in it.
 * What stands in an element that holds a fault is of no worth afterwards: only the place of the fault is. Nothing of an
 * element without one is touched.
 *
 * Faults become blanks of the same length; an element that is not closed is closed where the one around it ends, or behind its
 * text where it has one. The copy
 * is yet to be scanned: limits, and rules that are not looked at here, are the scanner's. In one pass over the bytes.
 * @param bytes valid UTF-8; one or more roots, without anything before the first
 * @returns null where there is a DOCTYPE, where there are too many faults or none that is known here
 */
export function mendXml(bytes: Uint8Array): Consertado | null {
  return new Mender(Buffer.from(bytes)).run();
}

/** Ends the mending. */
class TooMany extends Error {}

class Mender {
  readonly #out: Buffer;
  readonly #lexer: Lexer;
  readonly #bindings = new ScopedMap();
  readonly #open: Open[] = [];
  /** How many of each name are open: an end tag whose element is not open need not be looked for. */
  readonly #opened = new Map<string, number>();
  readonly #insertions: { at: number; text: string }[] = [];
  readonly #faults: Falha[] = [];
  readonly #next = new Map<string, number>();
  /** Attributes of the tag that is being read whose prefixes it may yet declare. */
  #pending: { at: number; prefix: string }[] = [];

  /** @param copy becomes what is given back */
  constructor(copy: Buffer) {
    this.#blankIllegal(copy);
    this.#out = copy;
    this.#lexer = new Lexer(Buffer.from(copy));
    this.#bindings.set('xml', XML_NAMESPACE);
  }

  run(): Consertado | null {
    try {
      return this.#isMended() && this.#faults.length > 0 ? this.#mended() : null;
    } catch (error) {
      if (error instanceof TooMany) return null;
      throw error;
    }
  }

  /** Goes through all of it. @returns false where nothing may be mended */
  #isMended(): boolean {
    if (this.#faults.length > FAULTS_MAX) return false;
    this.#declaration();
    while (this.#lexer.at < this.#lexer.source.length) {
      if (this.#open.length > 0) this.#content();
      else if (!this.#betweenRoots()) return false;
    }
    this.#end();
    return true;
  }

  // ---- what is written down ----

  /** @throws TooMany */
  #fault(at: number, mensagem: string, deEstrutura = false): void {
    this.#faults.push({ at, mensagem, ...(deEstrutura && { deEstrutura }) });
    if (this.#faults.length > FAULTS_MAX) throw new TooMany();
  }

  #blank(from: number, to: number): void {
    this.#out.fill(SPACE, from, to);
  }

  /** Blanks a mark that begins nothing, and goes on behind it. */
  #stray(at: number, mensagem: string, length = 1): void {
    this.#fault(at, mensagem, TAG_OR_COMMENT.test(this.#lexer.source.slice(at, at + TAG_MAX)));
    this.#skip(at, length);
  }

  #skip(at: number, length: number): void {
    this.#blank(at, at + length);
    this.#lexer.at = at + length;
  }

  /** A mark in which the file ends puts nothing in doubt but itself. */
  #strayOrCut(at: number, mensagem: string): void {
    if (this.#find('>', at) < Number.POSITIVE_INFINITY) {
      this.#stray(at, mensagem);
      return;
    }
    this.#fault(at, 'O arquivo termina antes do fim, dentro de uma marca.');
    this.#skip(at, 1);
  }

  /** Characters that may stand nowhere. */
  #blankIllegal(copy: Buffer): void {
    const latin1 = copy.toString('latin1');
    for (const { index } of latin1.matchAll(CONTROL_BYTES)) {
      if (this.#faults.length > FAULTS_MAX) return;
      const hex = latin1.charCodeAt(index).toString(16).toUpperCase().padStart(2, '0');
      const mensagem = `O XML contém um caractere de controle 0x${hex}, que não é permitido.`;
      this.#faults.push({ at: index, mensagem });
      copy[index] = SPACE;
    }
    for (const text of NON_CHARACTERS) {
      for (let at = latin1.indexOf(text); at >= 0; at = latin1.indexOf(text, at + text.length)) {
        if (this.#faults.length > FAULTS_MAX) return;
        const mensagem = 'O XML contém um caractere que o padrão não permite (U+FFFE ou U+FFFF).';
        this.#faults.push({ at, mensagem });
        copy.fill(SPACE, at, at + text.length);
      }
    }
  }

  /** Where a text stands next, looked for again only once it is passed. */
  #find(text: string, from: number): number {
    const known = this.#next.get(text);
    if (known !== undefined && known >= from) return known;
    const found = this.#lexer.source.indexOf(text, from);
    const at = found < 0 ? Number.POSITIVE_INFINITY : found;
    this.#next.set(text, at);
    return at;
  }

  #mended(): Consertado {
    const insertions = this.#insertions.toSorted((a, b) => a.at - b.at);
    const { bytes, shifts } = inserted(this.#out, insertions);
    const moved = (at: number) => at + shiftBefore(shifts, at);
    const falhas = this.#faults
      .map((falha) => ({ ...falha, at: moved(falha.at) }))
      .sort((a, b) => a.at - b.at);
    return { bytes, falhas, original: (offset) => originalOf(shifts, offset) };
  }

  // ---- what surrounds the roots ----

  #declaration(): void {
    const { source } = this.#lexer;
    if (!source.startsWith('<?xml') || !isSpace(source.charCodeAt(5))) return;
    try {
      this.#lexer.xmlDeclaration();
    } catch (error) {
      this.#passOver(error, { at: 0, ending: '?>' });
    }
  }

  /** @returns false where nothing may be mended */
  #betweenRoots(): boolean {
    const { source } = this.#lexer;
    const at = this.#find('<', this.#lexer.at);
    if (at >= source.length) {
      this.#lexer.at = source.length;
      return true;
    }
    this.#lexer.at = at;
    const next = source[at + 1] ?? '';
    if (/^<!doctype/i.test(source.slice(at, at + 9))) return false;
    if (next === '/') this.#endTag();
    else if (next === '?') this.#instruction();
    else if (next === '!') this.#bang();
    else if (NAME_START.test(next)) this.#startTag();
    else this.#stray(at, LONE_LESS_THAN);
    return true;
  }

  /** Closes what the file leaves open. */
  #end(): void {
    const last = this.#open.at(-1);
    if (!last) return;
    const at = this.#lexer.source.length;
    // What stands before the cut is as it was: whatever was open there, stood around what follows.
    this.#fault(at, `O arquivo termina antes do fim: falta fechar ${shown(last.name)}.`);
    while (this.#open.length > 0) this.#close(at);
  }

  // ---- what stands in a root ----

  #content(): void {
    const lexer = this.#lexer;
    const at = this.#find('<', lexer.at);
    this.#text(Math.min(at, lexer.source.length));
    if (lexer.at >= lexer.source.length) return;
    const next = lexer.source.charCodeAt(at + 1);
    if (next === SLASH) this.#endTag();
    else if (next === BANG) this.#bang();
    else if (next === QUESTION) this.#instruction();
    else if (NAME_START.test(lexer.source[at + 1] ?? '')) this.#startTag();
    else if (at + 1 === lexer.source.length) this.#strayOrCut(at, LONE_LESS_THAN);
    else this.#stray(at, LONE_LESS_THAN);
  }

  #text(end: number): void {
    for (;;) {
      const loose = this.#find(']]>', this.#lexer.at);
      this.#references(Math.min(loose, end));
      if (loose >= end) return;
      this.#stray(loose, 'A sequência "]]>" não é permitida no texto.');
    }
  }

  #references(end: number): void {
    for (;;) {
      try {
        this.#lexer.characterData(end);
        return;
      } catch (error) {
        const { at, message } = faultOf(error);
        this.#stray(at, message);
      }
    }
  }

  #bang(): void {
    const { at, source } = this.#lexer;
    const ending = source.startsWith('<!--', at) ? '-->' : source.startsWith('<![CDATA[', at) ? ']]>' : null;
    if (ending === null) {
      this.#stray(at, 'Marca "<!" desconhecida dentro do documento.');
      return;
    }
    try {
      if (this.#find(ending, at) === Number.POSITIVE_INFINITY) throw unended(at, ending);
      this.#lexer.commentOrCdata();
    } catch (error) {
      this.#passOver(error, { at, ending });
    }
  }

  #instruction(): void {
    const { at } = this.#lexer;
    try {
      if (this.#find('?>', at) === Number.POSITIVE_INFINITY) throw unended(at, '?>');
      // The declaration of the next root.
      if (this.#open.length === 0) this.#lexer.at = this.#find('?>', at) + 2;
      else this.#lexer.processingInstruction();
    } catch (error) {
      this.#passOver(error, { at, ending: '?>' });
    }
  }

  /** Leaves a comment, section or instruction out, or only its beginning where it has no end. */
  #passOver(error: unknown, { at, ending }: { at: number; ending: string }): void {
    const { message } = faultOf(error);
    const end = this.#find(ending, at);
    const length = end === Number.POSITIVE_INFINITY ? 1 : end + ending.length - at;
    this.#stray(at, message, length);
  }

  // ---- tags ----

  #startTag(): void {
    const lexer = this.#lexer;
    const start = lexer.at;
    lexer.at = start + 1;
    this.#pending = [];
    this.#bindings.enter();
    try {
      const { prefix } = lexer.qname('um elemento');
      const name = lexer.source.slice(start + 1, lexer.at);
      this.#attributes();
      this.#opens({ name, prefix, start });
    } catch (error) {
      this.#bindings.leave();
      this.#strayOrCut(start, faultOf(error).message);
    }
  }

  /** Reads the attributes as far as they are sound and blanks the rest. @throws Fault where the tag has no end */
  #attributes(): void {
    const lexer = this.#lexer;
    const seen = new Set<string>();
    let from = lexer.at;
    try {
      for (;;) {
        from = lexer.at;
        lexer.skipSpace();
        const code = lexer.peek();
        if (code === GREATER_THAN || (code === SLASH && lexer.source[lexer.at + 1] === '>')) return;
        if (lexer.at === from) throw new Fault(from, 'Uma marca não termina com ">".');
        this.#attribute(seen);
      }
    } catch (error) {
      const { at, message } = faultOf(error);
      const end = this.#find('>', at);
      if (end === Number.POSITIVE_INFINITY || this.#find('<', at) < end) throw error;
      const last = lexer.source[end - 1] === '/' && end > at ? end - 1 : end;
      this.#fault(at, message);
      this.#blank(from, last);
      lexer.at = last;
    }
  }

  #attribute(seen: Set<string>): void {
    const lexer = this.#lexer;
    const at = lexer.at;
    const { prefix, localName } = lexer.qname('um atributo');
    const name = lexer.source.slice(at, lexer.at);
    lexer.skipSpace();
    if (lexer.peek() !== EQUALS)
      throw new Fault(at, `O atributo ${localName.slice(0, 60)} não tem valor (falta "=").`);
    lexer.at++;
    lexer.skipSpace();
    const value = this.#value(localName);
    const fault = seen.has(name)
      ? `O atributo ${localName.slice(0, 60)} aparece mais de uma vez no mesmo elemento.`
      : this.#declare({ prefix, localName, value });
    seen.add(name);
    if (fault) {
      this.#fault(at, fault);
      this.#blank(at, lexer.at);
    } else if (prefix !== '' && prefix !== 'xmlns') this.#pending.push({ at, prefix });
  }

  /** The value at the cursor; of one with a stray `&`, whatever is left. @throws Fault for any other fault */
  #value(localName: string): string {
    const lexer = this.#lexer;
    const from = lexer.at;
    try {
      return lexer.attributeValue(localName);
    } catch (error) {
      const { at, message } = faultOf(error);
      if (lexer.source[at] !== '&') throw error;
      const end = lexer.source.indexOf(lexer.source[from] ?? '', from + 1);
      this.#fault(at, message);
      for (let i = from; i < end; i++) if (lexer.source[i] === '&') this.#blank(i, i + 1);
      lexer.at = end + 1;
      return lexer.source.slice(from + 1, end).replaceAll('&', ' ');
    }
  }

  /** @returns what is wrong with it as a declaration */
  #declare({
    prefix,
    localName,
    value,
  }: {
    prefix: string;
    localName: string;
    value: string;
  }): string | null {
    const isDefault = prefix === '' && localName === 'xmlns';
    if (!isDefault && prefix !== 'xmlns') return null;
    const declared = isDefault ? '' : localName;
    const fault = declarationFault(declared, value);
    if (fault) return `Declaração de namespace inválida: ${fault}.`;
    this.#bindings.set(declared, value);
    return null;
  }

  /** Behind the attributes. */
  #opens({ name, prefix, start }: { name: string; prefix: string; start: number }): void {
    const lexer = this.#lexer;
    const unbound = this.#bind(start + 1, prefix);
    for (const attribute of this.#pending) this.#bind(attribute.at, attribute.prefix);
    const empty = lexer.peek() === SLASH;
    lexer.at += empty ? 2 : 1;
    const around = this.#open.at(-1);
    if (around && around.firstInside < 0) around.firstInside = start;
    if (empty) {
      this.#bindings.leave();
      this.#holds();
      return;
    }
    this.#open.push({ name, start, contentStart: lexer.at, firstInside: -1, holds: false, unbound });
    this.#opened.set(name, (this.#opened.get(name) ?? 0) + 1);
  }

  /** Makes a prefix that nobody declared part of the name. @returns whether it did */
  #bind(at: number, prefix: string): boolean {
    if (prefix === '' || this.#bindings.get(prefix) !== undefined) return false;
    this.#fault(at, `O prefixo ${prefix.slice(0, 40)} não foi declarado (xmlns:${prefix.slice(0, 40)}).`);
    this.#out[at + Buffer.byteLength(prefix)] = UNDERSCORE;
    return true;
  }

  #holds(): void {
    const around = this.#open.at(-1);
    if (around) around.holds = true;
  }

  #endTag(): void {
    const lexer = this.#lexer;
    const at = lexer.at;
    const end = this.#endOfEndTag(at);
    if (end === null) {
      this.#strayOrCut(at, 'Uma marca de fechamento está mal formada.');
      return;
    }
    const name = lexer.source.slice(at + 2, end.name);
    const closing = `A marca de fechamento ${shown(`/${name}`)} não corresponde`;
    if (!this.#opened.get(name)) {
      this.#stray(at, `${closing} a nenhuma que está aberta.`, end.tag - at);
      return;
    }
    const top = this.#open.at(-1);
    if (top && top.name !== name) this.#fault(at, `${closing} a ${shown(top.name)}, que está aberta.`, true);
    while (this.#open.at(-1)?.name !== name) this.#leaveUnclosed(at);
    if (this.#pop()?.unbound) this.#out[at + 2 + name.indexOf(':')] = UNDERSCORE;
    this.#holds();
    lexer.at = end.tag;
  }

  #endOfEndTag(at: number): { name: number; tag: number } | null {
    const lexer = this.#lexer;
    lexer.at = at + 2;
    try {
      lexer.qname('um elemento');
    } catch {
      return null;
    }
    const name = lexer.at;
    lexer.skipSpace();
    return lexer.peek() === GREATER_THAN ? { name, tag: lexer.at + 1 } : null;
  }

  /** The innermost open element has no end: it is closed here, or goes if it is but a mark in a text (`<br>`). */
  #leaveUnclosed(at: number): void {
    const top = this.#open.at(-1);
    if (top?.holds) this.#close(this.#hasText(top) ? top.firstInside : at);
    else if (this.#pop() && top) this.#blank(top.start, top.contentStart);
  }

  /** A field that holds a text holds no element: what follows the text stands beside it. */
  #hasText({ contentStart, firstInside }: Open): boolean {
    return this.#lexer.source.slice(contentStart, firstInside).trim() !== '';
  }

  #close(at: number): void {
    const { name, unbound } = this.#pop() as Open;
    this.#insertions.push({ at, text: `</${unbound ? name.replace(':', '_') : name}>` });
    this.#holds();
  }

  #pop(): Open | undefined {
    const top = this.#open.pop();
    if (!top) return undefined;
    this.#bindings.leave();
    this.#opened.set(top.name, (this.#opened.get(top.name) ?? 1) - 1);
    return top;
  }
}

/** Where insertions stand in the original, and how many bytes they are together up to and with each. */
type Shifts = readonly { at: number; total: number }[];

function inserted(
  bytes: Buffer,
  insertions: readonly { at: number; text: string }[],
): { bytes: Buffer; shifts: Shifts } {
  const parts: Buffer[] = [];
  const shifts: { at: number; total: number }[] = [];
  let [from, total] = [0, 0];
  for (const { at, text } of insertions) {
    const piece = Buffer.from(text, 'latin1');
    parts.push(bytes.subarray(from, at), piece);
    from = at;
    total += piece.length;
    shifts.push({ at, total });
  }
  return { bytes: shifts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)]), shifts };
}

/** Bytes inserted before a place of the original; what is inserted at it counts as behind. */
function shiftBefore(shifts: Shifts, at: number): number {
  return shifts[countWhere(shifts, (shift) => shift.at < at) - 1]?.total ?? 0;
}

function originalOf(shifts: Shifts, offset: number): number {
  const passed = countWhere(shifts, (shift) => shift.at + shift.total <= offset);
  return Math.min(offset - (shifts[passed - 1]?.total ?? 0), shifts[passed]?.at ?? Number.POSITIVE_INFINITY);
}

/** How many of a list are so; its first ones are, and no others. */
function countWhere<T>(list: readonly T[], isSo: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(list[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  throw error;
}

function unended(at: number, ending: string): Fault {
  return new Fault(at, `Um trecho do XML não termina (falta "${ending}").`);
}
