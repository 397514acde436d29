import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesOf, chaveDe, NS, nota, procEvento, processada, protocolo } from '../amostras-de-teste.ts';
import { codeOf, ler, lida, only, readBytes, rejeitada, textOf } from '../leitura-de-teste.ts';
import type { Peca, ProtocoloAvulso } from '../tipos.ts';
import { joinProtocolo } from './avulso.ts';

const SEGUNDA = chaveDe({ numero: '43' });
const recibo = (inside: string): string =>
  `<retConsReciNFe${NS} versao="4.00"><nRec>351</nRec><cStat>104</cStat><xMotivo>Lote processado</xMotivo>${inside}</retConsReciNFe>`;

function protocolosDe(piece: Peca | undefined): readonly ProtocoloAvulso[] {
  return (piece && 'protocolos' in piece && piece.protocolos) || [];
}

describe('a protocol without its document', () => {
  it('is brought by the answer to a lot, which is named for what it is, once', () => {
    const piece = only(
      ler(recibo(protocolo({ digVal: 'YWJj' }) + protocolo({ chave: SEGUNDA, cStat: '301' }))),
    );
    assert.deepEqual([codeOf(piece), rejeitada(piece).chave], ['mensagem_sem_documento', chaveDe()]);
    const [authorised, denied] = protocolosDe(piece);
    assert.deepEqual(
      [authorised?.chave, authorised?.ambiente, authorised?.status, authorised?.digVal],
      [chaveDe(), 1, 'Autorizada', 'YWJj'],
    );
    assert.deepEqual([denied?.chave, denied?.status, denied?.digVal], [SEGUNDA, 'Denegada', null]);
    assert.match(
      textOf(authorised?.bytes ?? bytesOf('')),
      /^<protNFe xmlns="http[^"]+" versao="4.00">.*<\/protNFe>$/,
    );
  });

  it('is one of a hundred that a piece brings at most, for a piece is stored whole', () => {
    const pieces = ler(recibo(protocolo().repeat(250)));
    assert.deepEqual(
      pieces.map((piece) => [codeOf(piece), protocolosDe(piece).length]),
      [100, 100, 50].map((count) => ['mensagem_sem_documento', count]),
    );
  });

  it('is brought by the answer to a query beside the events of the note', () => {
    const pieces = ler(`<retConsSitNFe${NS}>${protocolo()}${procEvento()}</retConsSitNFe>`);
    assert.deepEqual(pieces.map(codeOf), ['lida', 'protocolo_sem_documento']);
    assert.equal(protocolosDe(pieces[1])[0]?.chave, chaveDe());
  });

  it('is brought by a wrapper that lost its note, and by itself', () => {
    for (const xml of [processada(protocolo()), protocolo()])
      assert.equal(protocolosDe(only(ler(xml)))[0]?.chave, chaveDe());
  });

  it('is found once where others stand inside it, and is not kept where it is longer than SEFAZ writes any', () => {
    let nested = protocolo({ chave: SEGUNDA });
    for (let depth = 0; depth < 20; depth++)
      nested = protocolo().replace('</protNFe>', `${nested}</protNFe>`);
    const pieces = ler(recibo(nested));
    assert.equal(protocolosDe(only(pieces)).length, 1);
    const long = protocolo().replace('</infProt>', `<x>${'x'.repeat(17_000)}</x></infProt>`);
    assert.deepEqual(protocolosDe(only(ler(recibo(long)))), []);
  });

  it('is nothing to keep where it refuses, takes note only, or does not say of what it speaks', () => {
    const none = [
      protocolo({ cStat: '539' }),
      protocolo({ cStat: '136' }),
      protocolo().replace(/<chNFe>.*<\/chNFe>/, ''),
      protocolo().replace('<tpAmb>1</tpAmb>', ''),
    ];
    for (const xml of none) {
      const piece = only(ler(recibo(xml)));
      assert.deepEqual([codeOf(piece), protocolosDe(piece)], ['mensagem_sem_documento', []], xml);
    }
  });
});

describe('a document and the protocol that came in another file', () => {
  const answer = (xml: string): Uint8Array => protocolosDe(ler(recibo(xml))[0])[0]?.bytes ?? bytesOf('');

  it('are the nfeProc that SEFAZ gives out, the note byte for byte', () => {
    const note = nota();
    const joined = joinProtocolo(
      bytesOf(`<?xml version="1.0" encoding="UTF-8"?>\n${note}\n`),
      answer(protocolo()),
    );
    const piece = lida(only(readBytes(joined ?? bytesOf(''))));
    assert.ok(textOf(piece.bytes).includes(note));
    assert.match(textOf(piece.bytes), /^<nfeProc xmlns="http[^"]+" versao="4.00"><NFe/);
    assert.equal(piece.registro.classe === 'documento' && piece.registro.statusProtocolo, 'Autorizada');
    assert.equal(piece.registro.digest, lida(only(ler(note))).registro.digest);
  });

  it('are found inside what is kept, in whatever encoding it is', () => {
    const latin = Buffer.from(
      `<?xml version="1.0" encoding="ISO-8859-1"?>${nota({ emit: '<emit><CNPJ>31313131000199</CNPJ><xNome>Pão</xNome></emit>' })}`,
      'latin1',
    );
    const kept = joinProtocolo(latin, answer(protocolo()));
    assert.match(textOf(kept ?? bytesOf('')), /Pão/);
    // A note that has a protocol already takes the one that says more.
    const both = joinProtocolo(bytesOf(processada()), answer(protocolo({ cStat: '101' })));
    const piece = lida(only(readBytes(both ?? bytesOf(''))));
    assert.equal(piece.registro.classe === 'documento' && piece.registro.statusProtocolo, 'Cancelada');
  });

  it('are nothing where what is kept is no such XML', () => {
    for (const text of ['NOTAFISCAL|1|', '<CFe/>', '<NFe', '']) {
      assert.equal(joinProtocolo(bytesOf(text), answer(protocolo())), null, text);
    }
  });
});
