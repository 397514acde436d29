import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeXml, textOf } from './decode.ts';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** Decodes what must be decodable; the copy comes back as text. */
function decoded(bytes: Uint8Array): { text: string; codificacao: string; avisos: string[] } {
  const result = decodeXml(bytes);
  if ('rejeicao' in result) assert.fail(result.rejeicao.mensagem);
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(result.bytes);
  return { text, codificacao: result.codificacao, avisos: result.avisos };
}

function utf16be(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

describe('decodeXml', () => {
  it('gives UTF-8 as it stands', () => {
    assert.deepEqual(decoded(Buffer.from('<?xml version="1.0" encoding="utf-8"?><a>ação €</a>')), {
      text: '<?xml version="1.0" encoding="utf-8"?><a>ação €</a>',
      codificacao: 'utf-8',
      avisos: [],
    });
  });

  it('drops a byte order mark, also a doubled one', () => {
    for (const marks of [[BOM], [BOM, BOM]]) {
      const { text, codificacao } = decoded(Buffer.concat([...marks, Buffer.from('<a>ç</a>')]));
      assert.deepEqual([text, codificacao], ['<a>ç</a>', 'utf-8']);
    }
  });

  it('drops white space, NULs and marks around the document', () => {
    const bytes = Buffer.concat([Buffer.from('\r\n \0'), BOM, Buffer.from('\t<a/>\r\n\0\0 ')]);
    assert.equal(decoded(bytes).text, '<a/>');
  });

  it('keeps garbage behind the document for the scanner to see', () => {
    assert.equal(decoded(Buffer.from('<a/>\0lixo\n')).text, '<a/>\0lixo');
  });

  it('reads UTF-16 by its mark and makes the declaration true', () => {
    const xml = '<?xml version="1.0" encoding="UTF-16"?><a>ação €</a>';
    const expected = '<?xml version="1.0" encoding="UTF-8"?><a>ação €</a>';
    const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(xml, 'utf16le')]);
    const big = Buffer.concat([Buffer.from([0xfe, 0xff]), utf16be(xml)]);
    assert.deepEqual(decoded(little), { text: expected, codificacao: 'utf-16le', avisos: [] });
    assert.deepEqual(decoded(big), { text: expected, codificacao: 'utf-16be', avisos: [] });
  });

  it('reads UTF-16 without a mark', () => {
    assert.equal(decoded(Buffer.from('<a>é</a>', 'utf16le')).codificacao, 'utf-16le');
    assert.deepEqual(decoded(utf16be('<a>é</a>')), { text: '<a>é</a>', codificacao: 'utf-16be', avisos: [] });
  });

  it('does not take a stray NUL before an 8-bit document for UTF-16', () => {
    assert.deepEqual(decoded(Buffer.from('\0<a>é</a>')), {
      text: '<a>é</a>',
      codificacao: 'utf-8',
      avisos: [],
    });
  });

  it('leaves out what UTF-16 breaks off, and makes what is no character one that the reader names', () => {
    const utf16 = (...parts: Buffer[]) => Buffer.concat([Buffer.from([0xff, 0xfe]), ...parts]);
    const cut = decodeXml(utf16(Buffer.from('<a/>', 'utf16le'), Buffer.from([0x20])));
    assert.ok('bytes' in cut);
    assert.deepEqual([String(cut.bytes), cut.reescrito, cut.avisos.length], ['<a/>', true, 1]);
    const half = decodeXml(utf16(Buffer.from('<a>\ud800</a>', 'utf16le')));
    assert.ok('bytes' in half);
    assert.equal(String(half.bytes), '<a>\uffff</a>');
  });

  for (const declared of ['ISO-8859-1', 'iso-8859-1', 'iso8859-1', 'latin1']) {
    it(`reads declared ${declared} and rewrites only the encoding`, () => {
      const bytes = Buffer.from(
        `<?xml version='1.0' encoding='${declared}' standalone='yes'?>\n<a>ação</a>`,
        'latin1',
      );
      assert.deepEqual(decoded(bytes), {
        text: `<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n<a>ação</a>`,
        codificacao: 'iso-8859-1',
        avisos: [],
      });
    });
  }

  it('reads declared Windows-1252 and the euro sign that ISO-8859-1 has not', () => {
    const body = Buffer.from([0x3c, 0x61, 0x3e, 0x80, 0xe7, 0x3c, 0x2f, 0x61, 0x3e]);
    for (const declared of ['Windows-1252', 'cp1252', 'ISO-8859-1']) {
      const bytes = Buffer.concat([Buffer.from(`<?xml version="1.0" encoding="${declared}"?>`), body]);
      const { text, codificacao } = decoded(bytes);
      assert.deepEqual(
        [text, codificacao],
        ['<?xml version="1.0" encoding="UTF-8"?><a>€ç</a>', 'windows-1252'],
      );
    }
  });

  for (const [encoding, first] of [
    ['iso-8859-1', 0xa0],
    ['windows-1252', 0x80],
  ] as const) {
    it(`reads every byte of ${encoding} as the Encoding Standard says`, () => {
      for (let byte = first; byte <= 0xff; byte++) {
        const body = Buffer.from([0x3c, 0x61, 0x3e, byte, 0x3c, 0x2f, 0x61, 0x3e]);
        const bytes = Buffer.concat([Buffer.from(`<?xml version="1.0" encoding="${encoding}"?>`), body]);
        const expected = `<?xml version="1.0" encoding="UTF-8"?>${new TextDecoder(encoding).decode(body)}`;
        assert.equal(decoded(bytes).text, expected);
        assert.equal(textOf(bytes, encoding), expected);
      }
    });
  }

  it('tells when bytes declared (or taken for) UTF-8 are Windows-1252', () => {
    for (const declaration of ['<?xml version="1.0" encoding="UTF-8"?>', '']) {
      const { text, codificacao, avisos } = decoded(
        Buffer.from(`${declaration}<a>S\u00e3o Jos\u00e9</a>`, 'latin1'),
      );
      assert.deepEqual([text, codificacao], [`${declaration}<a>São José</a>`, 'windows-1252']);
      assert.equal(avisos.length, 1);
      assert.match(avisos[0] ?? '', /declara a codificação UTF-8.*Windows-1252/);
    }
  });

  it('believes the bytes when UTF-8 is declared as ISO-8859-1', () => {
    const { text, codificacao, avisos } = decoded(
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>São</a>'),
    );
    assert.deepEqual([text, codificacao], ['<?xml version="1.0" encoding="UTF-8"?><a>São</a>', 'utf-8']);
    assert.match(avisos[0] ?? '', /ISO-8859-1.*UTF-8/);
  });

  it('takes an unknown declared encoding for UTF-8, then for Windows-1252', () => {
    for (const declared of ['x-desconhecida', 'UTF-16', 'US-ASCII']) {
      const xml = `<?xml version="1.0" encoding="${declared}"?><a>ção</a>`;
      assert.equal(decoded(Buffer.from(xml)).codificacao, 'utf-8');
      assert.equal(decoded(Buffer.from(xml, 'latin1')).codificacao, 'windows-1252');
      assert.equal(decoded(Buffer.from(xml)).text, '<?xml version="1.0" encoding="UTF-8"?><a>ção</a>');
    }
  });

  it('does not take an attribute of the root for the declaration', () => {
    const xml = '<?xml version="1.0"?><a encoding="ISO-8859-1">é</a>';
    assert.deepEqual(decoded(Buffer.from(xml)), { text: xml, codificacao: 'utf-8', avisos: [] });
  });

  it('rejects a file that is empty or nothing but padding', () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from(' \r\n\0'),
      BOM,
      Buffer.from([0xff, 0xfe, 0x20, 0x00]),
    ]) {
      const result = decodeXml(bytes);
      assert.ok('rejeicao' in result);
      assert.match(result.rejeicao.mensagem, /vazio/);
    }
  });
});

