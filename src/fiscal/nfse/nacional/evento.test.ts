import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MODERN, signature } from '../../assinatura/amostras-de-teste.ts';
import { ler, lida, only } from '../../leitura-de-teste.ts';
import { effectiveStatus, statusDoEvento } from '../../status.ts';
import type { Evento } from '../../tipos.ts';
import {
  assertRefused,
  chave50,
  evento as eventoDe,
  eventoNacional,
  NS_NACIONAL,
  PRESTADOR,
  TOMADOR,
} from '../amostras-de-teste.ts';
import { EVENTOS_NFSE } from './tabela.ts';

const read = (options: Parameters<typeof eventoNacional>[0] = {}) =>
  eventoDe(only(ler(eventoNacional(options))));

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  );
}

describe('an event of a national NFS-e', () => {
  it('is read with its key, code, author and dates', () => {
    const { chave, modelo, codigo, descricao, efeito, autor, dataEmissao, ambiente, protocolo } = read();
    assert.deepEqual([chave, modelo, ambiente, autor], [chave50(), 'NFSe', 1, PRESTADOR]);
    assert.deepEqual([codigo, descricao, efeito], ['101101', 'Cancelamento de NFS-e', 'cancela']);
    assert.deepEqual(
      [dataEmissao, protocolo.dhRecbto],
      ['2026-03-11T10:00:00-03:00', '2026-03-11T10:00:05-03:00'],
    );
  });

  it('takes its sequence from the Id, then from nSeqEvento', () => {
    assert.equal(read({ sequencia: '003' }).sequencia, 3);
    assert.equal(read({ id: '' }).sequencia, 7);
    const none = eventoNacional({ id: '' }).replace('<nSeqEvento>7</nSeqEvento>', '');
    assert.equal(eventoDe(only(ler(none))).sequencia, 1);
  });

  it('cancels, manifests or does nothing as its code says', () => {
    for (const codigo of ['101101', '105102', '105104', '305101'])
      assert.equal(statusDoEvento(read({ codigo })), 'Cancelada', codigo);
    for (const codigo of ['202201', '203202', '204203', '205204', '202205', '203206', '204207'])
      assert.equal(read({ codigo }).efeito, 'manifestacao', codigo);
    for (const codigo of ['101103', '105105', '305102', '305103', '907202'])
      assert.equal(read({ codigo }).efeito, 'nenhum', codigo);
    assert.equal(read({ codigo: '907202' }).descricao, 'Palavras do sistema');
    assert.ok(Object.keys(EVENTOS_NFSE).every((codigo) => /^\d{6}$/.test(codigo)));
  });

  it('that cancels by substitution names the substitute', () => {
    const detalhe = `<chSubstituta>${chave50('43')}</chSubstituta>`;
    assert.match(read({ codigo: '105102', detalhe }).avisos.join(), new RegExp(chave50('43')));
  });

  it('that undoes a rejection names it by code and sequence, with or without either', () => {
    const undo = (id: string) => read({ codigo: '205208', detalhe: `<idEvManifRej>${id}</idEvManifRej>` });
    assert.deepEqual(undo(`${chave50()}203206002`).desfaz, { codigo: '203206', sequencia: 2, nProt: null });
    assert.deepEqual(undo(`PRE${chave50()}204207`).desfaz, {
      codigo: '204207',
      sequencia: null,
      nProt: null,
    });
    assert.equal(undo('x').desfaz, null);
  });

  it('verifies on infEvento', () => {
    const xml = eventoNacional();
    const infEvento = /<infEvento.*<\/infEvento>/.exec(xml)?.[0] ?? '';
    const assinatura = signature({
      ...MODERN,
      uri: `#EVT${chave50()}101101001`,
      form: infEvento.replace('<infEvento', `<infEvento${NS_NACIONAL}`),
    });
    const piece = lida(only(ler(xml.replace('</evento>', `${assinatura}</evento>`))));
    assert.deepEqual([piece.assinatura.resultado, piece.assinatura.motivo], ['integra', null]);
  });

  it('gives a note the same status in whatever order events come', () => {
    const events: Evento[] = [
      read({ codigo: '203206', autor: TOMADOR }),
      read({ codigo: '205208', detalhe: `<idEvManifRej>${chave50()}203206001</idEvManifRej>` }),
      read({ codigo: '202201' }),
      read({ codigo: '101103' }),
    ];
    const statusOf = (eventos: readonly Evento[]) =>
      effectiveStatus({ statusProtocolo: 'Autorizada', eventos });
    for (const order of permutations(events)) {
      assert.deepEqual(statusOf(order), {
        status: 'Autorizada',
        cartaCorrecao: false,
        manifestacao: '202201',
      });
    }
    for (const order of permutations([...events.slice(0, 3), read({ codigo: '305101' })])) {
      assert.equal(statusOf(order).status, 'Cancelada');
    }
    assert.equal(statusOf(events.slice(0, 1)).manifestacao, '203206', 'a rejection cancels nothing');
    assert.equal(statusOf(events.slice(0, 1)).status, 'Autorizada');
  });
});

