import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chaveDe, EMITENTE, treeOf } from '../amostras-de-teste.ts';
import { CHAVE_CTE, NS_CTE, type OpcoesDoEventoCte, procEventoCte } from '../cte/amostras-de-teste.ts';
import { chaveLida, ler, only, rejeitada } from '../leitura-de-teste.ts';
import { effectiveStatus } from '../status.ts';
import type { Evento } from '../tipos.ts';
import { parseEventoCte } from './parse.ts';
import { EVENTOS_CTE } from './tabela.ts';

const reading = (options: OpcoesDoEventoCte | string) => {
  const tree = treeOf(typeof options === 'string' ? options : procEventoCte(options));
  return parseEventoCte({ tree, root: tree.root, digest: () => 'digest' });
};
const read = (options: OpcoesDoEventoCte | string = {}): Evento => {
  const result = reading(options);
  if (!result.ok) throw new Error(`${result.rejeicao.codigo}: ${result.rejeicao.mensagem}`);
  return result.registro;
};
const codeOf = (options: OpcoesDoEventoCte | string): string => {
  const result = reading(options);
  return result.ok ? 'lido' : result.rejeicao.codigo;
};

describe('a registered event of a CT-e', () => {
  it('gives everything that an Evento holds', () => {
    assert.deepEqual(read(), {
      classe: 'evento',
      especie: 'Evento',
      chave: CHAVE_CTE,
      modelo: '57',
      ambiente: 1,
      layout: '4.00',
      codigo: '110111',
      descricao: 'Cancelamento',
      sequencia: 1,
      efeito: 'cancela',
      autor: EMITENTE,
      destinatario: null,
      dataEmissao: '2026-03-11T10:00:00-03:00',
      protocolo: {
        cStat: '135',
        xMotivo: 'Evento registrado',
        nProt: '135260000000012',
        dhRecbto: '2026-03-11T10:00:05-03:00',
        digVal: null,
      },
      desfaz: null,
      protocoloDaNota: null,
      digest: 'digest',
      avisos: [],
    });
  });

  it('is registered with 134, 135, 136 and 155, and with nothing else', () => {
    for (const cStat of ['134', '135', '136', '155']) assert.equal(read({ cStat }).protocolo.cStat, cStat);
    for (const cStat of ['128', '573', '631']) assert.equal(codeOf({ cStat }), 'evento_rejeitado_pela_sefaz');
  });

  it('is about CT-e, CT-e OS and GTV-e', () => {
    for (const modelo of ['57', '67', '64']) {
      assert.equal(read({ chave: chaveDe({ modelo }) }).modelo, modelo);
    }
    assert.equal(codeOf({ chave: chaveDe({ modelo: '55' }) }), 'modelo_nao_suportado');
  });

  it('has the same sequence whether its Id has two digits for it or three', () => {
    for (const digitos of [2, 3]) assert.equal(read({ sequencia: '7', digitos }).sequencia, 7);
    assert.equal(read({ sequencia: '12', digitos: 3 }).sequencia, 12);
  });

  it('takes the sequence from its Id where no field tells it', () => {
    for (const digitos of [2, 3]) {
      const xml = procEventoCte({ sequencia: '7', digitos }).replaceAll('<nSeqEvento>7</nSeqEvento>', '');
      assert.deepEqual([read(xml).sequencia, read(xml).avisos], [7, []]);
    }
  });

  it('is read with the answer bare in the wrapper, as layout 2.00 has been seen', () => {
    const bare = procEventoCte().replace(/<retEventoCTe[^>]*>|<\/retEventoCTe>/g, '');
    assert.equal(read(bare).protocolo.nProt, '135260000000012');
  });

  it('names the event that it undoes, with its protocol', () => {
    const desfaz = (codigo: string, det: string) => read({ codigo, det }).desfaz;
    const det = (element: string, field: string) =>
      `<${element}><descEvento>x</descEvento><nProt>1</nProt><${field}>999</${field}></${element}>`;
    const rows = [
      ['110181', 'evCancCECTe', 'nProtCE', '110180'],
      ['110191', 'evCancIECTe', 'nProtIE', '110190'],
      ['110301', 'evCancVincPgto', 'nProtVincPgto', '110300'],
      ['610111', 'evCancPrestDesacordo', 'nProtEvPrestDes', '610110'],
    ] as const;
    for (const [codigo, element, field, undone] of rows) {
      assert.deepEqual(desfaz(codigo, det(element, field)), {
        codigo: undone,
        sequencia: null,
        nProt: '999',
      });
    }
  });

  it('of an unknown kind is kept without effect, under the words it came with', () => {
    const unknown = read({ codigo: '110999', det: '<evNovo><descEvento>Coisa nova</descEvento></evNovo>' });
    assert.deepEqual([unknown.efeito, unknown.descricao], ['nenhum', 'Coisa nova']);
  });
});

