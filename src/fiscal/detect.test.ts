import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesOf, chaveDe } from './amostras-de-teste.ts';
import { compactador, type Formato, sniff } from './detect.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const utf16 = (text: string): Uint8Array => bytes(0xff, 0xfe, ...Buffer.from(text, 'utf16le'));

describe('sniff', () => {
  const cases: [string, Uint8Array, Formato][] = [
    ['nothing', bytes(), 'vazio'],
    ['white space and a byte order mark', bytesOf('\ufeff \r\n\t '), 'vazio'],
    ['a long blank file', bytesOf(' '.repeat(10_000)), 'vazio'],
    ['XML', bytesOf('<NFe/>'), 'xml'],
    ['XML behind two byte order marks, blanks and NULs', bytesOf('\ufeff\ufeff\u0000\r\n <NFe/>'), 'xml'],
    ['XML in UTF-16', utf16('<?xml version="1.0"?><NFe/>'), 'xml'],
    ['XML in ISO-8859-1', bytes(...Buffer.from('<a>ção</a>', 'latin1')), 'xml'],
    ['XML behind a line of text', bytesOf('HTTP/1.1 200 OK\r\n\r\n<?xml version="1.0"?><NFe/>'), 'xml'],
    ['an HTML page', bytesOf('<!DOCTYPE html><html></html>'), 'html'],
    ['an XHTML page', bytesOf('<?xml version="1.0"?>\n<!-- x --><html xmlns="u"></html>'), 'html'],
    ['a PDF', bytesOf('%PDF-1.4\n...'), 'pdf'],
    ['a PNG', bytes(0x89, 0x50, 0x4e, 0x47, 13, 10), 'imagem'],
    ['a JPEG', bytes(0xff, 0xd8, 0xff, 0xe0, 0, 16), 'imagem'],
    ['a bitmap', bytes(0x42, 0x4d, 0x36, 0, 0, 0, 0, 0), 'imagem'],
    ['text that begins like a bitmap', bytesOf('BMW comprou'), 'carta'],
    ['RAR', bytesOf('Rar!\u001a\u0007\u0000'), 'compactado'],
    ['7z', bytes(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4), 'compactado'],
    ['gzip', bytes(0x1f, 0x8b, 8, 0), 'gzip'],
    ['gzip in Base64', bytesOf('H4sIAAAAAAAEALMpyk9Nt'), 'gzip_base64'],
    ['XML whose markup is escaped', bytesOf('\ufeff&lt;?xml version="1.0"?&gt;&lt;NFe/&gt;'), 'xml_escapado'],
    ['XML in UTF-16 without byte order mark', bytes(...Buffer.from('<NFe/>', 'utf16le')), 'xml'],
    ['a piece of HTML', bytesOf('<head><title>Erro</title></head>'), 'html'],
    ['a SOAP body, which is no HTML', bytesOf('<Body><nfeResultMsg/></Body>'), 'xml'],
    ['OFX', bytesOf('OFXHEADER:100\r\nDATA:OFXSGML\r\n'), 'banco'],
    ['OFX as XML', bytesOf('<?OFX OFXHEADER="200"?><OFX></OFX>'), 'banco'],
    ['CNAB 240', bytesOf(`34100000         ${'2'.repeat(223)}\r\n`), 'banco'],
    ['CNAB 400', bytesOf(`02RETORNO01COBRANCA${' '.repeat(381)}\r\n`), 'banco'],
    ['a document of the older Office', bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), 'office'],
    ['RTF', bytesOf('{\\rtf1\\ansi nota}'), 'office'],
    ['JSON', bytesOf('{ "nfseXmlGZipB64": "<?xml" }'), 'json'],
    ['a JSON list', bytesOf('[{"a":1}]'), 'json'],
    ['SPED', bytesOf('|0000|017|0|01012026|31012026|EMPRESA|'), 'sped'],
    ['NF-e in TXT', bytesOf('NOTAFISCAL|1|\nA|4.00||\n'), 'nfe_txt'],
    ['NF-e in TXT, older marker', bytesOf('NOTA FISCAL|1|\n'), 'nfe_txt'],
    ['NF-e in TXT without its marker', bytesOf('A|4.00|NFe|\n'), 'nfe_txt'],
    ['a list of keys', bytesOf(`${chaveDe()}\r\n\r\n${chaveDe({ numero: '43' })}\r\n`), 'lista_de_chaves'],
    ['a list with a heading and a bad line', bytesOf(`Chave\n${chaveDe()}\n123\n`), 'lista_de_chaves'],
    ['a list in UTF-16', utf16(chaveDe()), 'lista_de_chaves'],
    ['words', bytesOf('Boa tarde\nsegue a nota, obrigado!'), 'carta'],
    ['XML behind many comments', bytesOf(`${'<!-- x -->\n'.repeat(300)}<NFe/>`), 'xml'],
    ['HTML behind comments', bytesOf('<!-- a --><!-- b -->\n<html></html>'), 'html'],
    ['megabytes of blanks before a word', bytesOf(`${' \n'.repeat(4_000_000)}x`), 'carta'],
    ['words without a key', bytesOf('segue a nota'), 'carta'],
    ['a table with a key in it', bytesOf(`${chaveDe()};2026-03-10;150,00\n`), 'lista_de_chaves'],
    ['a list below a greeting', bytesOf(`Segue a chave:\n\n${chaveDe()}\nObrigado!\n`), 'lista_de_chaves'],
    ['a letter that names a key', bytesOf(`${'Bom dia a todos\n'.repeat(12)}a nota é ${chaveDe()}`), 'carta'],
    ['a table', bytesOf('Número;Data;Valor\r\n77;10/03/2026;1.500,00\r\n'), 'tabela'],
    ['a table of one line', bytesOf('a;b;c'), 'tabela'],
    ['figures', bytesOf('1001123456782026010120260131\r\n20000007720260310261\r\n9\r\n'), 'texto'],
    ['WebP', bytesOf('RIFF\u0010\u0000\u0000\u0000WEBPVP8 '), 'imagem'],
    ['HEIC', bytesOf('\u0000\u0000\u0000\u0018ftypheic\u0000\u0000'), 'imagem'],
    ['a film', bytesOf('\u0000\u0000\u0000\u0018ftypisom\u0000\u0000'), 'midia'],
    ['PKCS#12', bytes(0x30, 0x82, 0x09, 0xc6, 0x02, 0x01, 0x03, 0x30), 'certificado'],
    ['a certificate in PEM', bytesOf('-----BEGIN CERTIFICATE-----\nMIIB\n'), 'certificado'],
    ['a link of Windows', bytes(0x4c, 0, 0, 0, 1, 0x14, 2, 0, 0, 0), 'atalho'],
    ['a link of a browser', bytesOf('[InternetShortcut]\r\nURL=https://x/\r\n'), 'atalho'],
    ['a program', bytes(0x4d, 0x5a, 0x90, 0, 3, 0, 0, 0), 'programa'],
    ['SQLite', bytesOf('SQLite format 3\u0000'), 'banco_de_dados'],
    ['AppleDouble', bytes(0, 5, 0x16, 7, 0, 2), 'sistema'],
    ['anything else', bytes(1, 2, 3, 0, 255, 254, 1, 2), 'binario'],
  ];
  for (const [what, content, expected] of cases) {
    it(`knows ${what}`, () => assert.equal(sniff(content), expected));
  }

  it('names the program that compressed a file', () => {
    assert.equal(compactador(bytesOf('Rar!\u001a\u0007\u0000')), 'RAR');
    assert.equal(compactador(bytes(0x28, 0xb5, 0x2f, 0xfd)), 'Zstandard');
  });

  it('knows what stands behind millions of blanks, or that there is nothing', () => {
    for (const blank of [' ', '\n', '\0']) {
      const blanks = blank.repeat(9_900_000);
      assert.equal(sniff(bytesOf(blanks)), 'vazio');
      assert.equal(sniff(bytesOf(`${blanks}<a/>`)), 'xml');
    }
  });
});
