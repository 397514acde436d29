import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ler, only } from '../../fiscal/leitura-de-teste.ts';
import * as nfse from '../../fiscal/nfse/amostras-de-teste.ts';
import type { CpfCnpj, FalhaDeProva } from '../../fiscal/tipos.ts';
import {
  AGORA,
  type Cofre,
  chaveDe,
  DESTINATARIO,
  EMITENTE,
  evento,
  inutilizacao,
  lida,
  nota,
  openCofre,
  TERCEIRO,
} from '../cofre-testing.ts';
import { MOTIVO } from '../lean/motivos.ts';
import { entradaPorNsu, paginaDeNovos } from '../read/feed.ts';
import { paginaDeListagem } from '../read/listagem.ts';
import type { PecaLida } from '../tipos.ts';
import { storeLotes } from './store.ts';

let cofre: Cofre;
beforeEach(async () => {
  cofre = await openCofre();
});
afterEach(() => cofre.db.close());

const CHAVE = chaveDe({});

async function resultados(...pecas: PecaLida[]): Promise<string[]> {
  return (await cofre.gravar(...pecas)).map((peca) => peca.resultado);
}

function nsus(feed: readonly { nsu: number }[]): number[] {
  return feed.map((entrada) => entrada.nsu);
}

async function count(table: 'documento' | 'versao' | 'conteudo' | 'participacao'): Promise<number> {
  const { n } = await cofre.db.read
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** A feed as it is read, with texts. */
const entradas = async (clienteId: number) =>
  (await paginaDeNovos(cofre.db.read, { clienteId, nsu: 0, pagina: 1, tamanho: 50, comXml: true })).entradas;

async function papeisDe(clienteId: number): Promise<string[]> {
  const all = { nsu: 0, pagina: 1, tamanho: 50, comXml: false };
  const { entradas } = await paginaDeNovos(cofre.db.read, { clienteId, ...all });
  return [...new Set(entradas.map(({ papel }) => papel))];
}

const SO_RESPOSTA: readonly FalhaDeProva[] = ['sem_assinatura', 'so_resposta'];

describe('events', () => {
  test('an event is an entry of its own and cancels the document at once', async () => {
    const id = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota());
    assert.deepEqual(await resultados(evento(CHAVE)), ['evento']);
    assert.deepEqual(await cofre.feed(id), [
      { nsu: 1, chave: CHAVE, status: 'Cancelada' },
      { nsu: 2, chave: CHAVE, status: 'Cancelada' },
    ]);
  });

  test('the entry of an event shows its document, as it now stands, and tells the event apart', async () => {
    const id = await cofre.registrar(DESTINATARIO);
    await cofre.gravar(nota({ serie: '7' }), evento(chaveDe({ serie: '7' })));
    const [daNota, doEvento] = await entradas(id);
    assert.ok(daNota && doEvento);
    const { evento: e, nsu, xml, ...mostrado } = doEvento;
    assert.deepEqual({ ...mostrado, nsu: 1, evento: null, xml }, daNota);
    assert.equal(nsu, 2);
    assert.equal(mostrado.papel, 'destinatario');
    const { versaoId, tamanho, revisao, xml: texto, ...dito } = e ?? assert.fail();
    assert.deepEqual(dito, {
      codigo: '110111',
      descricao: 'Evento 110111',
      sequencia: 1,
      id: `ID110111${mostrado.chave}01`,
      data: '2026-03-11T09:00:00-03:00',
      prova: 'assinada',
    });
    assert.notEqual(versaoId, mostrado.versaoId);
    assert.equal(texto?.length, tamanho);
    assert.equal(revisao, 1);
  });

  test('an event may come before its document: its entry shows the event, then the document', async () => {
    const id = await cofre.registrar(EMITENTE);
    assert.deepEqual(await resultados(evento(CHAVE)), ['evento']);
    const [antes] = await entradas(id);
    assert.deepEqual(
      [antes?.status, antes?.versaoId, antes?.xml, antes?.dataEmissao],
      ['Evento', antes?.evento?.versaoId, antes?.evento?.xml, '2026-03-11T09:00:00-03:00'],
    );
    assert.deepEqual(await resultados(nota()), ['novo']);
    const [depois, daNota] = await entradas(id);
    assert.deepEqual(
      [depois?.status, depois?.versaoId, depois?.evento?.xml],
      ['Cancelada', daNota?.versaoId, antes?.xml],
    );
    assert.notEqual(
      depois?.evento?.revisao,
      antes?.evento?.revisao,
      'so that nobody goes on with the one before',
    );
    assert.deepEqual(await cofre.feed(id), [
      { nsu: 1, chave: CHAVE, status: 'Cancelada' },
      { nsu: 2, chave: CHAVE, status: 'Cancelada' },
    ]);
  });

  test("an event reaches the document's other parties when the document comes", async () => {
    await cofre.registrar(EMITENTE);
    const destinatario = await cofre.registrar(DESTINATARIO);
    await cofre.gravar(evento(CHAVE));
    assert.deepEqual(await cofre.feed(destinatario), []);
    await cofre.gravar(nota());
    assert.deepEqual(await cofre.feed(destinatario), [
      { nsu: 1, chave: CHAVE, status: 'Cancelada' },
      { nsu: 2, chave: CHAVE, status: 'Cancelada' },
    ]);
  });

  test('a cancelled document stays so when an older copy or a protocol comes afterwards', async () => {
    const id = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota({ cStat: null }));
    await cofre.gravar(evento(CHAVE));
    assert.deepEqual(await resultados(nota()), ['atualizado']);
    assert.ok((await cofre.feed(id)).every((entrada) => entrada.status === 'Cancelada'));
  });

  test('a letter of correction leaves the document authorised and marks it', async () => {
    const id = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota());
    await cofre.gravar(evento(CHAVE, { codigo: '110110' }));
    assert.deepEqual(await cofre.feed(id), [
      { nsu: 1, chave: CHAVE, status: 'Autorizada' },
      { nsu: 2, chave: CHAVE, status: 'CartaCorrecao' },
    ]);
    const row = await cofre.db.read
      .selectFrom('participacao')
      .select('carta_correcao')
      .where('nsu', '=', 1)
      .executeTakeFirstOrThrow();
    assert.equal(row.carta_correcao, 1);
  });

  test('two letters are two events, the same one twice is one', async () => {
    const id = await cofre.registrar(EMITENTE);
    const carta = (sequencia: number) => evento(CHAVE, { codigo: '110110', sequencia });
    assert.deepEqual(await resultados(carta(1), carta(2), carta(1)), ['evento', 'evento', 'duplicado']);
    assert.deepEqual(nsus(await cofre.feed(id)), [1, 2]);
  });

  test('the answer alone and the answer with its request are one event: they share the protocol', async () => {
    await cofre.registrar(EMITENTE);
    await cofre.gravar(evento(CHAVE));
    assert.deepEqual(await resultados(evento(CHAVE, { conteudo: 'só a resposta', falhas: SO_RESPOSTA })), [
      'duplicado',
    ]);
    const outro = evento(CHAVE, { conteudo: 'outro', nProt: '891999999999999' });
    assert.deepEqual(await resultados(outro), ['conflito']);
  });

  test('a manifestation of the recipient reaches the issuer and the recipient', async () => {
    const emitente = await cofre.registrar(EMITENTE);
    const destinatario = await cofre.registrar(DESTINATARIO);
    await cofre.gravar(evento(CHAVE, { codigo: '210200', autor: DESTINATARIO }));
    for (const id of [emitente, destinatario]) {
      assert.deepEqual(await cofre.feed(id), [{ nsu: 1, chave: CHAVE, status: 'Evento' }]);
    }
    const entrada = await entradaPorNsu(cofre.db.read, { clienteId: destinatario, nsu: 1 });
    assert.equal(entrada?.papel, 'destinatario');
  });

  test('whom a 110150 names has the note and all of its events, whichever of them came first', async () => {
    const ator = evento(CHAVE, { codigo: '110150', autorizados: [TERCEIRO] });
    const pecas = [nota(), evento(CHAVE), ator];
    for (const order of [pecas, pecas.toReversed(), [pecas[1], pecas[0], pecas[2]] as PecaLida[]]) {
      await cofre.db.close();
      cofre = await openCofre();
      const id = await cofre.registrar(TERCEIRO);
      for (const peca of order) await cofre.gravar(peca);
      assert.deepEqual((await cofre.feed(id)).length, 3);
      assert.deepEqual(await papeisDe(id), ['autorizado']);
    }
  });

  test('who takes part already keeps the part it plays', async () => {
    const id = await cofre.registrar(DESTINATARIO);
    await cofre.gravar(nota(), evento(CHAVE, { codigo: '110150', autorizados: [DESTINATARIO] }));
    assert.deepEqual(await papeisDe(id), ['destinatario']);
  });

  test('an event of homologação says nothing about the document of production', async () => {
    const id = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota());
    await cofre.gravar(evento(CHAVE, { ambiente: 2 }));
    assert.deepEqual(await cofre.feed(id), [{ nsu: 1, chave: CHAVE, status: 'Autorizada' }]);
  });

  test('a changed status changes the revision, which the ETag is made of', async () => {
    const id = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota());
    const revisao = async () => (await entradaPorNsu(cofre.db.read, { clienteId: id, nsu: 1 }))?.revisao;
    const before = await revisao();
    await cofre.gravar(evento(CHAVE));
    const after = await revisao();
    assert.notEqual(after, before);
    await cofre.gravar(evento(CHAVE));
    assert.equal(await revisao(), after);
  });
});

