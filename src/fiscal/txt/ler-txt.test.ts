import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  bytesOf,
  chaveDe,
  DESTINATARIO,
  EMITENTE,
  PRODUTOR,
  TRANSPORTADOR,
  withWrongDigit,
} from '../amostras-de-teste.ts';
import { codeOf, ler, lida, only, readBytes, rejeitada, textOf } from '../leitura-de-teste.ts';
import type { Documento, Peca } from '../tipos.ts';
import { CHAVE_TXT, notaTxt, type OpcoesDoTxt } from './amostras-de-teste.ts';
import { LINES_LIMIT } from './linhas.ts';

function documento(piece: Peca | undefined): Documento {
  const { registro } = lida(piece);
  if (registro.classe !== 'documento') throw new Error(`it is a ${registro.classe}`);
  return registro;
}

const read = (options: OpcoesDoTxt = {}): Documento => documento(only(ler(notaTxt(options), 'nota.txt')));
const refusal = (options: OpcoesDoTxt = {}) => rejeitada(only(ler(notaTxt(options), 'nota.txt')));

describe('a note in the TXT layout', () => {
  it('is a document without protocol, with everything its lines say', () => {
    const piece = lida(only(ler(`NOTAFISCAL|1|\n${notaTxt()}`, 'nota.txt')));
    const note = documento(piece);
    assert.equal(note.chave, CHAVE_TXT);
    assert.deepEqual([note.especie, note.modelo, note.layout, note.ambiente], ['NFe', '55', '4.00', 1]);
    assert.deepEqual(
      [note.serie, note.numero, note.natureza, note.tpNF],
      ['1', '42', 'Venda de mercadoria', '1'],
    );
    assert.equal(note.dataEmissao, '2026-03-10T09:30:00-03:00');
    assert.deepEqual([note.statusProtocolo, note.protocolo], ['Pendente', null]);
    assert.equal(note.valor, '150.00');
    assert.equal(note.finalidade?.codigo, '1');
    assert.deepEqual(note.itens, [{ numero: 1, cfop: '5102', ncm: '19059090', valor: '150.00' }]);
    assert.deepEqual(
      note.participantes.map(({ papel, cpfCnpj, nome }) => [papel, cpfCnpj, nome]),
      [
        ['emitente', EMITENTE, 'Padaria Aurora Ltda'],
        ['destinatario', DESTINATARIO, 'Mercado Horizonte'],
        ['transportador', TRANSPORTADOR, 'Transportes Ligeiro'],
      ],
    );
    assert.equal(piece.esquema.motivo, 'TXT não tem esquema.');
    assert.equal(piece.assinatura.resultado, 'sem_assinatura');
  });

  it('of model 65 is an NFC-e, of tpAmb 2 one of homologação', () => {
    const note = read({ modelo: '65', tpAmb: '2' });
    assert.deepEqual([note.especie, note.modelo, note.ambiente], ['NFCe', '65', 2]);
  });

  it('names every part that its lines have', () => {
    const depois = [
      `F02|${EMITENTE}|`,
      `G02a|${PRODUTOR}|`,
      `GA02|${DESTINATARIO}|`,
      `GA03|${PRODUTOR}|`,
      `YB|${TRANSPORTADOR}|loja|`,
    ];
    assert.deepEqual(
      read({ depois: depois.join('\n'), emitente: `C02a|${PRODUTOR}|`, serie: '920' })
        .participantes.map(({ papel, cpfCnpj }) => `${papel} ${cpfCnpj}`)
        .filter((text) => !/^(destinatario|transportador)/.test(text)),
      [
        `emitente ${PRODUTOR}`,
        `retirada ${EMITENTE}`,
        `entrega ${PRODUTOR}`,
        `intermediario ${TRANSPORTADOR}`,
        `autorizado ${DESTINATARIO}`,
        `autorizado ${PRODUTOR}`,
      ],
    );
  });
});

