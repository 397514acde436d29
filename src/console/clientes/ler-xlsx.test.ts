import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { zipDe } from '../../gerador/zip.ts';
import { readCsv } from './ler-csv.ts';
import { ehXlsx, readXlsx } from './ler-xlsx.ts';

const planilha = (sheet: string, strings = '') =>
  zipDe([
    { nome: 'xl/workbook.xml', bytes: Buffer.from('<workbook/>') },
    ...(strings ? [{ nome: 'xl/sharedStrings.xml', bytes: Buffer.from(`<sst>${strings}</sst>`) }] : []),
    {
      nome: 'xl/worksheets/sheet1.xml',
      bytes: Buffer.from(`<worksheet><sheetData>${sheet}</sheetData></worksheet>`),
    },
  ]);

describe('a spreadsheet', () => {
  it('has its texts, and its numbers with all their digits', async () => {
    const bytes = await planilha(
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>' +
        '<row r="3"><c r="A3"><v>5.3576400000109E+13</v></c><c r="C3" t="inlineStr"><is><t>a@b.co</t></is></c></row>' +
        '<row r="4"><c r="A4"/></row>',
      '<si><t>CNPJ</t></si><si><r><t>Razão </t></r><r><t>social &amp; nome</t></r></si>',
    );
    assert.ok(ehXlsx(bytes));
    assert.deepEqual(readXlsx(bytes), [
      { record: ['CNPJ', 'Razão social & nome'], linha: 1 },
      { record: ['53576400000109', '', 'a@b.co'], linha: 3 },
    ]);
  });

  it('shows a text in many cells, and each is as long as a name may be', async () => {
    const cell = '<c t="s"><v>0</v></c>';
    const bytes = await planilha(
      `<row>${cell.repeat(49)}</row>`.repeat(50),
      `<si><t>${'x'.repeat(1_000_000)}</t></si>`,
    );
    const rows = readXlsx(bytes);
    assert.equal(rows.length, 50);
    for (const { record } of rows) for (const text of record) assert.ok(text.length <= 500);
  });

  it('that becomes more than any list of clients is refused', async () => {
    const many = [
      await planilha('<row><c/></row>'.repeat(20_001)),
      await planilha('<row/>', '<si/>'.repeat(120_001)),
      await planilha('<row/>', `<si>${'<t/>'.repeat(1_001)}</si>`),
      await planilha(' '.repeat(4 * 1024 * 1024)),
    ];
    for (const bytes of many) assert.throws(() => readXlsx(bytes), /não pôde ser lida/);
  });

  it('that is none, or is cut, is refused in words', async () => {
    const bytes = await planilha('<row r="1"/>');
    for (const broken of [
      bytes.subarray(0, bytes.length - 30),
      Buffer.from('PK\u0003\u0004nada'),
      Buffer.alloc(0),
    ])
      assert.throws(() => readXlsx(Buffer.from(broken)), /não pôde ser lida/);
    const semPlanilha = await zipDe([{ nome: 'a.txt', bytes: Buffer.from('a') }]);
    assert.throws(() => readXlsx(semPlanilha), /não pôde ser lida/);
  });
});

describe('a list as text', () => {
  it('has no line that is longer than any client, however little is in it', () => {
    const long = `cnpj${';'.repeat(20_000)}\n`;
    for (const text of [long, `cnpj\n"${'x'.repeat(20_000)}"`])
      assert.throws(() => readCsv(text), /uma linha com mais de/);
  });
});
