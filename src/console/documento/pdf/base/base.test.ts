import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textoDoPdf } from '../../../../../test/support/ler-pdf.ts';
import {
  cpfCnpj,
  decimal,
  dia,
  dinheiro,
  fone,
  hora,
  instante,
  numeroDeNota,
  quantidade,
} from './formatos.ts';
import { ajustar, imprimivel, larguraDe, quebrar } from './letras.ts';
import { A4, Papel } from './papel.ts';
import { Rolo } from './rolo.ts';
import { Tabela } from './tabela.ts';

const fonte = { familia: 'Times' } as const;

describe('values on paper', () => {
  it('keep every digit that they have', () => {
    assert.equal(dinheiro('0.00'), '0,00');
    assert.equal(dinheiro('12345678901234567.89'), '12.345.678.901.234.567,89');
    assert.equal(dinheiro('-1234.5'), '-1.234,50');
    assert.equal(dinheiro('7'), '7,00');
    assert.equal(dinheiro('1.005'), '1,005');
    assert.equal(dinheiro(''), '');
    assert.equal(quantidade('2.0000'), '2');
    assert.equal(quantidade('0.1250000000', 2), '0,125');
    assert.equal(decimal('abc'), 'abc');
  });

  it('are dates, times, numbers and names of people as people write them', () => {
    assert.equal(instante('2026-10-01T09:00:05-03:00'), '01/10/2026 09:00:05');
    assert.equal(instante('2026-10-01'), '01/10/2026');
    assert.equal(hora('235959'), '23:59:59');
    assert.equal(hora('08:15'), '08:15');
    assert.equal(hora('2026-10-01'), '');
    assert.equal(dia('20261001'), '01/10/2026');
    assert.equal(cpfCnpj('12ABC34501DE35'), '12.ABC.345/01DE-35');
    assert.equal(cpfCnpj('12345678909'), '123.456.789-09');
    assert.equal(fone('11987654321'), '(11) 98765-4321');
    assert.equal(numeroDeNota('1234'), '000.001.234');
  });
});

describe('texts on paper', () => {
  it('have letters that the fonts have', () => {
    assert.equal(imprimivel('Ação – “x” …\u0007 漢 e\u0301'), 'Ação – “x” …  ? é');
  });

  it('break between words, and inside of one that no line holds', () => {
    const largura = larguraDe('aaaa bbbb', fonte, 10) + 0.1;
    assert.deepEqual(quebrar('aaaa bbbb cc', { fonte, tamanho: 10, largura }), ['aaaa bbbb', 'cc']);
    assert.deepEqual(quebrar('um\ndois', { fonte, tamanho: 10, largura }), ['um', 'dois']);
    const partes = quebrar('x'.repeat(30), { fonte, tamanho: 10, largura });
    assert.ok(partes.length > 1 && partes.join('') === 'x'.repeat(30));
    for (const parte of partes) assert.ok(larguraDe(parte, fonte, 10) <= largura);
  });

  it('shrink first, break then, and where they are cut at last they say so', () => {
    const onde = { fonte, largura: 60, altura: 10, tamanho: 9, minimo: 5 };
    assert.deepEqual(ajustar('curto', onde), { linhas: ['curto'], tamanho: 9, cortado: false });
    const menor = ajustar('um pouco mais longo', onde);
    assert.ok(menor.tamanho < 9 && !menor.cortado);
    const cortado = ajustar('palavra '.repeat(40), onde);
    assert.ok(cortado.cortado && cortado.linhas.at(-1)?.endsWith('…'));
    assert.equal(ajustar('x'.repeat(1_000_000), onde).cortado, true);
  });
});

describe('tables on paper', () => {
  it('repeat their heads on each page, and carry on a row that no page holds', async () => {
    const papel = new Papel({ titulo: 't', familia: 'Helvetica', folha: [300, 200] });
    const tabela = new Tabela(papel, {
      fileiras: [
        [
          { titulo: 'Nome', parte: 3 },
          { titulo: 'Valor', parte: 1, alinha: 'right', numaLinha: true },
        ],
      ],
      espaco: { y: papel.topo, fim: papel.fim },
      seguinte: () => {
        papel.novaPagina();
        return { y: papel.topo, fim: papel.fim };
      },
    });
    tabela.registro([[Array.from({ length: 60 }, (_, n) => `linha${n}`).join('\n'), '1,00']]);
    for (let n = 0; n < 20; n++) tabela.registro([[`fim${n}`, '123.456.789.012.345,67']]);
    tabela.fechar(true);
    const paginas = papel.paginas;
    const texto = textoDoPdf(await papel.acabar({ marcas: [] }));
    assert.equal(texto.match(/NOME/g)?.length, paginas);
    for (let n = 0; n < 60; n++) assert.match(texto, new RegExp(`^linha${n}$`, 'm'));
    for (let n = 0; n < 20; n++) assert.match(texto, new RegExp(`^fim${n}$`, 'm'));
    assert.equal(texto.match(/123\.456\.789\.012\.345,67/g)?.length, 20);
  });
});

describe('a slip', () => {
  it('is as long as what stands on it, over several pages where one would be longer than a PDF may be', async () => {
    const rolo = (linhas: number) => {
      const um = new Rolo();
      for (let n = 0; n < linhas; n++) um.texto(`linha${n}`);
      return um.acabar({ titulo: 't', marcas: [{ texto: 'MARCA', cor: 'red', tamanho: 90 }] });
    };
    const alturas = async (linhas: number) =>
      [
        ...Buffer.from(await rolo(linhas))
          .toString('latin1')
          .matchAll(/\/MediaBox \[0 0 226\.\d+ ([\d.]+)\]/g),
      ].map(([, altura]) => Number(altura));
    const [curto = 0] = await alturas(10);
    const [longo = 0] = await alturas(100);
    assert.ok(curto < 110 && longo > 5 * curto && longo > A4[1]);
    const muitos = await alturas(3_000);
    assert.ok(muitos.length === 2 && muitos.every((altura) => altura <= 14_400));
    assert.equal(textoDoPdf(await rolo(500)).match(/MARCA/g)?.length, 5);
  });
});
