import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EMITENTE, treeOf } from '../amostras-de-teste.ts';
import { parseChave } from '../chave.ts';
import { ID_INUTILIZACAO_CTE, NS_CTE, procInutCte, retInutCte } from '../cte/amostras-de-teste.ts';
import { chaveLida, ler, lida, only, rejeitada } from '../leitura-de-teste.ts';
import { parseInutilizacaoCte } from './parse.ts';

const reading = (xml: string) => {
  const tree = treeOf(xml);
  return parseInutilizacaoCte({ tree, root: tree.root, digest: () => 'digest' });
};
const codeOf = (xml: string): string => {
  const result = reading(xml);
  return result.ok ? 'lido' : result.rejeicao.codigo;
};

describe('a homologated inutilização of CT-e', () => {
  it('is known by its Id of 39 positions, which has no year', () => {
    const result = reading(procInutCte());
    assert.ok(result.ok);
    const { chave, modelo, serie, numeroInicial, numeroFinal, ano, emitente, layout, avisos } =
      result.registro;
    assert.equal(chave.length, 39);
    assert.equal(parseChave(chave), chave);
    assert.deepEqual(
      { chave, modelo, serie, numeroInicial, numeroFinal, ano, emitente, layout, avisos },
      {
        chave: ID_INUTILIZACAO_CTE,
        modelo: '57',
        serie: '1',
        numeroInicial: 10,
        numeroFinal: 12,
        ano: '26',
        emitente: EMITENTE,
        layout: '3.00',
        avisos: [],
      },
    );
  });

  it('is the same one when only its answer came', () => {
    assert.equal(chaveLida(only(ler(retInutCte()))), ID_INUTILIZACAO_CTE);
    assert.equal(chaveLida(only(ler(procInutCte()))), ID_INUTILIZACAO_CTE);
  });

  it('finds its answer where the two stand apart', () => {
    const request = (/<inutCTe.*<\/inutCTe>/.exec(procInutCte())?.[0] ?? '').replace(
      '<inutCTe',
      `<inutCTe${NS_CTE}`,
    );
    const { registro } = lida(only(ler(`<arquivo><a>${request}</a><b>${retInutCte()}</b></arquivo>`)));
    assert.equal(registro.chave, ID_INUTILIZACAO_CTE);
    assert.equal(registro.classe === 'inutilizacao' && registro.justificativa, 'Falha que pulou a numeração');
  });

  it('is of model 57 or 67', () => {
    assert.equal(codeOf(retInutCte({ mod: '67' })), 'lido');
    assert.equal(codeOf(retInutCte({ mod: '55' })), 'modelo_nao_suportado');
  });

  it('is refused for the same reasons as that of NF-e', () => {
    assert.equal(codeOf(retInutCte({ cStat: '256' })), 'inutilizacao_nao_homologada');
    assert.equal(codeOf(retInutCte({ ini: '13' })), 'numeracao_invalida');
    assert.equal(codeOf(`<procInutCTe${NS_CTE}><inutCTe/></procInutCTe>`), 'inutilizacao_sem_registro');
    const request = rejeitada(only(ler(`<inutCTe${NS_CTE}><infInut/></inutCTe>`)));
    assert.deepEqual(
      [request.rejeicao.codigo, request.especie],
      ['inutilizacao_sem_registro', 'Inutilizacao'],
    );
  });
});

describe('the key of an inutilização', () => {
  it('has 41 positions for NF-e and 39 for CT-e, with a CNPJ that may have letters', () => {
    const range = `1${'0'.repeat(8)}${'1'.padStart(9, '0')}`.padStart(18, '0');
    for (const head of ['35', '3526']) {
      const id = `${head}12ABC34501DE35570${'01'}${range}`;
      assert.equal(parseChave(id), id, id);
      assert.equal(parseChave(id.slice(1)), null);
    }
    assert.equal(parseChave(`${ID_INUTILIZACAO_CTE}0`), null);
  });
});
