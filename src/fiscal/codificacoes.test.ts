/** Encodings and dirt of files in the wild, each through the reader of whole files. @fonte docs/regras.md, uploads */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chaveDe, NS, nota, processada, protocolo } from './amostras-de-teste.ts';
import { signature } from './assinatura/amostras-de-teste.ts';
import { chaveLida, codeOf, ler, lida, only, readBytes, rejeitada, textOf } from './leitura-de-teste.ts';
import type { Documento } from './tipos.ts';

const DECLARED = '<?xml version="1.0" encoding="UTF-8"?>';
const XML = processada(
  nota({ dest: '<dest><CNPJ>42424242000161</CNPJ><xNome>Açaí do João</xNome></dest>' }) + protocolo(),
);
const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const utf16be = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf16le').swap16());

/** A note signed as SEFAZ asks; the fixture is canonical but for the namespace in scope. */
function assinada(): string {
  const infNFe = /<infNFe.*<\/infNFe>/.exec(nota())?.[0] ?? '';
  const form = infNFe.replace('<infNFe', `<infNFe${NS}`);
  return processada(nota({ assinatura: signature({ uri: `#NFe${chaveDe()}`, form }) }) + protocolo());
}

function recipientOf(bytes: Uint8Array): string | null | undefined {
  const { registro } = lida(only(readBytes(bytes)));
  return (registro as Documento).participantes.find(({ papel }) => papel === 'destinatario')?.nome;
}

describe('the same note in every encoding', () => {
  const forms: [string, Uint8Array, string][] = [
    ['UTF-8', Buffer.from(DECLARED + XML), 'utf-8'],
    ['UTF-8 with byte order mark', Buffer.from(`\ufeff${DECLARED}${XML}`), 'utf-8'],
    ['UTF-8 with two byte order marks', Buffer.from(`\ufeff\ufeff${DECLARED}${XML}`), 'utf-8'],
    ['UTF-8 that declares ISO-8859-1', Buffer.from(DECLARED.replace('UTF-8', 'ISO-8859-1') + XML), 'utf-8'],
    ['no declaration', Buffer.from(XML), 'utf-8'],
    ['windows-1252 that declares UTF-8', latin1(DECLARED + XML), 'windows-1252'],
    ['windows-1252 without declaration', latin1(XML), 'windows-1252'],
    ['ISO-8859-1 as declared', latin1(DECLARED.replace('UTF-8', 'ISO-8859-1') + XML), 'iso-8859-1'],
    ['UTF-16LE with mark', new Uint8Array(Buffer.from(`\ufeff${XML}`, 'utf16le')), 'utf-16le'],
    ['UTF-16LE without mark', new Uint8Array(Buffer.from(XML, 'utf16le')), 'utf-16le'],
    ['UTF-16BE with mark', utf16be(`\ufeff${XML}`), 'utf-16be'],
    ['UTF-16BE without mark', utf16be(XML), 'utf-16be'],
  ];
  for (const [name, bytes, codificacao] of forms) {
    it(`reads the same: ${name}`, () => {
      assert.equal(recipientOf(bytes), 'Açaí do João');
      const piece = lida(only(readBytes(bytes)));
      assert.equal(piece.codificacao, codificacao);
      assert.equal(piece.bytes, bytes, 'kept as it came');
    });
  }
});

describe('the same note in UTF-32', () => {
  const utf32 = (text: string, write: 'writeUInt32LE' | 'writeUInt32BE'): Buffer => {
    const codes = [...text].map((one) => one.codePointAt(0) ?? 0);
    const bytes = Buffer.alloc(4 * codes.length);
    codes.forEach((code, at) => void bytes[write](code, 4 * at));
    return bytes;
  };
  for (const write of ['writeUInt32LE', 'writeUInt32BE'] as const)
    for (const mark of ['\ufeff', '']) {
      it(`reads it, and keeps UTF-8: ${write}, ${mark ? 'with' : 'without'} mark`, () => {
        const bytes = utf32(mark + DECLARED.replace('UTF-8', 'UTF-32') + XML, write);
        const piece = lida(only(readBytes(bytes)));
        assert.equal(recipientOf(bytes), 'Açaí do João');
        assert.deepEqual([piece.codificacao, textOf(piece.bytes).endsWith(XML)], ['utf-8', true]);
        assert.match(piece.registro.avisos.join(), /UTF-32/);
      });
    }
  it('a byte that makes no character is told where it stands, and UTF-16 is still UTF-16', () => {
    const bytes = utf32(XML, 'writeUInt32LE');
    bytes[4 * XML.indexOf('Açaí') + 3] = 0x7f;
    assert.equal(codeOf(only(readBytes(bytes))), 'xml_mal_formado');
    assert.equal(recipientOf(Buffer.from(`\ufeff${XML}`, 'utf16le')), 'Açaí do João');
  });
});

