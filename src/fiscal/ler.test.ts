import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  bytesOf,
  chaveDe,
  cnpj,
  EMITENTE,
  ID_INUTILIZACAO,
  NS,
  nota,
  procEvento,
  processada,
  procInut,
  protocolo,
  retInut,
  SEM_ESQUEMA,
  withWrongDigit,
} from './amostras-de-teste.ts';
import { CHAVE_CTE, cte, cteProc, procEventoCte, protCte } from './cte/amostras-de-teste.ts';
import { chaveLida, codeOf, ler, lida, only, readBytes, rejeitada, textOf } from './leitura-de-teste.ts';

const SEGUNDA = chaveDe({ numero: '43' });
const NOTA_2 = nota({ chave: SEGUNDA });
const soap = (inside: string) =>
  `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><nfeResultMsg>${inside}</nfeResultMsg></s:Body></s:Envelope>`;

describe('a file that is one document', () => {
  it('keeps the very bytes that came, with their encoding', () => {
    const declared = `<?xml version="1.0" encoding="ISO-8859-1"?>\r\n${processada(nota({ partes: '<infAdic>ção</infAdic>' }) + protocolo())}\n`;
    const latin1 = new Uint8Array(Buffer.from(declared, 'latin1'));
    const piece = lida(only(readBytes(latin1)));
    assert.equal(piece.bytes, latin1);
    assert.equal(piece.codificacao, 'iso-8859-1');
    assert.equal(piece.especie, 'NFe');
    assert.equal(piece.assinatura.resultado, 'sem_assinatura');
    assert.deepEqual(piece.esquema, SEM_ESQUEMA.validar(undefined as never, undefined as never));
  });

  it('may be a note, an event or an inutilização', () => {
    const kinds = [nota(), processada(), procEvento(), procInut(), retInut()].map(
      (xml) => only(ler(xml)).especie,
    );
    assert.deepEqual(kinds, ['NFe', 'NFe', 'Evento', 'Inutilizacao', 'Inutilizacao']);
    assert.equal(chaveLida(only(ler(procInut()))), ID_INUTILIZACAO);
  });

  it('is found whatever its name', () => {
    for (const nome of ['nota.txt', 'nota', 'danfe.pdf'])
      assert.equal(only(ler(nota(), nome)).resultado, 'lida');
  });

  it('tells what was odd about the bytes', () => {
    const bytes = new Uint8Array(Buffer.from(nota({ partes: '<infAdic>ção</infAdic>' }), 'latin1'));
    const piece = lida(only(readBytes(bytes)));
    assert.equal(piece.bytes, bytes);
    assert.ok(piece.registro.avisos.length > 0);
  });

  it('stays as it was read when other files are read afterwards, in memory that is used again', () => {
    const wrongDigit = nota({ chave: withWrongDigit(SEGUNDA) });
    const files = [nota(), procEvento(), procInut(), wrongDigit, soap(nota() + NOTA_2), `${NOTA_2}${nota()}`];
    const read = files.map((xml) => ler(xml));
    const atOnce = read.map((pieces) => structuredClone(pieces));
    for (const xml of files.toReversed()) ler(xml.replaceAll('1', '2'));
    assert.deepEqual(read, atOnce);
    assert.deepEqual(
      files.map((xml) => ler(xml)),
      atOnce,
    );
  });

  it('gives the same digest to the same note bare and in its protocol', () => {
    const digest = (xml: string) => lida(only(ler(xml))).registro.digest;
    assert.equal(digest(nota()), digest(processada()));
    assert.notEqual(digest(nota()), digest(NOTA_2));
  });
});