describe('the parts of a TXT note', () => {
  const parts = (depois: readonly string[]): string[] =>
    read({ depois: depois.join('\n') })
      .participantes.filter(({ papel }) => !/^(emitente|destinatario|transportador)$/.test(papel))
      .map(({ papel, cpfCnpj, nome }) => `${papel} ${cpfCnpj} ${nome}`);

  it('have the names of the lines F02b and G02b, or what lines F and G begin with', () => {
    const rua = 'Rua A|1||Centro|3550308|Sao Paulo|SP|01001000|1058|BRASIL|||';
    assert.deepEqual(parts([`F|${rua}`, `F02|${TRANSPORTADOR}|`, 'F02b|Deposito|', `G|${rua}`]), [
      `retirada ${TRANSPORTADOR} Deposito`,
    ]);
    assert.deepEqual(parts([`F|${TRANSPORTADOR}|Deposito|${rua}`, `G|${PRODUTOR}|Sitio|${rua}`]), [
      `retirada ${TRANSPORTADOR} Deposito`,
      `entrega ${PRODUTOR} Sitio`,
    ]);
  });

  it('may be authorised by the lines of 3.10', () => {
    assert.deepEqual(parts([`G51|${TRANSPORTADOR}|`, `G52|${PRODUTOR}|`]), [
      `autorizado ${TRANSPORTADOR} null`,
      `autorizado ${PRODUTOR} null`,
    ]);
  });
});

describe('the key of a TXT note', () => {
  it('is that of line A where there is one', () => {
    const chave = chaveDe({ final: '187654321' });
    assert.equal(read({ id: `NFe${chave}`, cNF: '' }).chave, chave);
    assert.equal(read({ id: chave }).chave, chave);
  });

  it('is made of lines B and C02 where A has none, with its check digit', () => {
    const note = read();
    assert.equal(note.chave, CHAVE_TXT);
    assert.match(note.avisos.join(), /foi formada com os campos das linhas B e C02/);
    const farmer = read({ emitente: `C02a|${PRODUTOR}|`, serie: '920' });
    assert.equal(farmer.chave, chaveDe({ emitente: `000${PRODUTOR}`, serie: '920' }));
  });

  it('has no tpEmis but a cNF of nine digits up to layout 1.10', () => {
    const b = 'B|35|123456789|Venda|0|55|1|42|2008-03-10|2008-03-11|1|3550308|1|1|0|1|1|0|1.0|';
    const note = read({ versao: '1.10', b });
    assert.equal(note.chave, chaveDe({ anoMes: '0803', final: '123456789' }));
    assert.deepEqual([note.tpNF, note.ambiente], ['1', 1]);
  });

  it('that cannot be made is told', () => {
    const refused = refusal({ cNF: '', id: 'NFe' });
    assert.equal(refused.rejeicao.codigo, 'txt_sem_chave');
    assert.equal(refused.rejeicao.linha, 1);
  });

  it('with a check digit that is not its own is refused, for no protocol confirms it', () => {
    const chave = withWrongDigit(chaveDe());
    const refused = refusal({ id: `NFe${chave}` });
    assert.deepEqual([refused.rejeicao.codigo, refused.chave], ['chave_com_dv_invalido', chave]);
  });

  it('that says other things than the lines is told', () => {
    const note = read({ id: `NFe${chaveDe({ numero: '77', emitente: DESTINATARIO })}` });
    assert.match(note.avisos.join(), /não confere com o conteúdo da nota em: emitente, nNF\./);
  });
});