describe('a document that shows something else', () => {
  const eventos = async (clienteId: number) =>
    (await entradas(clienteId)).map(({ status, evento: e }) => (e ? `${status}: ${e.codigo}` : status));

  test('for another version is listed once more, and says why', async () => {
    const id = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota({ cStat: null }));
    await cofre.gravar(nota());
    assert.deepEqual(await eventos(id), ['Autorizada', 'Autorizada: correcao']);
    const [primeira, segunda] = await entradas(id);
    assert.deepEqual(segunda?.evento, {
      codigo: 'correcao',
      descricao: MOTIVO.versao,
      sequencia: 0,
      id: '',
      data: null,
      prova: 'assinada',
      versaoId: null,
      revisao: segunda?.revisao,
      tamanho: 0,
      xml: null,
    });
    assert.equal(segunda?.xml, primeira?.xml, 'the old NSU answers the newer version too');
    const { entradas: listadas } = await paginaDeListagem(cofre.db.read, {
      clienteId: id,
      modelo: '55',
      desde: 0,
      ate: null,
      tipo: null,
      filtro: null,
      pagina: 1,
      tamanho: 50,
    });
    assert.deepEqual(
      listadas.map(({ nsu, evento: e }) => [nsu, e]),
      [[2, null]],
      'a listing shows documents, not what happened to them',
    );
  });

  test('for what another version says of its status is listed once more, and says why', async () => {
    const id = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota());
    await cofre.gravar(nota({ cStat: '101', falhas: ['protocolo_incompleto'] }));
    assert.deepEqual(await eventos(id), ['Cancelada', 'Cancelada: correcao']);
    assert.equal((await entradas(id))[1]?.evento?.descricao, MOTIVO.status);
  });

  test('for an event has that and no correction beside it, however well either is proven', async () => {
    const id = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota());
    await cofre.gravar(evento(CHAVE, { falhas: ['sem_assinatura'] }));
    await cofre.gravar(evento(CHAVE, { conteudo: 'x' }));
    assert.deepEqual(await eventos(id), ['Cancelada', 'Cancelada: 110111', 'Cancelada: 110111']);
  });
});