describe('dirt', () => {
  const clean = lida(only(ler(XML)));

  it('numeric entities break the digest, and the data is right', () => {
    const entities = XML.replace('Açaí do João', 'A&#231;a&#xED; do Jo&#227;o');
    assert.equal(recipientOf(Buffer.from(entities)), 'Açaí do João');
    assert.equal(
      lida(only(ler(entities))).registro.digest,
      clean.registro.digest,
      'canonical form has no entities',
    );
  });

  it('a pretty-printed copy is altered, and its data is right', () => {
    const signed = assinada();
    const pretty = signed.replaceAll('><', '>\n  <');
    assert.equal(lida(only(ler(signed))).assinatura.resultado, 'integra');
    const piece = lida(only(ler(pretty)));
    assert.equal(piece.assinatura.resultado, 'alterada');
    assert.equal(piece.registro.chave, lida(only(ler(signed))).registro.chave);
  });

  it('control characters are refused with the path of their element', () => {
    const { rejeicao } = rejeitada(only(ler(XML.replace('Açaí', 'A\u000bçaí'))));
    assert.equal(rejeicao.codigo, 'xml_mal_formado');
    assert.equal(rejeicao.elemento, 'nfeProc/NFe/infNFe/dest/xNome');
    assert.match(rejeicao.mensagem, /0x0B/);
  });

  it('a declaration in the middle, where an envelope was put around a whole file, is left out', () => {
    const inner = `<?xml version="1.0" encoding="ISO-8859-1"?>\n${XML}`;
    for (const text of [`<Envelope><return>${inner}</return></Envelope>`, `<a>${inner}${inner}</a>`]) {
      for (const piece of ler(text)) {
        assert.equal(textOf(lida(piece).bytes), XML);
        assert.match(lida(piece).registro.avisos.join(), /declaração <\?xml … \?> no meio/);
      }
    }
    assert.equal(codeOf(only(ler(`<a><?xml-stylesheet x?>${XML}</a>`))), 'lida');
    assert.deepEqual(ler(`<a><?xml version="1.0"?>${XML}`).map(codeOf), ['lida', 'xml_mal_formado']);
  });

  it('a declaration that stands twice is read once', () => {
    const piece = lida(only(ler(`${DECLARED}\n${DECLARED}${XML}`)));
    assert.equal(piece.registro.chave, chaveDe());
  });

  it('white space and NULs around the document are nothing', () => {
    const bytes = Buffer.from(`\u0000\r\n \t${DECLARED}${XML}\r\n\u0000\u0000 `);
    assert.equal(lida(only(readBytes(bytes))).bytes, bytes);
  });

  it('of two roots both are read, of a root and garbage the root', () => {
    const second = nota({ chave: chaveDe({ numero: '43' }) });
    assert.deepEqual(ler(`${DECLARED}${XML}\n${DECLARED}${second}`).map(chaveLida), [
      chaveDe(),
      chaveDe({ numero: '43' }),
    ]);
    assert.deepEqual(ler(`${XML}ignorar\u0000`).map(codeOf), ['lida', 'lixo_depois_do_documento']);
  });

  it('a file whose markup is escaped is unescaped, once or twice', () => {
    const once = XML.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const twice = once.replaceAll('&', '&amp;');
    for (const text of [once, twice, `\ufeff\n${once}`]) {
      const piece = lida(only(ler(text)));
      assert.equal(textOf(piece.bytes), XML);
      assert.match(piece.registro.avisos.join(), /escapado/);
    }
  });
});

describe('XML as text inside SOAP', () => {
  const soap = (inside: string) => `<s:Envelope xmlns:s="u:s"><s:Body><r>${inside}</r></s:Body></s:Envelope>`;
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const lie = `<?xml version="1.0" encoding="ISO-8859-1"?>${XML}`;
  const forms: [string, string][] = [
    ['escaped', escaped(XML)],
    ['escaped twice', escaped(escaped(XML))],
    ['in CDATA', `<![CDATA[${XML}]]>`],
    ['escaped in CDATA', `<![CDATA[${escaped(XML)}]]>`],
    ['with its own declaration', escaped(DECLARED + XML)],
    ['with a byte order mark', escaped(`\ufeff${DECLARED}${XML}`)],
    ['with a declaration that lies about its encoding', `<![CDATA[${lie}]]>`],
    ['in SOAP inside SOAP', escaped(soap(escaped(XML)))],
  ];
  for (const [name, inside] of forms) {
    it(`is read: ${name}`, () => {
      const piece = lida(only(ler(soap(inside))));
      assert.equal(textOf(piece.bytes), XML);
    });
  }

  it('is read where its own CDATA was split to fit into another', () => {
    const withCdata = XML.replace('Açaí do João', '<![CDATA[Açaí do João]]>');
    const piece = lida(only(ler(soap(`<![CDATA[${withCdata.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`))));
    assert.equal(textOf(piece.bytes), withCdata);
    assert.equal(recipientOf(piece.bytes), 'Açaí do João');
  });

  it('is not looked for in more elements than a file may have pieces', () => {
    const texts = `<b>&lt;i>${'x'.repeat(200)}</b>`.repeat(5_001);
    assert.equal(codeOf(only(ler(`<a>${texts}</a>`))), 'pecas_demais');
  });

  it('is not looked for without end', () => {
    assert.equal(
      codeOf(only(ler(soap(escaped(soap(escaped(soap(escaped(XML))))))))),
      'mensagem_sem_documento',
    );
  });
});