describe('the dialects of the TXT layout', () => {
  const lines: [string, OpcoesDoTxt, Partial<Documento>][] = [
    [
      '2.00',
      {
        versao: '2.00',
        b: 'B|35|12345678|Venda|0|55|1|42|2011-12-20|||0|3550308|1|1|0|1|1|3|2.0.3|||',
        i: 'I|P1||Pão|19059090||6101|UN|10|15|150.00||UN|10|15|||||1|||',
        w02: 'W02|0.00|0.00|0.00|0.00|150.00|0.00|0.00|10.00|0.00|0.00|0.00|0.00|0.00|140.00|',
      },
      { dataEmissao: '2011-12-20T00:00:00-02:00', tpNF: '0', valor: '140.00' },
    ],
    [
      '3.10',
      {
        versao: '3.10',
        b: 'B|35|12345678|Venda|1|55|1|42|2015-12-17T11:39:00-02:00||0|2|3550308|1|1|6|1|4|1|2|3|3.10|||',
        i: 'I|P1||Pão|19059090||6101|UN|10|15|150.00||UN|10|15|||||1||||',
        w02: 'W02|0.00|0.00|0.00|0.00|0.00|150.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|9.50|159.50|30.00|',
      },
      { tpNF: '0', valor: '159.50' },
    ],
    [
      '3.10 of SEBRAE, with what is due to the other state',
      {
        w02: 'W02|150.00|27.00|0.00|0.00|0.00|0.00|0.00|0.00|150.00|0.00|0.00|10.00|0.00|0.00|1.00|4.00|9.50|149.50|30.00|',
      },
      { valor: '149.50' },
    ],
    [
      '3.10 of SEBRAE, without vTotTrib',
      {
        w02: 'W02|150.00|27.00|0.00|0.00|0.00|0.00|0.00|0.00|150.00|0.00|0.00|0.00|0.00|0.00|1.00|4.00|0.00|150.00||',
      },
      { valor: '150.00' },
    ],
    [
      '3.10 of SEBRAE, with an empty field behind what is due to the other state',
      {
        w02: 'W02|150.00|27.00|0.00|0.00|0.00|0.00||0.00|0.00|150.00|0.00|0.00|0.00|0.00|0.00|1.00|4.00|0.00|150.00|30.00|',
      },
      { valor: '150.00' },
    ],
    [
      '4.00 without vTotTrib',
      {
        w02: 'W02|150.00|27.00|0.00|0.00|0.00|0.00|0.00|0.00|150.00|0.00|0.00|10.00|0.00|0.00|0.00|1.00|4.00|9.50|149.50|',
      },
      { valor: '149.50' },
    ],
    [
      '4.00 of SEBRAE, with cMunFGIBS, cBenef and the single-phase fields',
      {
        b: 'B|35|12345678|Venda|55|1|42|2026-03-10T09:30:00-03:00|2026-03-11T09:30:00-03:00||0|1|3550308|3550308|1|1||1|6|07||0|1||0|ERP|||',
        i: 'I|P1|SEM GTIN|Pão|19059090|AB1234|1700700|S|31313131000199|SP123456||6101|UN|10|15|150.00|SEM GTIN|UN|10|15|||||1||||',
        w02: 'W02|0.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|1|1|1|1|1|1|150.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|150.00|30.00|',
      },
      { tpNF: '0', valor: '150.00' },
    ],
    [
      '4.00 of SEBRAE, with commas and blanks',
      {
        i: 'I|P1 |SEM GTIN|Pão  |19059090  ||  |||||6101|UN|  10,0000| 15,0000|   150,00||UN|10|15| | || |1||||',
        w02: 'W02|0,00|0,00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00| 150,00|0.00|0.00|0,00|0.00|0.00|0.00|0,00|0,00|0.00| 150,00|0.00|',
      },
      { valor: '150.00' },
    ],
  ];
  for (const [dialect, options, expected] of lines) {
    it(`are read by what stands in their fields: ${dialect}`, () => {
      const note = read(options);
      const item = dialect === '2.00' || dialect === '3.10' || options.i ? '6101' : '5102';
      assert.deepEqual(note.itens, [{ numero: 1, cfop: item, ncm: '19059090', valor: '150.00' }]);
      assert.equal(note.ambiente, 1);
      for (const [name, value] of Object.entries(expected))
        assert.deepEqual(note[name as keyof Documento], value, name);
    });
  }

  it('are not taken for another dialect whose products stand where a base of the same value does', () => {
    // vBCST is the sum of the items, and what a line of 2.00 has its total in is the IPI.
    const w02 =
      'W02|25.30|4.55|0.00|0.00|25.30|0.00|0.00|0.00|25.30|0.00|0.00|0.00|0.00|0.12|0.00|0.00|0.00|0.00|25.42|0.00|';
    const i = 'I|P1|SEM GTIN|Pão|19059090||1700700|5102|UN|1|25.30|25.30|SEM GTIN|UN|1|25.30|||||1||||';
    assert.equal(read({ i, w02 }).valor, '25.42');
  });

  it('are those of one dialect in one file', () => {
    const i = (valor: string) => `I|P1||Pão|19059090||6101|UN|1|${valor}|${valor}||UN|1|${valor}|||||1||||`;
    // The first alone could be one of SEBRAE 3.10, with vNF 1.00 less than its products.
    const first =
      'W02|9.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|10.00|0.00|0.00|1.00|0.00|0.00|0.00|0.00|0.00|9.00|9.00|';
    const second =
      'W02|20.00|3.60|0.00|0.00|0.00|0.00|0.00|0.00|20.00|2.00|0.00|0.00|0.00|1.00|0.00|0.00|0.00|0.50|23.50|5.00|';
    const notas = [
      notaTxt({ i: i('10.00'), w02: first }),
      notaTxt({ numero: '43', i: i('20.00'), w02: second }),
    ];
    const values = ler(`NOTAFISCAL|2|\n${notas.join('')}`, 'a.txt').map(
      (piece) => (lida(piece).registro as Documento).valor,
    );
    assert.deepEqual(values, ['9.00', '23.50']);
  });

  it('have services apart from their products', () => {
    const b = 'B|35|12345678|Venda|1|55|1|42|2015-12-17T11:39:00-02:00||0|2|3550308|1|1|6|1|4|1|2|3|3.10|||';
    const i =
      'I|S1||Conserto|00||5933|UN|1|150.00|150.00||UN|1|150.00|||||1||||\nU|150.00|5.00|7.50|3550308|1401|';
    const goods = 'H|2||\nI|P1||Pão|19059090||5101|UN|1|20.00|20.00||UN|1|20.00|||||1||||';
    const w02 = (vProd: string, vNF: string) =>
      `W02|0.00|0.00|0.00|0.00|0.00|${vProd}|0.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|${vNF}|0.00|\nW17|150.00|150.00|7.50|0.00|0.00|2015-12-17|`;
    const versao = '3.10';
    assert.equal(read({ versao, b, i, w02: w02('0.00', '150.00') }).valor, '150.00');
    const mixed = read({ versao, b, i: `${i}\n${goods}`, w02: w02('20.00', '170.00') });
    assert.equal(mixed.valor, '170.00');
    assert.deepEqual(
      mixed.itens.map(({ valor }) => valor),
      ['150.00', '20.00'],
    );
  });

  it('leave out items that are no part of the total', () => {
    const i =
      'I|P1|SEM GTIN|Pão|19059090||1700700|5102|UN|10|15|150.00|SEM GTIN|UN|10|15|||||1||||\nH|2||\nI|B|SEM GTIN|Brinde|19059090||1700700|5910|UN|1|5|5.00|SEM GTIN|UN|1|5|||||0||||';
    assert.equal(read({ i }).valor, '150.00');
  });

  it('of which none fits give no total, and a notice', () => {
    const note = read({ w02: 'W02||||' });
    assert.equal(note.valor, null);
    assert.match(note.avisos.join(), /vNF, linha W02/);
  });

  it('say the kind of debit or credit note, with a place for the second municipality and without', () => {
    const purpose = (fields: string): string | undefined =>
      read({
        b: `B|35|12345678|Venda|55|1|42|2026-03-10T09:30:00-03:00||1|1|3550308|${fields}|0|1||0|ERP|||`,
      }).finalidade?.descricao;
    assert.equal(purpose('|1|1|0|1|6|04|'), 'Nota de débito: multa e juros');
    assert.equal(purpose('1|1|0|1|6|04|'), 'Nota de débito: multa e juros');
    assert.equal(purpose('1|1|0|1|5||04'), 'Nota de crédito: redução de valores');
    assert.equal(purpose('|1|1|0|1|5||04'), 'Nota de crédito: redução de valores');
    assert.equal(purpose('1|1|0|1|6'), 'Nota de débito');
  });
});