describe('textOf', () => {
  it('gives UTF-8 as it is, without its mark', () => {
    assert.equal(textOf(Buffer.concat([BOM, Buffer.from('<a>ç</a>\n')]), 'utf-8'), '<a>ç</a>\n');
  });

  it('begins with the document, whatever stands before it in the file', () => {
    assert.equal(textOf(Buffer.from('\0\r\n \ufeff<a/>'), 'utf-8'), '<a/>');
    const latin = Buffer.from('\n<?xml version="1.0" encoding="ISO-8859-1"?><a>ç</a>', 'latin1');
    assert.equal(textOf(latin, 'iso-8859-1'), '<?xml version="1.0" encoding="UTF-8"?><a>ç</a>');
    const wide = Buffer.from('\ufeff\r\n<?xml version="1.0" encoding="utf-16"?><a/>', 'utf16le');
    assert.equal(textOf(wide, 'utf-16le'), '<?xml version="1.0" encoding="UTF-8"?><a/>');
  });

  it('transcodes other encodings and adjusts the declaration', () => {
    const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>ç</a>', 'latin1');
    assert.equal(textOf(latin, 'iso-8859-1'), '<?xml version="1.0" encoding="UTF-8"?><a>ç</a>');
    const wide = Buffer.from('\ufeff<?xml version="1.0" encoding="utf-16"?><a>ç</a>', 'utf16le');
    assert.equal(textOf(wide, 'utf-16le'), '<?xml version="1.0" encoding="UTF-8"?><a>ç</a>');
  });
});
