/**
 * The two tiers of reading, and the one switch between them. The fast tier (`rapido/`) may only accept: it reads a
 * document into a tape, and what it does not know for certain it leaves, without a word, to the slow tier: our strict
 * scanner with its messages, and libxml2. Both give the same pieces (`test/diferencial/`).
 */
import { canonicalTape } from './rapido/canonical.ts';
import { scanTape } from './rapido/scanner.ts';
import { withPassingTapes } from './rapido/scratch.ts';
import { TapeTree } from './rapido/view.ts';
import { type C14nOptions, canonicalize } from './xml/c14n.ts';
import { qualifiedName } from './xml/c14n-text.ts';
import { type ScanResult, scanXml } from './xml/scan.ts';
import type { XmlElement, XmlTree } from './xml/tree.ts';

/** `ambas`: the fast tier first. `lenta`: never the fast one, to compare the two. */
export type Camadas = 'ambas' | 'lenta';

/** The tree of a document that ends with its root, when the fast tier takes it; it is well-formed by libxml2's rules. */
export function scanFast(bytes: Uint8Array, camadas: Camadas): TapeTree | null {
  const tape = camadas === 'ambas' ? scanTape(bytes) : null;
  return tape && new TapeTree(tape);
}

/**
 * Canonical form of an element of either tier (`xml/c14n.ts` has what holds of it). The bytes hold until the next call.
 * @throws CanonicalFormTooLong
 */
export function canonicalBytes(tree: XmlTree, element: XmlElement, options: C14nOptions): Uint8Array {
  return canonicalTape(element, options) ?? canonicalize(tree, element, options);
}

/** What a page of HTML or a bank's file begins with: `sniff` looks closer at files with such a root. */
const NOT_FISCAL = /^(?:html|head|body|title|meta|script|style|div|span|center|br|h1|p|ofx)\b/i;
const LESS_THAN = 0x3c;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

/**
 * The tree of a whole file that is plain XML: UTF-8 that says nothing else, with nothing but a declaration and white
 * space before its root. `sniff` calls such a file XML, and `decodeXml` gives its bytes as they stand and no notice.
 */
export function scanPlainFile(bytes: Uint8Array, camadas: Camadas): TapeTree | null {
  const start = BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte) ? BYTE_ORDER_MARK.length : 0;
  if (bytes[start] !== LESS_THAN) return null;
  const tree = scanFast(start === 0 ? bytes : bytes.subarray(start), camadas);
  if (!tree) return null;
  const { root } = tree;
  const isPlain = !tree.latin1.slice(0, root.start).includes('<!') && !NOT_FISCAL.test(qualifiedName(root));
  return isPlain ? tree : null;
}

/** Reads trees that nobody needs afterwards. @param read gives back values only, nothing that looks at a tree */
export function withPassingTrees<T>(read: () => T): T {
  return withPassingTapes(read);
}

/** Scans what was cut out of a well-formed document, in whichever tier takes it. */
export function scanSlice(bytes: Uint8Array, camadas: Camadas): ScanResult {
  const tree = scanFast(bytes, camadas);
  return tree ? { ok: true, tree, rest: bytes.length } : scanXml(bytes);
}

/** The same tree, whose places are told by another rule. */
export function placedBy(tree: XmlTree, position: XmlTree['position']): XmlTree {
  if (tree instanceof TapeTree) return new TapeTree(tree.tape, position);
  return {
    bytes: tree.bytes,
    root: tree.root,
    position,
    text: (element) => tree.text(element),
    childText: (element, localName) => tree.childText(element, localName),
  };
}
