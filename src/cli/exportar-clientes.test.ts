import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { zipDe } from '../gerador/zip.ts';
import { readQuais } from './exportar-clientes.ts';

const pasta = mkdtempSync(join(tmpdir(), 'malote-lista-'));
after(() => rmSync(pasta, { recursive: true, force: true }));
const cliente = { clientes: () => assert.fail('nobody asks who there is') };
const CPF = '11144477735';
const CNPJ = '11222333000181';

/** Who is in a list of these bytes. */
function lidos(bytes: Uint8Array, nome = 'lista.csv') {
  const lista = join(pasta, nome);
  writeFileSync(lista, bytes);
  return readQuais(cliente, { cpfCnpj: [], lista, todos: false });
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const LINHAS = `CNPJ;Razão social\r\n"11.222.333/0001-81";Pão & Açúcar\r\n${CPF};João # o dono\r\n`;
const planilha = (celula: string) =>
  zipDe([
    { nome: 'xl/workbook.xml', bytes: Buffer.from('<workbook/>') },
    {
      nome: 'xl/worksheets/sheet1.xml',
      bytes: Buffer.from(
        `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>CNPJ</t></is></c></row><row r="2"><c r="A2">${celula}</c></row></sheetData></worksheet>`,
      ),
    },
  ]);

describe('a list of clients', () => {
  const escritas: [como: string, bytes: Uint8Array][] = [
    ['UTF-8', Buffer.from(LINHAS)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${LINHAS}`)],
    ['UTF-16, as > of PowerShell writes it', utf16(LINHAS)],
    ['UTF-16 with the other order of bytes', utf16(LINHAS).swap16()],
    ['windows-1252', Buffer.from(LINHAS, 'latin1')],
    ['lines of old Macs', Buffer.from(LINHAS.replaceAll('\r\n', '\r'))],
    ['commas', Buffer.from(LINHAS.replaceAll(';', ','))],
    ['tabs', utf16(LINHAS.replaceAll(';', '\t'))],
  ];
  for (const [como, bytes] of escritas)
    it(`is read as ${como}`, async () => assert.deepEqual(await lidos(bytes), [CNPJ, CPF]));

  it('is read from a spreadsheet, with all digits of what it shows rounded', async () => {
    assert.deepEqual(await lidos(await planilha('<v>1.1222333000181E+13</v>'), 'lista.xlsx'), [CNPJ]);
  });

  it('is refused in words where a number is rounded, wrong, or the file is none', async () => {
    const refused = async (bytes: Uint8Array, mensagem: RegExp) =>
      assert.rejects(lidos(bytes), (error: Error & { codigo: string }) => {
        assert.equal(error.codigo, 'lista_invalida');
        assert.match(error.message, mensagem);
        return true;
      });
    for (const sinal of ['5,35764E+13', '5.35764E+13'])
      await refused(utf16(`CNPJ\r\n${sinal}\r\n`), /linha 2: O Excel trocou este número por 5[.,]35764E\+13/);
    await refused(Buffer.from(`${CPF}\n11222333000180\n`), /linha 2: "11222333000180" não é um CPF/);
    await refused(Buffer.from('%PDF-1.7\n'), /não é uma planilha/);
    await refused(Buffer.from('PK\u0003\u0004'), /A planilha não pôde ser lida/);
  });
});
