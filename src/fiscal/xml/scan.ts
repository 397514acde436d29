import type { Rejeicao } from '../tipos.ts';
import { firstIllegalOffset, isSpace } from './chars.ts';
import { decodeXml } from './decode.ts';
import {
  BANG,
  EQUALS,
  Fault,
  GREATER_THAN,
  isNcName,
  Lexer,
  type QName,
  QUESTION,
  SLASH,
  shown,
} from './lexer.ts';
import { PECA_DE_NOVO } from './mend.ts';
import { declarationFault, XML_NAMESPACE } from './namespaces.ts';
import { ScopedMap } from './scoped-map.ts';
import { directText, positioner } from './text.ts';
import { elementPath, type XmlAttribute, type XmlElement, type XmlTree } from './tree.ts';
import { TreeElement } from './tree-element.ts';

/** What a document may not exceed. Its size in bytes is the caller's matter. */
export interface XmlLimits {
  /** Open elements at one time. */
  depth: number;
  /** Attributes and xmlns declarations of one element. */
  attributes: number;
  /** Elements of the document: keeps the tree below some 100 MB. */
  elements: number;
  /**
   * Characters of the namespace declarations that hold at one place, prefixes included: each piece that is cut out of the
   * document takes them along (`recortar.ts`), thousands of times. Those of real documents have some 300.
   */
  namespaces: number;
}

export const XML_LIMITS: XmlLimits = { depth: 100, attributes: 256, elements: 500_000, namespaces: 8_192 };

/**
 * `rest` is the offset behind the root and the white space, comments and processing instructions that follow it.
 * `rest < bytes.length` means that something else comes behind, such as a second root.
 */
export type ScanResult = { ok: true; tree: XmlTree; rest: number } | { ok: false; rejeicao: Rejeicao };

/**
 * Reads one XML document (UTF-8, without byte order mark) strictly and in one pass, and gives its tree.
 * DOCTYPE is refused; entities are the five predefined ones and numeric references. It accepts nothing that
 * libxml2 refuses. Faults: `doctype_proibido`, `xml_mal_formado`, `xml_profundo_demais`,
 * `xml_atributos_demais`, `xml_elementos_demais`, `xml_namespaces_demais`.
 * @fonte XML 1.0 (fifth edition); Namespaces in XML 1.0
 */
export function scanXml(bytes: Uint8Array, limits: XmlLimits = XML_LIMITS): ScanResult {
  return new Scanner(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), limits).run();
}

interface RawAttribute extends QName {
  value: string;
  at: number;
}

class Scanner {
  readonly #lexer: Lexer;
  readonly #limits: XmlLimits;
  readonly #bindings = new ScopedMap();
  readonly #xmlIds = new Set<string>();
  /** Names of the open elements as written, for their end tags. */
  readonly #openNames: string[] = [];
  #root: TreeElement | null = null;
  #open: TreeElement | null = null;
  #elements = 0;

  constructor(bytes: Buffer, limits: XmlLimits) {
    this.#lexer = new Lexer(bytes);
    this.#limits = limits;
    this.#bindings.set('xml', XML_NAMESPACE);
  }