describe('an event of a national NFS-e is refused, and told why,', () => {
  const xml = eventoNacional();
  const request = /<pedRegEvento.*<\/pedRegEvento>/.exec(xml)?.[0] ?? '';
  const cases: [string, string, string, RegExp][] = [
    ['that is the request alone', request, 'evento_sem_registro', /não prova o registro/],
    [
      'without infPedReg',
      xml.replace(/<infPedReg>.*<\/infPedReg>/, '<a/>'),
      'evento_sem_registro',
      /infPedReg/,
    ],
    ['without chNFSe', xml.replace(/<chNFSe>.*<\/chNFSe>/, ''), 'chave_ausente', /chNFSe/],
    ['with a short chNFSe', xml.replace(/<chNFSe>\d/, '<chNFSe>'), 'chave_invalida', /49 posições/],
    ['without its code', xml.replaceAll('e101101>', 'cancelamento>'), 'tipo_evento_invalido', /e101101/],
    ['with two codes', xml.replace('<e101101>', '<e101103/><e101101>'), 'elemento_repetido', /2 códigos/],
    ['without tpAmb', xml.replace('<tpAmb>1</tpAmb>', ''), 'ambiente_invalido', /tpAmb/],
    [
      'with a date that is none',
      eventoNacional({ data: '<dhEvento>ontem</dhEvento>' }).replace(/<dhProc>.*<\/dhProc>/, ''),
      'data_emissao_invalida',
      /ontem/,
    ],
    [
      'without any date',
      eventoNacional({ data: '' }).replace(/<dhProc>.*<\/dhProc>/, ''),
      'data_emissao_ausente',
      /dhEvento/,
    ],
    [
      'with two requests',
      xml.replace('<pedRegEvento', '<pedRegEvento/><pedRegEvento'),
      'elemento_repetido',
      /pedRegEvento/,
    ],
  ];
  for (const [name, text, codigo, says] of cases)
    it(name, () => void assertRefused(only(ler(text)), codigo, says));
});

describe('an event of a national NFS-e that nobody has registered', () => {
  const bare = eventoNacional({ id: '' }).replace(/<dhProc>.*<\/dhProc>/, '');

  it('is only asked for: no signature, number or time of the registration', () => {
    assertRefused(only(ler(bare)), 'evento_sem_registro', /é só o pedido/);
    for (const registered of [
      bare.replace('<infEvento>', `<infEvento Id="EVT${chave50()}101101001">`),
      eventoNacional({ id: '' }),
    ])
      assert.equal(eventoDe(only(ler(registered))).codigo, '101101');
  });
});

describe('the note that takes the place of a cancelled one', () => {
  it('is told under either name of its key', () => {
    for (const name of ['chSubstituta', 'chNFSeSubst']) {
      const detalhe = `<xDesc>x</xDesc><${name}>${chave50('43')}</${name}>`;
      const { avisos } = eventoDe(only(ler(eventoNacional({ codigo: '105102', detalhe }))));
      assert.match(avisos.join(), new RegExp(`substituída pela de chave ${chave50('43')}`));
    }
  });
});
