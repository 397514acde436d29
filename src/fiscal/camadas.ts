/**
 * The two tiers of reading, and the one switch between them. The fast tier (`rapido/`) may only accept: it reads a
 * document into a tape, and what it does not know for certain it leaves, without a word, to the slow tier: our strict
 * scanner with its messages, and libxml2. Both give the same pieces (`test/diferencial/`).
 */
import { scanTape } from './rapido/scanner.ts';
import { TapeTree } from './rapido/view.ts';
import { type ScanResult, scanXml } from './xml/scan.ts';
import type { XmlTree } from './xml/tree.ts';

/** `ambas`: the fast tier first. `lenta`: never the fast one, to compare the two. */
export type Camadas = 'ambas' | 'lenta';

/** The tree of a document that ends with its root, when the fast tier takes it; it is well-formed by libxml2's rules. */
export function scanFast(bytes: Uint8Array, camadas: Camadas): TapeTree | null {
  const tape = camadas === 'ambas' ? scanTape(bytes) : null;
  return tape && new TapeTree(tape);
}

/** Scans what was cut out of a well-formed document, in whichever tier takes it. */
export function scanSlice(bytes: Uint8Array, camadas: Camadas): ScanResult {
  const tree = scanFast(bytes, camadas);
  return tree ? { ok: true, tree, rest: bytes.length } : scanXml(bytes);
}

/** The same tree, whose places are told by another rule. */
export function placedBy(tree: XmlTree, position: XmlTree['position']): XmlTree {
  if (tree instanceof TapeTree) return new TapeTree(tree.tape, position);
  return { bytes: tree.bytes, root: tree.root, position, text: (element) => tree.text(element) };
}
