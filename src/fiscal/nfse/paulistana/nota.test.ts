import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { swap } from '../../assinatura/amostras-de-teste.ts';
import { codeOf, ler, only } from '../../leitura-de-teste.ts';
import {
  assertRefused,
  chave50,
  documento,
  PRESTADOR,
  partesDe,
  paulistana,
  retornoPaulistana,
  TOMADOR,
} from '../amostras-de-teste.ts';

const read = (xml: string) => documento(only(ler(retornoPaulistana(xml))));

describe('a note of the city of São Paulo', () => {
  it('is read with its parties, value and composed key', () => {
    const nota = read(paulistana());
    assert.deepEqual(
      [nota.chave, nota.numero, nota.serie, nota.valor, nota.dataEmissao],
      [`NFSE-3550308-${PRESTADOR}-2205~40670945`, '2205', 'BB', '201.5', '2026-03-10T09:30:00-03:00'],
    );
    assert.deepEqual(
      [nota.municipioPrestacao, nota.statusProtocolo, nota.layoutNacional, nota.ambiente],
      [3550308, 'Autorizada', false, 1],
    );
    assert.deepEqual(partesDe(nota), [
      `prestador ${PRESTADOR} Padaria Aurora Ltda`,
      `tomador ${TOMADOR} Mercado Horizonte`,
    ]);
  });

  it('is cancelled by its status or by a date of cancellation, and stays the same note', () => {
    const before = read(paulistana());
    const cancelled = [
      paulistana({ status: 'C' }),
      paulistana({ mais: '<DataCancelamento>2026-03-12T08:00:00</DataCancelamento>' }),
    ];
    for (const xml of cancelled) {
      const nota = read(xml);
      assert.equal(nota.statusProtocolo, 'Cancelada');
      assert.deepEqual([nota.chave, nota.digest], [before.chave, before.digest]);
    }
    assert.equal(read(paulistana({ status: 'E' })).statusProtocolo, 'Autorizada');
    assert.notEqual(read(swap(paulistana(), '201.5', '1')).digest, before.digest);
  });

  it('has the national key where the city wrote it, unless that is wrong', () => {
    assert.equal(read(paulistana({ chaveNacional: chave50('2205') })).chave, chave50('2205'));
    const wrong = read(paulistana({ chaveNacional: '1'.repeat(50) }));
    assert.equal(wrong.chave, `NFSE-3550308-${PRESTADOR}-2205~40670945`);
    assert.match(wrong.avisos.join(), /chave nacional/);
  });

  it('has not the national key of somebody else: with it, it would be taken for that note', () => {
    const one = read(paulistana({ chaveNacional: chave50('2205', TOMADOR) }));
    assert.equal(one.chave, `NFSE-3550308-${PRESTADOR}-2205~40670945`);
    assert.match(one.avisos.join(), /é de outro prestador/);
  });

  it('is another one under another inscription of the same prestador, which has a numbering of its own', () => {
    const first = read(paulistana());
    assert.notEqual(read(swap(paulistana(), '40670945', '51781056')).chave, first.chave);
    assert.equal(read(swap(paulistana(), '40670945', ' 040670945 ')).chave, first.chave);
  });

  it('is one of many in an answer; keys alone are no notes', () => {
    const second = swap(paulistana(), '>2205<', '>2206<');
    assert.deepEqual(
      ler(retornoPaulistana(paulistana(), second)).map((piece) => documento(piece).numero),
      ['2205', '2206'],
    );
    const keys =
      '<RetornoEnvioLoteRPS><ChaveNFeRPS><ChaveNFe><NumeroNFe>3</NumeroNFe></ChaveNFe></ChaveNFeRPS></RetornoEnvioLoteRPS>';
    assert.equal(codeOf(only(ler(keys))), 'mensagem_sem_documento');
  });

  it('of another city with the same layout is told by the namespace of the answer', () => {
    const answer = swap(
      retornoPaulistana(paulistana()),
      'www.prefeitura.sp.gov.br/nfe',
      'nfse.blumenau.sc.gov.br',
    );
    assert.equal(documento(only(ler(answer))).chave, `NFSE-4202404-${PRESTADOR}-2205~40670945`);
  });

  it('is refused without number, prestador or date', () => {
    const refused = (from: string | RegExp, codigo: string, says: RegExp) =>
      assertRefused(only(ler(retornoPaulistana(swap(paulistana(), from, '')))), codigo, says);
    refused('<NumeroNFe>2205</NumeroNFe>', 'numero_nfse_invalido', /número/);
    refused(/<CPFCNPJPrestador>.*<\/CPFCNPJPrestador>/, 'emitente_ausente', /prestador/);
    refused(/<DataEmissaoNFe>.*<\/DataEmissaoNFe>/, 'data_emissao_ausente', /DataEmissaoNFe/);
  });
});
