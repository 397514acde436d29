import { Buffer } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';

/**
 * Packs named bytes into a zip. The same entries give the same bytes: every entry has one fixed date, written in
 * the DOS form, which knows no time zone.
 */
export async function zipDe(entries: Iterable<{ nome: string; bytes: Uint8Array }>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  const mtime = new Date(2026, 0, 1);
  for (const { nome, bytes } of entries) {
    zip.addBuffer(Buffer.from(bytes), nome, { mtime, forceDosTimestamp: true, mode: 0o100644 });
  }
  zip.end();
  return buffer(zip.outputStream);
}