describe('inutilização', () => {
  test('is an entry of the issuer', async () => {
    const id = await cofre.registrar(EMITENTE);
    assert.deepEqual(await resultados(inutilizacao({ de: 10, ate: 12 })), ['novo']);
    const entrada = await entradaPorNsu(cofre.db.read, { clienteId: id, nsu: 1 });
    assert.equal(entrada?.status, 'Inutilizada');
    assert.equal(entrada?.tipo, 'Emitida');
    assert.equal(entrada?.serie, '1');
    assert.equal(entrada?.numero, '10');
  });

  test('is known by its protocol number, whatever envelope it comes in', async () => {
    await cofre.registrar(EMITENTE);
    await cofre.gravar(inutilizacao({ de: 10, ate: 12 }));
    assert.deepEqual(
      await resultados(inutilizacao({ de: 10, ate: 12, conteudo: 'só a resposta', falhas: SO_RESPOSTA })),
      ['duplicado'],
    );
    const outra = inutilizacao({ de: 10, ate: 12, conteudo: 'outra', nProt: '177999' });
    assert.deepEqual(await resultados(outra), ['conflito']);
  });
});

describe('within one batch', () => {
  test('a document, its copy, its event and its conflict are told apart', async () => {
    const id = await cofre.registrar(EMITENTE);
    assert.deepEqual(
      await resultados(nota(), nota(), nota({ copia: 'b' }), evento(CHAVE), nota({ conteudo: 'outro' })),
      ['novo', 'duplicado', 'duplicado', 'evento', 'conflito'],
    );
    assert.deepEqual(await cofre.feed(id), [
      { nsu: 1, chave: CHAVE, status: 'Cancelada' },
      { nsu: 2, chave: CHAVE, status: 'Cancelada' },
    ]);
  });

  test('the very same piece twice is new once', async () => {
    await cofre.registrar(EMITENTE);
    const peca = nota();
    assert.deepEqual(await resultados(peca, peca), ['novo', 'duplicado']);
  });

  test('the event may stand before its document', async () => {
    const id = await cofre.registrar(DESTINATARIO);
    assert.deepEqual(await resultados(evento(CHAVE), nota()), ['evento', 'novo']);
    assert.deepEqual(nsus(await cofre.feed(id)), [1, 2]);
    assert.ok((await cofre.feed(id)).every((entrada) => entrada.status === 'Cancelada'));
  });

  test('a version with protocol takes the place of the one without before anybody has seen it', async () => {
    const id = await cofre.registrar(EMITENTE);
    assert.deepEqual(await resultados(nota({ cStat: null }), nota()), ['novo', 'atualizado']);
    assert.deepEqual(await cofre.feed(id), [{ nsu: 1, chave: CHAVE, status: 'Autorizada' }]);
    assert.equal(await count('versao'), 2);
  });

  test('the order of the answers is the order of the pieces, over several files', async () => {
    await cofre.registrar(EMITENTE);
    const lotes = [
      { arquivoNumero: 1, contadorId: cofre.contadorId, pecas: [nota(), nota({ numero: 2 })] },
      { arquivoNumero: 2, contadorId: cofre.contadorId, pecas: [] },
      { arquivoNumero: 3, contadorId: cofre.contadorId, pecas: [nota({ numero: 2 }), nota({ numero: 3 })] },
    ];
    const results = await cofre.db.write
      .transaction()
      .execute((trx) => storeLotes(trx, { lotes, agora: AGORA, homologacao: false }));
    assert.deepEqual(
      results.map((pecas) => pecas.map((peca) => peca.resultado)),
      [['novo', 'novo'], [], ['duplicado', 'novo']],
    );
  });

  test('what was refused or ignored before keeps its words', async () => {
    const rejeicao = {
      codigo: 'xml_mal_formado',
      mensagem: 'Elemento não fechado.',
      elemento: 'nfeProc/NFe',
      linha: 3,
      coluna: 7,
    };
    const pecas = await cofre.gravar(
      { kind: 'rejeitado', caminho: 'a.xml', especie: 'NFe', chave: null, sha256: 'ab', rejeicao },
      { kind: 'ignorado', caminho: 'b.pdf', especie: 'Outro', sha256: null, codigo: 'pdf', mensagem: 'PDF.' },
    );
    const sem = { linha: null, coluna: null, elemento: null };
    assert.deepEqual(pecas, [
      {
        caminho: 'a.xml',
        sha256: 'ab',
        especie: 'NFe',
        chave: null,
        resultado: 'rejeitado',
        documentoId: null,
        primeira: false,
        ...rejeicao,
      },
      {
        caminho: 'b.pdf',
        sha256: null,
        especie: 'Outro',
        chave: null,
        resultado: 'ignorado',
        documentoId: null,
        primeira: false,
        codigo: 'pdf',
        mensagem: 'PDF.',
        ...sem,
      },
    ]);
  });
});