describe('documents in wrappers', () => {
  it('each note of an enviNFe is a document of its own, with the namespace it inherits', () => {
    const notes = [nota({ ns: '' }), nota({ ns: '', chave: SEGUNDA })];
    const pieces = ler(`<enviNFe${NS} versao="4.00"><idLote>1</idLote>${notes.join('\n')}</enviNFe>`);
    assert.deepEqual(pieces.map(chaveLida), [chaveDe(), SEGUNDA]);
    const first = lida(pieces[0]);
    assert.equal(textOf(first.bytes), nota({ ns: NS }));
    assert.equal(first.codificacao, 'utf-8');
    assert.deepEqual(first.registro.avisos, []);
    assert.equal(only(readBytes(first.bytes)).resultado, 'lida', 'stands alone');
  });

  it('keeps a note with its protocol, not the wrapper around them', () => {
    const xml = processada();
    const piece = lida(only(ler(`<nfeProcB2B>${xml}<extra/></nfeProcB2B>`)));
    assert.equal(textOf(piece.bytes), xml);
    assert.equal(piece.registro.protocolo?.cStat, '100');
  });

  it('takes a wrapper of any name that holds a note and its protocol and nothing else', () => {
    const odd = `<procNFe${NS}>${nota({ ns: '' })}${protocolo()}</procNFe>`;
    assert.equal(lida(only(ler(odd))).registro.protocolo?.cStat, '100');
  });

  it('finds events in the answer to a query, and does not take a note twice', () => {
    const answer = `<retConsSitNFe${NS}><cStat>101</cStat>${protocolo()}${procEvento()}${procEvento({ codigo: '110110' })}</retConsSitNFe>`;
    const pieces = ler(soap(answer));
    // The protocol is of a note that is not there: told, and nothing is wrong with the file.
    assert.equal(codeOf(pieces.pop() as (typeof pieces)[0]), 'protocolo_sem_documento');
    assert.deepEqual(
      pieces.map((p) => [p.especie, lida(p).registro.classe === 'evento' && chaveLida(p)]),
      [
        ['Evento', chaveDe()],
        ['Evento', chaveDe()],
      ],
    );
    assert.equal(textOf(lida(pieces[0]).bytes).startsWith('<procEventoNFe xmlns'), true);
  });

  it('finds the events that were put into the file of their note, each a document of its own', () => {
    const corrected = processada(`${nota()}${procEvento({ codigo: '110110' })}${protocolo()}`);
    const pieces = ler(corrected).map(lida);
    assert.deepEqual(
      pieces.map(({ especie }) => especie),
      ['NFe', 'Evento'],
    );
    assert.equal(textOf(pieces[0]?.bytes ?? new Uint8Array()), corrected);
    assert.equal(textOf(pieces[1]?.bytes ?? new Uint8Array()), procEvento({ codigo: '110110' }));

    const cancelled = cteProc(`${cte()}${protCte()}${procEventoCte({ codigo: '110111' })}`);
    const [conhecimento, cancelamento] = ler(cancelled).map(lida);
    assert.equal(conhecimento?.especie, 'CTe');
    assert.ok(cancelamento?.registro.classe === 'evento');
    assert.deepEqual([cancelamento.registro.chave, cancelamento.registro.efeito], [CHAVE_CTE, 'cancela']);
  });

  it('reads XML that travels as text, escaped or in CDATA', () => {
    const escaped = processada().replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const declared = `<?xml version="1.0" encoding="ISO-8859-1"?>${processada()}`;
    for (const inside of [escaped, `<![CDATA[${declared}]]>`]) {
      const piece = lida(only(ler(soap(`<return>${inside}</return>`))));
      assert.equal(textOf(piece.bytes), processada());
      assert.match(piece.registro.avisos.join(), /texto dentro de outro XML/);
    }
  });

  it('reads XML that travels in attributes, as databases export them', () => {
    const other = processada(nota({ chave: SEGUNDA }) + protocolo({ chave: SEGUNDA }));
    const [one, two] = [processada(), other].map((xml) =>
      xml.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    );
    const pieces = ler(
      `<dados><linha id="1" XML="${one}"/><linha id="2" XML="${two}"><obs/></linha></dados>`,
    );
    assert.deepEqual(pieces.map(chaveLida), [chaveLida(only(ler(processada()))), SEGUNDA]);
    assert.equal(textOf(lida(pieces[0]).bytes), processada());
  });

  it('tells what stands beside a note and is not read', () => {
    const pieces = ler(
      `<lote>${nota()}<mdfeProc><MDFe/></mdfeProc><resNFe${NS}><chNFe>${SEGUNDA}</chNFe></resNFe></lote>`,
    );
    assert.deepEqual(pieces.map(codeOf), ['lida', 'documento_nao_suportado', 'esperado']);
    assert.equal(rejeitada(pieces[1]).especie, 'Outro');
  });

  it('tells a fault inside a wrapper where it stands in the file', () => {
    const bad = nota({ ns: '', data: '<dhEmi>ontem</dhEmi>' });
    const xml = `<enviNFe${NS}>\n<idLote>1</idLote>\n  ${bad}</enviNFe>`;
    const { rejeicao } = rejeitada(only(ler(xml)));
    const line = xml.split('\n')[2] ?? '';
    assert.deepEqual([rejeicao.linha, rejeicao.coluna], [3, line.indexOf('<dhEmi>') + 1]);
    assert.equal(rejeicao.elemento, 'NFe/infNFe/ide/dhEmi');
  });
});

