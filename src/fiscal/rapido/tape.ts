import type { Names } from './names.ts';

/**
 * A document as rows of numbers: one row for each element in document order, one for each attribute, one for each
 * namespace declaration, and one for each place that is not in canonical form as it stands. No object is made for an
 * element until somebody asks for it (`view.ts`).
 */
export interface Tape {
  /** UTF-8, without byte order mark. Offsets count from here. */
  bytes: Buffer;
  names: Names;
  /** Rows of {@link ELEMENT} and one more behind the last, for its ATTRIBUTES and DECLARATIONS. */
  elements: Int32Array;
  count: number;
  attributes: Int32Array;
  declarations: Int32Array;
  /** In document order; see {@link SPOT}. */
  spots: Int32Array;
  /** Offset behind the root, and the comments and white space that follow it. */
  rest: number;
  /** Who judged the document by its schema while it was scanned, if anybody, and whether it is certainly valid. */
  judged: { by: object; valid: boolean } | null;
}

/** Columns of an element's row. */
export const ELEMENT = {
  /** Number of namespace and local name together, in `names`. */
  NAME: 0,
  PREFIX: 1,
  /** Bits of {@link FLAG}. */
  FLAGS: 2,
  /** Offset of `<`. */
  START: 3,
  /** Offset behind `>` of the start tag. */
  CONTENT: 4,
  /** Offset of `</`; CONTENT for an empty-element tag. */
  CONTENT_END: 5,
  END: 6,
  /** Row of the parent, -1 for the root. */
  PARENT: 7,
  /** Row of the next sibling, 0 for the last. */
  NEXT: 8,
  /** First of its attributes; the next row has the one behind the last. */
  ATTRIBUTES: 9,
  DECLARATIONS: 10,
} as const;
export const ELEMENT_ROW = 11;

/** What the character data directly in an element holds. */
export const FLAG = {
  NOT_SPACE: 1,
  NOT_ASCII: 2,
  /** A reference or a CDATA section. */
  CODED: 4,
  /** A carriage return. */
  CR: 8,
  COMMENT: 16,
  HAS_CHILDREN: 32,
} as const;
/** Any of these: the bytes of the content are not the text. */
export const NOT_PLAIN: number = FLAG.CODED | FLAG.CR | FLAG.COMMENT | FLAG.HAS_CHILDREN;

/** Columns of an attribute's row. */
export const ATTRIBUTE = {
  /** Number of namespace and local name together. */
  NAME: 0,
  PREFIX: 1,
  /** Offsets of the value, between the quotes. */
  FROM: 2,
  TO: 3,
  /** 0: the bytes are the value, in ASCII; else they must be decoded and normalised. */
  CODED: 4,
} as const;
export const ATTRIBUTE_ROW = 5;

/** Columns of a declaration's row: prefix (0: default) and namespace (0: none). */
export const DECLARATION = { PREFIX: 0, NAMESPACE: 1 } as const;
export const DECLARATION_ROW = 2;

/** Columns of a spot that canonical form writes otherwise. */
export const SPOT = { KIND: 0, FROM: 1, TO: 2, ELEMENT: 3 } as const;
export const SPOT_ROW = 4;

export const SPOT_KIND = {
  /** `/` of an empty-element tag up to its `>`; ELEMENT is whose. */
  EMPTY_TAG: 1,
  /** `>` in text. */
  GREATER_THAN: 2,
  /** CR in text, alone or with its LF. */
  CR: 3,
  /** A reference other than `&amp;`, `&lt;`, `&gt;`. */
  REFERENCE: 4,
  CDATA: 5,
  COMMENT: 6,
  /** A start tag that is not written as canonical form writes it, or that declares namespaces. */
  START_TAG: 7,
  /** White space in an end tag. */
  END_TAG: 8,
} as const;