  run(): ScanResult {
    const illegal = firstIllegalOffset(this.#lexer.bytes, this.#lexer.source);
    try {
      this.#prolog();
      const root = this.#document();
      this.#epilog();
      if (illegal >= 0 && illegal < this.#lexer.at) throw this.#illegalCharacter(illegal);
      return { ok: true, tree: this.#tree(root), rest: this.#lexer.at };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const first = illegal >= 0 && illegal <= error.at ? this.#illegalCharacter(illegal) : error;
      return { ok: false, rejeicao: this.#rejeicao(first) };
    }
  }

  #tree(root: XmlElement): XmlTree {
    const bytes = this.#lexer.bytes;
    const source = this.#lexer.source;
    return {
      bytes,
      root,
      position: positioner(bytes),
      text: (element) => directText(bytes, source, element),
      childText(element, localName) {
        const found = element.firstNamed(localName);
        return found && directText(bytes, source, found);
      },
    };
  }

  #rejeicao(fault: Fault): Rejeicao {
    const element = elementAt(this.#root, fault.at);
    return {
      codigo: fault.codigo,
      mensagem: fault.codigo === 'xml_mal_formado' ? `${fault.message} ${PECA_DE_NOVO}` : fault.message,
      elemento: element ? elementPath(element) : null,
      ...positioner(this.#lexer.bytes)(fault.at),
    };
  }

  #illegalCharacter(at: number): Fault {
    const code = this.#lexer.bytes[at] ?? 0;
    const name = code < 0x20 ? `0x${code.toString(16).toUpperCase().padStart(2, '0')}` : null;
    const what = name ? `caractere de controle ${name}` : 'byte ou caractere inválido em UTF-8';
    return new Fault(at, `O XML contém um ${what}, que não é permitido.`);
  }

  // ---- what surrounds the root ----

  #prolog(): void {
    const lexer = this.#lexer;
    if (lexer.source.startsWith('<?xml') && isSpace(lexer.source.charCodeAt(5))) lexer.xmlDeclaration();
    do lexer.skipSpace();
    while (lexer.commentOrPi());
    const { at, source } = lexer;
    if (/^<!doctype/i.test(source.slice(at, at + 9))) {
      throw new Fault(
        at,
        'DOCTYPE não permitido: documentos fiscais não têm DTD. Baixe o XML de novo, ou peça-o a quem o emitiu.',
        'doctype_proibido',
      );
    }
    if (at >= source.length) throw new Fault(at, 'O arquivo não contém nenhum elemento XML.');
    if (source[at] !== '<') throw new Fault(at, 'O conteúdo não é XML: há texto antes do elemento raiz.');
  }

  /** Stops, without a fault, before anything that does not belong to this document. */
  #epilog(): void {
    for (;;) {
      this.#lexer.skipSpace();
      const at = this.#lexer.at;
      try {
        if (!this.#lexer.commentOrPi()) return;
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        this.#lexer.at = at;
        return;
      }
    }
  }

  // ---- the root and all that is in it ----

  #document(): TreeElement {
    const root = this.#startTag();
    const source = this.#lexer.source;
    while (this.#open) {
      const at = source.indexOf('<', this.#lexer.at);
      if (at < 0) throw this.#unclosed();
      if (at > this.#lexer.at) this.#lexer.characterData(at);
      this.#lexer.at = at;
      const next = source.charCodeAt(at + 1);
      if (next === SLASH) this.#endTag();
      else if (next === BANG) this.#lexer.commentOrCdata();
      else if (next === QUESTION) this.#lexer.processingInstruction();
      else this.#startTag();
    }
    return root;
  }

  #unclosed(): Fault {
    const name = this.#openNames.at(-1) ?? '';
    return new Fault(
      this.#lexer.source.length,
      `O arquivo termina antes do fim: falta fechar ${shown(name)}.`,
    );
  }

  // ---- tags ----

  #startTag(): TreeElement {
    const start = this.#lexer.at;
    this.#lexer.at = start + 1;
    const name = this.#lexer.qname('um elemento');
    const rawName = this.#lexer.source.slice(start + 1, this.#lexer.at);
    const element = new TreeElement(name, this.#open, start);
    this.#root ??= element;
    this.#bindings.enter();
    if (!this.#endsTag()) this.#attributes(element);
    element.namespace = this.#resolve(name.prefix, start, name);
    this.#openOrClose(element, rawName);
    return element;
  }

  #endsTag(): boolean {
    const code = this.#lexer.peek();
    return code === GREATER_THAN || code === SLASH;
  }

  /** After the attributes `>` opens the element, `/>` ends it at once. */
  #openOrClose(element: TreeElement, rawName: string): void {
    if (++this.#elements > this.#limits.elements) {
      const limit = this.#limits.elements;
      throw new Fault(element.start, `O XML tem mais de ${limit} elementos.`, 'xml_elementos_demais');
    }
    const empty = this.#lexer.peek() === SLASH;
    if (empty) this.#lexer.at++;
    if (this.#lexer.peek() !== GREATER_THAN) {
      throw new Fault(element.start, `A marca ${shown(rawName)} não termina com ">".`);
    }
    this.#lexer.at++;
    element.contentStart = this.#lexer.at;
    if (this.#openNames.length >= this.#limits.depth) {
      const limit = this.#limits.depth;
      throw new Fault(
        element.start,
        `O XML tem mais de ${limit} níveis de elementos.`,
        'xml_profundo_demais',
      );
    }
    if (empty) {
      element.contentEnd = this.#lexer.at;
      element.end = this.#lexer.at;
      this.#bindings.leave();
    } else {
      this.#openNames.push(rawName);
      this.#open = element;
    }
  }

  #endTag(): void {
    const at = this.#lexer.at;
    const element = this.#open;
    const rawName = this.#openNames.at(-1) ?? '';
    const nameEnd = at + 2 + rawName.length;
    const ended = this.#lexer.source.charCodeAt(nameEnd);
    if (
      !element ||
      !this.#lexer.source.startsWith(rawName, at + 2) ||
      !(ended === GREATER_THAN || isSpace(ended))
    ) {
      throw this.#mismatch(rawName);
    }
    this.#lexer.at = nameEnd;
    this.#lexer.skipSpace();
    if (this.#lexer.peek() !== GREATER_THAN) {
      throw new Fault(at, `A marca de fechamento de ${shown(rawName)} não termina com ">".`);
    }
    this.#lexer.at++;
    element.contentEnd = at;
    element.end = this.#lexer.at;
    this.#open = element.parent;
    this.#openNames.pop();
    this.#bindings.leave();
  }

