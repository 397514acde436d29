import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { CpfCnpj } from '../../fiscal/tipos.ts';
import {
  type Cofre,
  chaveDe,
  DESTINATARIO,
  EMITENTE,
  evento,
  nota,
  openCofre,
  TERCEIRO,
} from '../cofre-testing.ts';
import { lerFinalidade, writeFinalidade } from '../lean/finalidade-guardada.ts';
import {
  adquirentes,
  adquiridosPor,
  type FinalidadeInformada,
  finalidadeDe,
  informarFinalidade,
} from './finalidade.ts';

let cofre: Cofre;
let emitente = 0;
let destinatario = 0;
beforeEach(async () => {
  cofre = await openCofre();
  emitente = await cofre.registrar(EMITENTE);
  destinatario = await cofre.registrar(DESTINATARIO);
});
afterEach(() => cofre.db.close());

const ITENS = [
  { numero: 1, cfop: '5102', ncm: '61091000', valor: '10.00' },
  { numero: 2, cfop: '5101', ncm: '39269090', valor: '90.00' },
  { numero: 3, cfop: null, ncm: null, valor: null },
];

function de(clienteId = destinatario, documentoId = 1) {
  return finalidadeDe(cofre.db.read, { clienteId, documentoId });
}

function informar(input: Pick<FinalidadeInformada, 'finalidade' | 'itens'>, clienteId = destinatario) {
  return cofre.db.write.transaction().execute((trx) =>
    informarFinalidade(trx, {
      alvos: [{ clienteId, documentoId: 1 }],
      agora: 1,
      por: 'contador',
      ...input,
    }),
  );
}

async function escolhas(clienteId = destinatario, documentoId = 1): Promise<string[]> {
  const lida = await de(clienteId, documentoId);
  assert.ok(lida);
  return [lida, ...lida.itens].map((parte) => `${parte.finalidade_aquisicao} ${parte.origem}`);
}

describe('the purpose of items for which the recipient registered an event', () => {
  const imobilizado = evento(chaveDe({}), {
    codigo: '211130',
    autor: DESTINATARIO,
    nProt: '900',
    itensDeclarados: [1],
  });

  test('is what the event says, for who received them, whichever came first', async () => {
    await cofre.gravar(imobilizado);
    await cofre.gravar(nota({ itens: ITENS }));
    const segundo = 2;
    assert.deepEqual(await escolhas(destinatario, segundo), [
      'Industrializacao sugerida',
      'AtivoImobilizado documento',
      'Industrializacao sugerida',
      'Outras sugerida',
    ]);
    assert.equal(await de(emitente, segundo), null, 'who sold it bought nothing');
  });

  test('is that of the latest event, and gives way to what a person set', async () => {
    const consumo = evento(chaveDe({}), {
      codigo: '211120',
      autor: DESTINATARIO,
      data: '2026-03-20T09:00:00-03:00',
      itensDeclarados: [1, 3],
    });
    await cofre.gravar(nota({ itens: ITENS }), consumo, imobilizado);
    assert.deepEqual((await escolhas()).slice(1), [
      'UsoConsumo documento',
      'Industrializacao sugerida',
      'UsoConsumo documento',
    ]);
    await informar({ itens: [{ numero: 1, finalidade_aquisicao: 'Revenda' }] });
    assert.equal((await escolhas())[1], 'Revenda informada');
  });

  test('is suggested again once the event was cancelled', async () => {
    const desfaz = (nProt: string) => ({ codigo: '211130', sequencia: null, nProt });
    await cofre.gravar(nota({ itens: ITENS }), imobilizado);
    const cancela = (autor: typeof DESTINATARIO, sequencia: number, nProt: string) =>
      cofre.gravar(evento(chaveDe({}), { codigo: '110001', autor, sequencia, desfaz: desfaz(nProt) }));
    await cancela(DESTINATARIO, 1, '901');
    assert.equal((await escolhas())[1], 'AtivoImobilizado documento', 'another event was');
    await cancela(EMITENTE, 2, '900');
    assert.equal((await escolhas())[1], 'AtivoImobilizado documento', 'somebody else takes nothing back');
    await cancela(DESTINATARIO, 3, '900');
    assert.equal((await escolhas())[1], 'Revenda sugerida');
  });

  test('is not what somebody else says, nor what nobody proves', async () => {
    const declara = (opcoes: Parameters<typeof evento>[1]) =>
      cofre.gravar(evento(chaveDe({}), { codigo: '211120', itensDeclarados: [1], ...opcoes }));
    await cofre.gravar(nota({ itens: ITENS }));
    await declara({ autor: EMITENTE });
    await declara({ autor: TERCEIRO, sequencia: 2 });
    await declara({ autor: DESTINATARIO, sequencia: 3, falhas: ['sem_assinatura'] });
    assert.equal((await escolhas())[1], 'Revenda sugerida');
    await declara({ autor: DESTINATARIO, sequencia: 4 });
    assert.equal((await escolhas())[1], 'UsoConsumo documento');
  });
});