describe('several notes in one TXT', () => {
  const second = notaTxt({ numero: '43', data: '2026-03-11T10:00:00-03:00' });

  it('are documents of their own, each kept with its lines behind a header', () => {
    const pieces = ler(`NOTAFISCAL|2|\r\n${notaTxt()}${second}`, 'lote.txt').map(lida);
    assert.deepEqual(
      pieces.map(({ registro }) => registro.chave),
      [CHAVE_TXT, chaveDe({ numero: '43' })],
    );
    assert.equal(textOf(pieces[0]?.bytes as Uint8Array), `NOTAFISCAL|1|\r\n${notaTxt()}`);
    assert.equal(textOf(pieces[1]?.bytes as Uint8Array), `NOTAFISCAL|1|\r\n${second}`);
    assert.equal(only(readBytes(pieces[1]?.bytes as Uint8Array)).resultado, 'lida', 'stands alone');
  });

  it('are kept without a header where there is none', () => {
    const pieces = ler(notaTxt() + second).map(lida);
    assert.equal(textOf(pieces[1]?.bytes as Uint8Array), second);
  });

  it('do not hinder one another', () => {
    const pieces = ler(`${notaTxt({ cNF: '' })}${second}`);
    assert.deepEqual(pieces.map(codeOf), ['txt_sem_chave', 'lida']);
  });
});

