import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deflateSync } from 'node:zlib';
import { textoDoPdf } from './ler-pdf.ts';

const TEXTO = 'Nota 1';

/** A page with the text, whose compressed bytes end in the given one: the last of a checksum, which a comment moves. */
function pdfQueTerminaEm(last: number): Buffer {
  for (let i = 0; i < 256; i++) {
    const comment = '!'.repeat(i);
    const stream = deflateSync(`BT /F1 12 Tf <${Buffer.from(TEXTO).toString('hex')}> Tj ET %${comment}`);
    if (stream.at(-1) !== last) continue;
    const page = '%PDF-1.4\n1 0 obj\n<< /Type /Page /Contents 2 0 R >>\nendobj\n';
    const head = `2 0 obj\n<< /Filter /FlateDecode /Length ${stream.length} >>\nstream\n`;
    return Buffer.concat([Buffer.from(page + head), stream, Buffer.from('\nendstream\nendobj\n%%EOF')]);
  }
  throw new Error(`no stream ends in ${last}`);
}

it('reads the text of a PDF whatever byte its compressed streams end in', () => {
  for (const last of ['\r', '\n', ' ', 'x'])
    assert.equal(textoDoPdf(pdfQueTerminaEm(last.charCodeAt(0))).trim(), TEXTO, JSON.stringify(last));
});