describe('the purpose of a purchase', () => {
  test("is suggested from the seller's CFOP: of the whole, the one that carries most of the value", async () => {
    await cofre.gravar(nota({ itens: ITENS }));
    assert.deepEqual(await de(), {
      chave: chaveDe({}),
      finalidade_documento: { codigo: '1', descricao: 'NF-e normal' },
      finalidade_aquisicao: 'Industrializacao',
      origem: 'sugerida',
      itens: [
        { numero: 1, cfop: '5102', ncm: '61091000', finalidade_aquisicao: 'Revenda', origem: 'sugerida' },
        {
          numero: 2,
          cfop: '5101',
          ncm: '39269090',
          finalidade_aquisicao: 'Industrializacao',
          origem: 'sugerida',
        },
        { numero: 3, cfop: null, ncm: null, finalidade_aquisicao: 'Outras', origem: 'sugerida' },
      ],
    });
  });

  test("is the document's own word where the CFOP is one of entry", async () => {
    const itens = [{ numero: 1, cfop: '1556', ncm: null, valor: '1.00' }];
    await cofre.gravar(nota({ itens, tpNF: '0', destinatario: null }));
    assert.deepEqual(await escolhas(emitente), ['UsoConsumo documento', 'UsoConsumo documento']);
  });

  test('what a person set for an item stands above the document and the suggestion', async () => {
    await cofre.gravar(nota({ itens: ITENS }));
    await informar({ itens: [{ numero: 1, finalidade_aquisicao: 'AtivoImobilizado' }] });
    assert.deepEqual(await escolhas(), [
      'Industrializacao sugerida',
      'AtivoImobilizado informada',
      'Industrializacao sugerida',
      'Outras sugerida',
    ]);
  });

  test('what was set for the document holds for the items that have none of their own', async () => {
    await cofre.gravar(nota({ itens: ITENS }));
    await informar({ finalidade: 'UsoConsumo', itens: [{ numero: 2, finalidade_aquisicao: 'Revenda' }] });
    assert.deepEqual(await escolhas(), [
      'UsoConsumo informada',
      'UsoConsumo informada',
      'Revenda informada',
      'UsoConsumo informada',
    ]);
  });

  test('can be set again; what is not named stays', async () => {
    await cofre.gravar(nota({ itens: ITENS }));
    await informar({ finalidade: 'UsoConsumo', itens: [{ numero: 1, finalidade_aquisicao: 'Servico' }] });
    await informar({ finalidade: 'Revenda' });
    await informar({});
    assert.deepEqual((await escolhas()).slice(0, 3), [
      'Revenda informada',
      'Servico informada',
      'Revenda informada',
    ]);
  });

  test('of an item named twice the last word counts', async () => {
    await cofre.gravar(nota({ itens: ITENS }));
    await informar({
      itens: [
        { numero: 1, finalidade_aquisicao: 'Servico' },
        { numero: 1, finalidade_aquisicao: 'Outras' },
      ],
    });
    assert.equal((await escolhas())[1], 'Outras informada');
  });

  test('an item without a number of its own is refused, and sets nothing for the whole', async () => {
    await cofre.gravar(nota({ itens: ITENS }));
    for (const numero of [0, -1, 1.5, Number.NaN]) {
      await assert.rejects(informar({ itens: [{ numero, finalidade_aquisicao: 'Outras' }] }), RangeError);
    }
    assert.equal((await escolhas())[0], 'Industrializacao sugerida');
  });

  test('is of who acquired something alone: a note of the client’s own has none, unless it takes in', async () => {
    await cofre.gravar(nota({ itens: ITENS }));
    await informar({ finalidade: 'UsoConsumo' }, destinatario);
    await informar({ finalidade: 'Revenda' }, emitente);
    assert.equal((await escolhas())[0], 'UsoConsumo informada');
    assert.equal(await de(emitente), null);
    await cofre.gravar(nota({ numero: 2, itens: ITENS, tpNF: '0' }));
    assert.equal((await escolhas(emitente, 2))[0], 'Industrializacao documento');
    assert.equal(await de(destinatario, 2), null, 'what the other side takes in leaves the client');
  });

  test('of a returned note, or one of adjustment, there is none', async () => {
    for (const [index, codigo] of ['1', '2', '3', '4', '5', '6'].entries()) {
      const numero = index + 1;
      const finalidade = { codigo, descricao: 'x' };
      await cofre.gravar(nota({ numero, itens: ITENS, finalidade }));
      assert.equal((await de(destinatario, index + 1)) !== null, index < 2, codigo);
    }
  });

  test('of a transport is that of who pays for it, whatever else he is', async () => {
    const transporte = (numero: number, tomador: CpfCnpj) => {
      const outros = [
        ['remetente', EMITENTE],
        ['tomador', tomador],
      ] as const;
      const peca = nota({ numero, emitente: TERCEIRO, outros: [...outros], itens: [] });
      assert.ok(peca.kind === 'registro' && peca.registro.classe === 'documento');
      return { ...peca, registro: { ...peca.registro, modelo: '57', especie: 'CTe', tpNF: null } as const };
    };
    await cofre.gravar(transporte(1, DESTINATARIO));
    await cofre.gravar(transporte(2, EMITENTE));
    for (const [documentoId, paga, outro] of [
      [1, destinatario, emitente],
      [2, emitente, destinatario],
    ] as const) {
      assert.equal((await de(paga, documentoId))?.finalidade_aquisicao, 'Servico');
      assert.equal(await de(outro, documentoId), null);
      const input = { documentoIds: [1, 2], clienteId: paga };
      assert.deepEqual([...(await adquiridosPor(cofre.db.read, input))], [documentoId]);
    }
    const todos = { contadorId: cofre.contadorId, clienteIds: null, documentoIds: [1, 2] };
    assert.deepEqual(await adquirentes(cofre.db.read, todos), [
      { clienteId: destinatario, documentoId: 1 },
      { clienteId: emitente, documentoId: 2 },
    ]);
  });

  test('a better version of the document leaves it as it was set', async () => {
    await cofre.gravar(nota({ itens: ITENS, cStat: null }));
    await informar({ finalidade: 'UsoConsumo' });
    await cofre.gravar(nota({ itens: ITENS }));
    assert.equal((await escolhas())[0], 'UsoConsumo informada');
  });

  test('of a document in which the client has no part there is none', async () => {
    await cofre.gravar(nota({ itens: ITENS }));
    assert.equal(await de(await cofre.registrar(TERCEIRO)), null);
    assert.equal(await finalidadeDe(cofre.db.read, { clienteId: emitente, documentoId: 99 }), null);
  });
});

test('what a document says it is for comes back whole, and its text is kept only where the code does not tell it', async () => {
  const ditas = [
    { codigo: '1', descricao: 'NF-e normal' },
    { codigo: '1', descricao: 'CT-e de anulação' },
    { codigo: '5', descricao: 'Nota de crédito: multa e juros' },
    { codigo: '77', descricao: '' },
    null,
  ];
  for (const dita of ditas) assert.deepEqual(lerFinalidade(writeFinalidade(dita)), dita);
  assert.equal(writeFinalidade(ditas[0] ?? null).finalidade_descricao, null);
  const antiga = { finalidade_codigo: '4', finalidade_descricao: 'Devolução ou retorno de mercadoria' };
  assert.equal(lerFinalidade(antiga)?.descricao, antiga.finalidade_descricao);
});