describe('the bytes of a TXT', () => {
  const file = `NOTAFISCAL|1|\n${notaTxt()}`;

  it('are kept as they are where the file is one note', () => {
    for (const [encoding, bytes] of [
      ['utf-8', bytesOf(`\ufeff${file}`)],
      ['iso-8859-1', new Uint8Array(Buffer.from(file, 'latin1'))],
      ['windows-1252', new Uint8Array(Buffer.from(`${file}\x93x\x94`, 'latin1'))],
      ['utf-16le', new Uint8Array(Buffer.from(`\ufeff${file}`, 'utf16le'))],
    ] as const) {
      const piece = lida(only(readBytes(bytes, 'nota.txt')));
      assert.equal(piece.bytes, bytes);
      assert.equal(piece.codificacao, encoding);
      assert.equal(documento(piece).chave, CHAVE_TXT);
    }
  });

  it('give the same digest whatever their ends of line and encoding are', () => {
    const digest = (bytes: Uint8Array) => lida(only(readBytes(bytes))).registro.digest;
    const expected = createHash('sha1').update(notaTxt().trimEnd()).digest('base64');
    assert.equal(digest(bytesOf(file)), expected);
    assert.equal(digest(bytesOf(file.replaceAll('\n', '\r\n'))), expected);
    assert.equal(digest(bytesOf(file.replaceAll('\n', '  \r'))), expected);
    assert.equal(digest(new Uint8Array(Buffer.from(file, 'latin1'))), expected);
    assert.notEqual(digest(bytesOf(notaTxt({ w02: 'W02|1|' }))), expected);
  });
});

describe('faults of a TXT', () => {
  it('that hinder reading are told with their line', () => {
    const rows: [OpcoesDoTxt, string, number | null][] = [
      [{ b: 'X|0|' }, 'txt_mal_formado', 1],
      [{ b: 'B|35|12345678|Venda|55|x|' }, 'txt_mal_formado', 2],
      [{ modelo: '57' }, 'modelo_nao_suportado', 2],
      [{ tpAmb: '' }, 'ambiente_invalido', 2],
      [{ data: '10/03/2026' }, 'data_emissao_invalida', 2],
      [{ data: '' }, 'data_emissao_ausente', 2],
      [{ emitente: 'C02||' }, 'emitente_ausente', 1],
      [{ emitente: 'C02|XXXXXX|' }, 'emitente_invalido', 4],
    ];
    for (const [options, codigo, linha] of rows) {
      const { rejeicao } = refusal(options);
      assert.deepEqual([rejeicao.codigo, rejeicao.linha], [codigo, linha]);
      assert.match(rejeicao.mensagem, new RegExp(`^Linha ${linha}: `));
    }
    assert.equal(rejeitada(only(ler('NOTAFISCAL|1|\nB|35|', 'n.txt'))).rejeicao.linha, 1);
  });

  it('that do not are findings of the note, with their line', () => {
    const depois = ['texto solto', '99|x|', 'X05|1|2|', 'Z|a', 'Y| |', 'UB85IAR|1|1|1|'].join('\n');
    const avisos = read({ depois }).avisos.join('\n');
    assert.doesNotMatch(avisos, /UB85IAR/);
    assert.match(avisos, /Linha 16: a linha não tem a barra/);
    assert.match(avisos, /Linha 17: a letra "99" não é do layout/);
    assert.match(avisos, /Linha 18: a linha X05 tem 2 campos; o layout prevê 1/);
    assert.match(avisos, /Linha 19: a linha Z não termina com a barra/);
    assert.match(avisos, /Linha 20: a linha Y tem campo só com espaços/);
  });

  it('that are very many are counted', () => {
    const { avisos } = read({ depois: 'texto solto\n'.repeat(50) });
    assert.ok(avisos.length < 15);
    assert.match(avisos.at(-1) ?? '', /mais 40 linhas/);
  });

  it('of more lines than notes can have are not gone through', () => {
    assert.equal(codeOf(only(ler(`${notaTxt()}${'\n'.repeat(LINES_LIMIT)}`))), 'pecas_demais');
  });

  it('never throw', () => {
    const base = notaTxt();
    fc.assert(
      fc.property(fc.nat(base.length), fc.nat(40), fc.string({ maxLength: 5 }), (from, length, filling) => {
        assert.ok(
          ler(`NOTAFISCAL|1|\n${base.slice(0, from)}${filling}${base.slice(from + length)}`).length > 0,
        );
      }),
      { numRuns: 300 },
    );
  });
});