describe('the table of CT-e events', () => {
  const withEffect = (efeito: Evento['efeito']) =>
    Object.keys(EVENTOS_CTE).filter((codigo) => EVENTOS_CTE[codigo]?.efeito === efeito);

  it('says which ones cancel, correct, alert and undo', () => {
    assert.deepEqual(withEffect('cancela'), ['110111']);
    assert.deepEqual(withEffect('carta_correcao'), ['110110']);
    assert.deepEqual(withEffect('manifestacao'), ['610110']);
    for (const codigo of withEffect('cancela_evento')) {
      assert.ok(EVENTOS_CTE[EVENTOS_CTE[codigo]?.desfaz ?? ''], codigo);
    }
    assert.equal(withEffect('cancela_evento').length, 7);
  });

  it('leaves a replaced CT-e authorised', () => {
    const eventos = [read({ codigo: '240140', det: '<ev/>' }), read({ codigo: '610110', det: '<ev/>' })];
    assert.deepEqual(effectiveStatus({ statusProtocolo: 'Autorizada', eventos }), {
      status: 'Autorizada',
      cartaCorrecao: false,
      manifestacao: '610110',
    });
  });
});

describe('a refused event of a CT-e', () => {
  it('names its fault', () => {
    assert.equal(codeOf({ resposta: '' }), 'evento_sem_registro');
    assert.equal(codeOf({ codigo: 'x' }), 'tipo_evento_invalido');
    assert.equal(codeOf(procEventoCte().replace(/<chCTe>.*?<\/chCTe>/, '')), 'chave_ausente');
    const other = chaveDe({ modelo: '57', numero: '99' });
    const foreign = procEventoCte().replace(/(<retEventoCTe.*<chCTe>)\d+/, `$1${other}`);
    assert.equal(codeOf(foreign), 'protocolo_de_outra_chave');
    assert.equal(codeOf(`<procEventoCTe${NS_CTE}><eventoCTe/></procEventoCTe>`), 'evento_sem_registro');
    const twice = procEventoCte().replace(/(<eventoCTe.*<\/eventoCTe>)/, '$1$1');
    assert.equal(codeOf(twice), 'elemento_repetido');
  });

  it('tells what to send by the names of its own kind', () => {
    const result = reading({ resposta: '' });
    assert.match(result.ok ? '' : result.rejeicao.mensagem, /retEventoCTe.*procEventoCTe/);
  });
});

describe('in a file', () => {
  it('an event is found in the answer to a query', () => {
    const file = `<retConsSitCTe${NS_CTE}><cStat>101</cStat>${procEventoCte()}</retConsSitCTe>`;
    assert.equal(chaveLida(only(ler(file))), CHAVE_CTE);
  });

  it('an event finds its answer where the two stand apart', () => {
    const [, request = '', answer = ''] =
      /(<eventoCTe.*<\/eventoCTe>)(<retEventoCTe.*<\/retEventoCTe>)/.exec(procEventoCte()) ?? [];
    const apart = `<arquivo${NS_CTE}><a>${request}</a><b>${answer}</b></arquivo>`;
    assert.equal(chaveLida(only(ler(apart))), CHAVE_CTE);
  });

  it('a request alone is named, with the key it is about', () => {
    const request = /<eventoCTe.*<\/eventoCTe>/.exec(procEventoCte())?.[0] ?? '';
    const piece = rejeitada(only(ler(request.replace('<eventoCTe', `<eventoCTe${NS_CTE}`))));
    assert.deepEqual(
      [piece.rejeicao.codigo, piece.especie, piece.chave],
      ['evento_sem_registro', 'Evento', CHAVE_CTE],
    );
  });
});