  #mismatch(rawName: string): Fault {
    const { at, source } = this.#lexer;
    if (source.indexOf('>', at) < 0) return this.#unclosed();
    // Printable bytes only: what stands there may be anything.
    const found = /^(?:(?![<>/])[!-\u00ff])*/.exec(source.slice(at + 2, at + 82))?.[0] ?? '';
    const closing = Buffer.from(found, 'latin1').toString('utf8');
    return new Fault(
      at,
      `A marca de fechamento </${closing}> não corresponde a ${shown(rawName)}, que está aberta.`,
    );
  }

  #attributes(element: TreeElement): void {
    const raw: RawAttribute[] = [];
    for (;;) {
      const spaceAt = this.#lexer.at;
      this.#lexer.skipSpace();
      if (this.#endsTag()) break;
      if (this.#lexer.at >= this.#lexer.source.length)
        throw new Fault(element.start, 'O arquivo termina dentro de uma marca.');
      if (this.#lexer.at === spaceAt) throw new Fault(spaceAt, 'Falta um espaço antes do atributo.');
      raw.push(this.#attribute());
      if (raw.length > this.#limits.attributes) {
        const limit = this.#limits.attributes;
        throw new Fault(element.start, `O elemento tem mais de ${limit} atributos.`, 'xml_atributos_demais');
      }
    }
    const plain = raw.filter((attribute) => !this.#declare(element, attribute));
    if (plain.length > 0) element.attributes = plain.map((attribute) => this.#resolved(attribute));
    this.#refuseTwins(element, raw);
  }

  #attribute(): RawAttribute {
    const at = this.#lexer.at;
    const { prefix, localName } = this.#lexer.qname('um atributo');
    this.#lexer.skipSpace();
    if (this.#lexer.peek() !== EQUALS) {
      throw new Fault(at, `O atributo ${localName.slice(0, 60)} não tem valor (falta "=").`);
    }
    this.#lexer.at++;
    this.#lexer.skipSpace();
    return { prefix, localName, value: this.#lexer.attributeValue(localName), at };
  }

  /** Takes the attribute as a namespace declaration if it is one. */
  #declare(element: TreeElement, { prefix, localName, value, at }: RawAttribute): boolean {
    const isDefault = prefix === '' && localName === 'xmlns';
    if (!isDefault && prefix !== 'xmlns') return false;
    const declared = isDefault ? '' : localName;
    this.#bindings.set(declared, value);
    // Before it is looked at: the rules are expressions that run out of stack over millions of characters.
    if (this.#bindings.size > this.#limits.namespaces) {
      const limit = this.#limits.namespaces;
      throw new Fault(
        at,
        `Os namespaces declarados no XML têm juntos mais de ${limit} caracteres.`,
        'xml_namespaces_demais',
      );
    }
    const fault = declarationFault(declared, value);
    if (fault) throw new Fault(at, `Declaração de namespace inválida: ${fault}.`);
    element.declare({ prefix: declared, uri: value });
    return true;
  }

  #resolved({ prefix, localName, value, at }: RawAttribute): XmlAttribute {
    const namespace = prefix === '' ? '' : this.#resolve(prefix, at, { prefix, localName });
    if (namespace === XML_NAMESPACE && localName === 'id') this.#xmlId(value, at);
    return { prefix, localName, namespace, value };
  }

  /** xml:id must be a name and unique. @fonte xml:id Version 1.0 §4 */
  #xmlId(value: string, at: number): void {
    const id = value.replace(/^ +| +$/g, '');
    if (!isNcName(id)) throw new Fault(at, 'O valor de xml:id não é um nome válido.');
    if (this.#xmlIds.has(id)) throw new Fault(at, `O xml:id "${id.slice(0, 60)}" aparece mais de uma vez.`);
    this.#xmlIds.add(id);
  }

  /** No attribute twice: neither as written, nor with the same namespace and local name. */
  #refuseTwins(element: XmlElement, raw: readonly RawAttribute[]): void {
    if (raw.length < 2) return;
    const seen = new Set<string>();
    const names = [
      ...raw.map(({ prefix, localName }) => `${prefix}:${localName}`),
      ...element.attributes.filter((a) => a.prefix !== '').map((a) => `{${a.namespace}}${a.localName}`),
    ];
    for (const name of names) {
      if (seen.has(name)) {
        const readable = name.replace(/^:|^\{.*\}/, '').slice(0, 60);
        throw new Fault(element.start, `O atributo ${readable} aparece mais de uma vez no mesmo elemento.`);
      }
      seen.add(name);
    }
  }

  #resolve(prefix: string, at: number, name: QName): string {
    const uri = this.#bindings.get(prefix);
    if (uri === undefined && prefix !== '') {
      const full = `${prefix}:${name.localName}`.slice(0, 80);
      throw new Fault(
        at,
        `O prefixo ${prefix.slice(0, 40)} de ${full} não foi declarado (xmlns:${prefix.slice(0, 40)}).`,
      );
    }
    return uri ?? '';
  }
}

/** The tree of a file; null for what is no XML, such as a note in TXT layout. */
export function treeOf(bytes: Uint8Array): XmlTree | null {
  const decoded = decodeXml(bytes);
  if ('rejeicao' in decoded) return null;
  const scanned = scanXml(decoded.bytes);
  return scanned.ok ? scanned.tree : null;
}

/** Innermost element that covers the offset. */
export function elementAt(root: XmlElement | null, offset: number): XmlElement | null {
  let found: XmlElement | null = null;
  let next = root;
  while (next && next.start <= offset && offset < next.end) {
    found = next;
    next = found.children.find((candidate) => candidate.start <= offset && offset < candidate.end) ?? null;
  }
  return found;
}