describe('several roots in one file', () => {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>';

  it('are read each for itself', () => {
    for (const gap of ['', '\r\n', `\n${declaration}`, '\u0000']) {
      const pieces = ler(`${declaration}${processada()}${gap}${NOTA_2}`);
      assert.deepEqual(pieces.map(chaveLida), [chaveDe(), SEGUNDA]);
      assert.equal(textOf(lida(pieces[1]).bytes), NOTA_2);
      assert.equal(textOf(lida(pieces[0]).bytes), processada());
    }
  });

  it('keep a whole first document when the second is cut off', () => {
    const pieces = ler(`${processada()}\n${NOTA_2.slice(0, 200)}`);
    assert.deepEqual(pieces.map(codeOf), ['lida', 'xml_mal_formado']);
    const fault = rejeitada(pieces[1]).rejeicao;
    assert.equal(fault.linha, 2, 'lines count from the start of the file');
  });

  it('tell the place of a fault in a later one from the start of the file', () => {
    const bad = nota({ id: ' Id="NFe1"' });
    const pieces = ler(`${nota()}\n\n${nota()} ${bad}`);
    const { linha, coluna } = rejeitada(pieces[2]).rejeicao;
    assert.deepEqual([linha, coluna], [3, nota().length + 2 + bad.indexOf('<infNFe')]);
  });

  it('junk behind a document is told, and the document is read', () => {
    for (const junk of ['LIXO', '\u0000\u0000fim 123', '</nfeProc>', '&&& <']) {
      const pieces = ler(processada() + junk);
      assert.deepEqual(pieces.map(codeOf), ['lida', 'lixo_depois_do_documento'], junk);
      assert.equal(textOf(lida(pieces[0]).bytes), processada());
    }
  });

  it('junk between two is told once', () => {
    assert.deepEqual(ler(`${nota()}---${NOTA_2}`).map(codeOf), ['lida', 'lixo_depois_do_documento', 'lida']);
  });

  it('are read each for itself when they are long', () => {
    const long = (n: number) =>
      nota({ chave: chaveDe({ numero: String(n) }), partes: `<infAdic>${'é'.repeat(n * 9_000)}</infAdic>` });
    const numbers = [1, 2, 3, 9];
    const pieces = ler(numbers.map(long).join(`\n<!-- ${'x'.repeat(17_000)} -->\n`));
    assert.deepEqual(
      pieces.map(chaveLida),
      numbers.map((n) => chaveDe({ numero: String(n) })),
    );
    assert.deepEqual(
      pieces.map((p) => textOf(lida(p).bytes)),
      numbers.map(long),
    );
  });

  it('blanks, NULs and comments behind a document are nothing', () => {
    const xml = `${processada()}\n<!-- fim -->\n\u0000\u0000`;
    const piece = lida(only(ler(xml)));
    assert.equal(textOf(piece.bytes), xml);
  });

  it('do not cost the square of the file where each is followed by a comment or instruction that never ends', () => {
    for (const open of ['<!--', '<?b ', '<!b']) {
      const before = process.cpuUsage();
      assert.equal(readBytes(bytesOf(`<a/>${open}`.repeat(400_000)))[0]?.resultado, 'rejeitada', open);
      // Of processor time, in µs: the square takes minutes.
      assert.ok(process.cpuUsage(before).user < 20_000_000, open);
    }
  });
});

