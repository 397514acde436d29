/** Each layout by a note of it: that it is read by its own row, and the same in whatever order, names and forms. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesOf } from '../../amostras-de-teste.ts';
import { splitChave } from '../../chave.ts';
import { codeOf, ler, only } from '../../leitura-de-teste.ts';
import type { CpfCnpj } from '../../tipos.ts';
import { scanXml } from '../../xml/scan.ts';
import { walk } from '../../xml/tree.ts';
import { documento, PRESTADOR, TOMADOR } from '../amostras-de-teste.ts';
import { composeChave } from '../chave-composta.ts';
import { AMOSTRAS, type Amostra, PADRAO, type Pedida } from './amostras-de-teste.ts';
import { compilar } from './compilar.ts';
import { Reconhecedor } from './reconhecer.ts';
import { LEIAUTES } from './tabela.ts';
import { variar } from './variar-de-teste.ts';

/** Id of the layout that the first note in a file is read by, of a table that has all rows or some. */
function leiauteDe(xml: string, semEste?: string): string | null {
  const rows = LEIAUTES.filter(({ id }) => id !== semEste);
  const reconhecedor = new Reconhecedor(rows.map(compilar));
  const scan = scanXml(bytesOf(xml));
  assert.ok(scan.ok);
  for (const element of walk(scan.tree.root)) {
    const found = reconhecedor.reconhecer(element);
    if (found) return found.descrito.id;
  }
  return null;
}

function lido(xml: string) {
  const nota = documento(only(ler(xml)));
  const parte = (papel: string) => nota.participantes.find((one) => one.papel === papel)?.cpfCnpj ?? null;
  return {
    chave: nota.chave,
    numero: nota.numero,
    dia: nota.dataEmissao.slice(0, 10),
    valor: Number(nota.valor),
    prestador: parte('prestador'),
    tomador: parte('tomador'),
    status: nota.statusProtocolo,
  };
}

/** Where the city is not known, the system that gave the number stands for it; but ABRASF is of no one system. */
function chaveDe({ leiaute, cidade, numeradaPor }: Amostra, numero: string): string | null {
  const isOfOneSystem = cidade === '0000000' && !['abrasf', 'paulistana', 'generico'].includes(leiaute);
  const parts = [...(numeradaPor ? [numeradaPor] : []), ...(isOfOneSystem ? [leiaute] : [])];
  return composeChave({
    municipio: cidade,
    prestador: PRESTADOR as CpfCnpj,
    numero,
    numeradaPor: parts.length > 0 ? parts.join('.') : null,
  });
}

function esperado(amostra: Amostra, { numero, dia }: Pedida) {
  return {
    chave: chaveDe(amostra, numero),
    numero,
    dia,
    valor: 1500,
    prestador: PRESTADOR,
    tomador: TOMADOR,
    status: 'Autorizada',
  };
}

describe('each layout of the table', () => {
  it('has a note of it', () => {
    const had = new Set(AMOSTRAS.map(({ leiaute }) => leiaute));
    assert.deepEqual(
      LEIAUTES.map(({ id }) => id).filter((id) => !had.has(id)),
      [],
    );
  });

  for (const amostra of AMOSTRAS) {
    const { leiaute, nome } = amostra;
    it(`${leiaute}, ${nome}: is read by its row, and by no other`, () => {
      const xml = amostra.xml(PADRAO);
      assert.deepEqual(lido(xml), esperado(amostra, PADRAO));
      assert.equal(leiauteDe(xml), leiaute);
      assert.notEqual(leiauteDe(xml, leiaute), leiaute);
    });

    it(`${leiaute}, ${nome}: is read beside one in which the XML is malformed`, () => {
      const [before, bad, after] = ['5001', '5002', '5003'].map((numero) =>
        amostra.xml({ ...PADRAO, numero }),
      );
      const broken = bad?.replace(TOMADOR, `${TOMADOR} &`);
      assert.deepEqual(
        ler(`<lista>${before}${broken}${after}</lista>`).map((piece) =>
          piece.resultado === 'lida' ? splitChave(piece.registro.chave).numero : codeOf(piece),
        ),
        ['5001', 'xml_mal_formado', '5003'],
      );
    });

    it(`${leiaute}, ${nome}: is the same note when it is cancelled`, () => {
      const xml = amostra.xml(PADRAO);
      const before = documento(only(ler(xml)));
      for (const [from, to] of amostra.cancelada) {
        assert.notEqual(xml.replace(from, to), xml, String(from));
        const after = documento(only(ler(xml.replace(from, to))));
        assert.equal(after.statusProtocolo, 'Cancelada', to);
        assert.deepEqual([after.chave, after.digest], [before.chave, before.digest], to);
      }
    });

    it(`${leiaute}, ${nome}: is read the same in any order, with other names, numbers and days`, () => {
      for (let semente = 1; semente <= 8; semente++) {
        const pedida = {
          numero: String(1000 + semente * 37),
          dia: `2025-0${1 + (semente % 9)}-1${semente % 10}`,
        };
        const xml = variar(amostra.xml(pedida), semente);
        assert.deepEqual(lido(xml), esperado(amostra, pedida), xml);
      }
    });
  }
});
