/** What one uploaded zip may cost. Every figure holds for the upload with all zips inside it, unless it says otherwise. */
export interface UnpackLimits {
  /** Central directory records, folders included. */
  entries: number;
  /** Inflated bytes, inner zips and discarded attempts included. */
  totalBytes: number;
  /** Inflated bytes of one entry that is not itself a zip. */
  documentBytes: number;
  /** Inflated bytes of one inner zip: it is held in memory while its entries are read. */
  nestedZipBytes: number;
  /** Inflated bytes per compressed byte. */
  ratio: number;
  /** The ratio is not looked at up to this many inflated bytes. */
  ratioFromBytes: number;
  /** Zips inside one another; the upload itself is 1. */
  depth: number;
  /** Bytes of one entry's name as it stands in the zip. */
  nameBytes: number;
  /** Characters of the label that people see (`caminho`), inner zips' names included. */
  labelChars: number;
}

/**
 * The product's limits.
 * @fonte docs/regras.md, uploads; nestedZipBytes, nameBytes and labelChars are our own
 */
export const UNPACK_LIMITS: UnpackLimits = {
  // 30 MB of the smallest useful entries (1.5 KB) is about 20,000.
  entries: 20_000,
  // 30 MB of XML at the usual 8:1 to 12:1 is 240 to 360 MB.
  totalBytes: 500_000_000,
  // An NF-e with all its 990 items has about 2 MB.
  documentBytes: 10_000_000,
  // Twice the largest upload: a monthly zip kept without compression inside another still passes, and the three
  // zips on the nesting path stay under 150 MB.
  nestedZipBytes: 60_000_000,
  // Fiscal XML shrinks 8 to 30 times; a thousandfold is what deflate does with nothing.
  ratio: 100,
  // Small repetitive files are legitimate and cheap.
  ratioFromBytes: 1_000_000,
  // Portals and ERPs export a month as a zip of zips; one level more for whoever zips that again.
  depth: 3,
  // PATH_MAX of Linux; the format would allow 64 KB.
  nameBytes: 4_096,
  // A label goes into each row of /itens and into `log`, which has 8 KB in all.
  labelChars: 400,
};

/**
 * The given limits, cut where no installation may go, whatever its settings.
 * @fonte OWASP ASVS 5.0, 5.2.3
 */
export function boundedLimits(limits: UnpackLimits): UnpackLimits {
  return {
    ...limits,
    entries: Math.min(limits.entries, 50_000),
    totalBytes: Math.min(limits.totalBytes, 1024 ** 3),
    ratio: Math.min(limits.ratio, 200),
  };
}

/** What so many compressed bytes may become under the ratio rule. */
export function inflatedBytesAllowed(limits: UnpackLimits, compressedBytes: number): number {
  return Math.max(limits.ratioFromBytes, limits.ratio * compressedBytes);
}