describe('a list of access keys', () => {
  it('gives one expected document for each key, once', () => {
    const pieces = ler(
      `\ufeff${chaveDe()}\r\n\r\n  ${SEGUNDA.toLowerCase()}\r\n${chaveDe()}\r\n`,
      'chaves.txt',
    );
    assert.deepEqual(pieces, [
      { resultado: 'esperado', especie: 'Chave', chave: chaveDe(), origem: 'lista', mensagem: null },
      { resultado: 'esperado', especie: 'Chave', chave: SEGUNDA, origem: 'lista', mensagem: null },
    ]);
  });

  it('reads keys as spreadsheets write a column: in quotes, with a separator behind each', () => {
    for (const list of [
      `"${chaveDe()}"\n"${SEGUNDA}"`,
      `${chaveDe()};\r\n${SEGUNDA};\r\n`,
      `'${chaveDe()},\n${SEGUNDA},`,
      `${chaveDe()}\t\n${SEGUNDA}\t`,
    ])
      assert.deepEqual(ler(list, 'chaves.txt').map(codeOf), ['esperado', 'esperado'], list);
  });

  it('reads keys in the groups that a DANFE prints, and with their literal', () => {
    const grouped = chaveDe().replace(/(.{4})/g, '$1 ');
    assert.deepEqual(ler(`${grouped}\nNFe${SEGUNDA}`).map(codeOf), ['esperado', 'esperado']);
  });

  it('tells each wrong line by its number', () => {
    const pieces = ler(
      `${chaveDe()}\n123\n${withWrongDigit(SEGUNDA)}\n${chaveDe({ modelo: '58' })}`,
      'c.txt',
    );
    assert.deepEqual(
      pieces.slice(1).map((p) => [codeOf(p), rejeitada(p).rejeicao.linha, p.especie]),
      [
        ['chave_invalida', 2, 'Chave'],
        ['chave_com_dv_invalido', 3, 'Chave'],
        ['documento_nao_suportado', 4, 'Chave'],
      ],
    );
  });
});

describe('lerConteudo', () => {
  it('never throws, and always says something', () => {
    const base = bytesOf(processada());
    fc.assert(
      fc.property(
        fc.nat(base.length),
        fc.nat(base.length),
        fc.uint8Array({ maxLength: 8 }),
        (from, length, filling) => {
          const bytes = Uint8Array.from([
            ...base.subarray(0, from),
            ...filling,
            ...base.subarray(from + length),
          ]);
          assert.ok(readBytes(bytes).length > 0);
        },
      ),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => readBytes(bytes).length > 0),
      { numRuns: 300 },
    );
  });

  it('does not mistake a note of one office for that of another: every party is in it', () => {
    const dest = cnpj('979797970001');
    const piece = lida(only(ler(nota({ dest: `<dest><CNPJ>${dest}</CNPJ></dest>` }))));
    assert.equal(piece.registro.classe, 'documento');
    if (piece.registro.classe !== 'documento') return;
    assert.deepEqual(
      piece.registro.participantes.map((p) => p.cpfCnpj),
      [EMITENTE, dest],
    );
  });
});