describe('two contents of one key', () => {
  const ofNfse = (xml: string) => lida(nfse.documento(only(ler(xml))));
  for (const [who, pieces, said] of [
    ['the SEFAZ', [nota(), nota({ conteudo: 'outro' })], /qual delas a SEFAZ autorizou\.$/],
    ['its city', ['10.00', '11.00'].map((valor) => ofNfse(nfse.abrasf1({ valor }))), /site da prefeitura/],
    [
      'the national system',
      ['2026-03-10', '2026-03-11'].map((dia) =>
        ofNfse(nfse.nacional({ dhProc: `<dhProc>${dia}T09:31:00-03:00</dhProc>` })),
      ),
      /portal nacional da NFS-e/,
    ],
  ] as const) {
    test(`are told with the place that knows which one counts: ${who}`, async () => {
      await cofre.registrar(EMITENTE);
      const gravadas = [];
      for (const piece of pieces) gravadas.push(...(await cofre.gravar(piece)));
      assert.deepEqual(
        gravadas.map(({ resultado }) => resultado),
        ['novo', 'conflito'],
      );
      assert.match(gravadas[1]?.mensagem ?? '', said);
    });
  }
});

describe('events of an NFS-e that the tomador issued', () => {
  const tomador = nfse.TOMADOR as CpfCnpj;
  const chave = nfse.chave50('42', tomador);
  const partes = `<prest><NIF>US1</NIF><xNome>Acme Inc</xNome></prest><toma><CNPJ>${tomador}</CNPJ></toma>`;
  const documento = lida(
    nfse.documento(
      only(
        ler(
          nfse.nacional({
            chave,
            emit: `<emit><CNPJ>${tomador}</CNPJ><xNome>Mercado Horizonte</xNome></emit>`,
            infDPS: nfse.infDPS({ partes }).replace('<tpEmit>1', '<tpEmit>2'),
          }),
        ),
      ),
    ),
  );
  const cancelamento = lida(nfse.evento(only(ler(nfse.eventoNacional({ chave, autor: tomador })))));

  for (const [when, ordem] of [
    ['before it', [[cancelamento], [documento]]],
    ['with it', [[cancelamento, documento]]],
    ['behind it', [[documento], [cancelamento]]],
  ] as const) {
    test(`are received by him as the note is, also those that come ${when}`, async () => {
      const clienteId = await cofre.registrar(tomador);
      for (const pecas of ordem) await cofre.gravar(...pecas);
      const pagina = await paginaDeNovos(cofre.db.read, {
        clienteId,
        nsu: 0,
        pagina: 1,
        tamanho: 10,
        comXml: false,
      });
      assert.deepEqual(
        pagina.entradas.map(({ papel, tipo }) => [papel, tipo]),
        [
          ['tomador', 'Recebida'],
          ['tomador', 'Recebida'],
        ],
      );
    });
  }
});
