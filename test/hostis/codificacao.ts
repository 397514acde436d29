/** Encodings that lie, and texts in the wrong one. */
import type { Mutador } from './mutacoes.ts';

const utf8 = (text: string) => Buffer.from(text, 'latin1').toString('utf8');
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const DECLARATION = /^<\?xml[^>]*\?>/;

const NAMES = [
  'UTF-16',
  'utf-8',
  'UTF-7',
  'UTF-32',
  'ISO-8859-1',
  'ISO-8859-15',
  'windows-1252',
  'US-ASCII',
  'Shift_JIS',
  'EBCDIC-CP-US',
  'x',
  '',
];

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
}

function utf32(text: string): Buffer {
  const points = [...text].map((c) => c.codePointAt(0) ?? 0);
  const bytes = Buffer.alloc(points.length * 4);
  for (const [at, point] of points.entries()) bytes.writeUInt32LE(point, at * 4);
  return bytes;
}

export const CODIFICACAO: Readonly<Record<string, Mutador>> = {
  utf16le: (text) => latin1(Buffer.from(`\ufeff${utf8(text)}`, 'utf16le')),
  utf16be: (text) => latin1(swapped(Buffer.from(`\ufeff${utf8(text)}`, 'utf16le'))),
  utf16semBom: (text) => latin1(Buffer.from(utf8(text), 'utf16le')),
  utf16impar: (text) => latin1(Buffer.from(`\ufeff${utf8(text)}`, 'utf16le')).slice(0, -1),
  utf32: (text) => latin1(utf32(utf8(text))),
  emLatin1: (text) => latin1(Buffer.from(utf8(text), 'latin1')),
  emLatin1Declarado: (text) =>
    `<?xml version="1.0" encoding="ISO-8859-1"?>${latin1(Buffer.from(utf8(text).replace(DECLARATION, ''), 'latin1'))}`,
  duasVezesUtf8: (text) => latin1(Buffer.from(text, 'utf8')),
  bom: (text, { random }) => '\u00ef\u00bb\u00bf'.repeat(random.integer(1, 3)) + text,
  declaracao: (text, { random }) =>
    `<?xml version="1.0" encoding="${random.pick(NAMES)}"?>${text.replace(DECLARATION, '')}`,
  declaracaoDupla: (text) => `<?xml version="1.0" encoding="UTF-8"?>${text}`,
  versao11: (text) => `<?xml version="1.1" encoding="UTF-8"?>${text.replace(DECLARATION, '')}`,
  declaracaoRuim: (text, { random }) =>
    random.pick([
      '<?xml?>',
      '<?xml version="1.0" standalone="maybe"?>',
      "<?xml encoding='utf-8'?>",
      '<?XML version="1.0"?>',
      '<?xml version="1.0" encoding="utf-8"',
    ]) + text.replace(DECLARATION, ''),
  sobrelongo: (text) => text.replace(/>([^<])/, '>\u00c0\u00af$1'),
  surrogado: (text) => text.replace(/>([^<])/, '>\u00ed\u00a0\u0080$1'),
  multibyteCortado: (text) => text.replace(/[\u00c3][\u0080-\u00bf]/, '\u00c3'),
  crlf: (text) => text.replaceAll(/\r?\n|(?<=>)(?=<)/g, '\r\n'),
  indentado: (text) => text.replaceAll('><', '>\n  <'),
  caracteresInvalidos: (text) => text.replace(/>([^<])/, '>\u00ef\u00bf\u00bf$1'),
};
