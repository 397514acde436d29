import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ler, lida as lidaDe } from '../../fiscal/leitura-de-teste.ts';
import * as nfse from '../../fiscal/nfse/amostras-de-teste.ts';
import type { FalhaDeProva } from '../../fiscal/tipos.ts';
import { type Cofre, collect, EMITENTE, lida, openCofre } from '../cofre-testing.ts';
import { desconsiderar } from '../review/revisar.ts';
import type { PecaLida } from '../tipos.ts';
import { verifyCofre } from '../verify/verificar.ts';

const NACIONAL = nfse.chave50();
const DA_CIDADE = `NFSE-3550308-${nfse.PRESTADOR}-42`;
const GERADOR = '<OrgaoGerador><CodigoMunicipio>3550308</CodigoMunicipio><Uf>SP</Uf></OrgaoGerador>';
const PARTES = { numero: '42', valor: '1500.00', gerador: GERADOR };
const CANCELAMENTO = nfse.cancelamentoAbrasf({ numero: '42', municipio: '3550308' });

function peca(xml: string, falhas?: readonly FalhaDeProva[]): PecaLida {
  return lida(lidaDe(ler(xml)[0]).registro, falhas ? { falhas } : {});
}
const nacional = (): PecaLida => peca(nfse.nacional());
const daCidade = (options: nfse.OpcoesAbrasf = {}): PecaLida => peca(nfse.abrasf1({ ...PARTES, ...options }));
const DA_PREFEITURA = nfse.abrasf1(PARTES);
const canceladaPelaCidade = (): PecaLida => daCidade({ ao_lado: CANCELAMENTO });

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) =>
    permutations([...items.slice(0, at), ...items.slice(at + 1)]).map((rest) => [item, ...rest]),
  );
}

let cofre: Cofre;
let cliente: number;
async function abrir(): Promise<void> {
  cofre = await openCofre();
  cliente = await cofre.registrar(EMITENTE);
}
beforeEach(abrir);
afterEach(() => cofre.db.close());

async function situacoes(): Promise<Record<string, string>> {
  const rows = await cofre.db.read
    .selectFrom('documento')
    .select(['chave', 'status', 'status_prova'])
    .where('classe', '=', 'documento')
    .execute();
  return Object.fromEntries(rows.map(({ chave, status }) => [chave, status]));
}

describe('an NFS-e that the office has in both of its forms', () => {
  const ambas = { [NACIONAL]: 'Cancelada', [DA_CIDADE]: 'Cancelada' };
  const casos: [string, PecaLida[]][] = [
    ['its city', [nacional(), canceladaPelaCidade()]],
    ['its city, once it was exported before', [nacional(), daCidade(), canceladaPelaCidade()]],
    ['the national system', [daCidade(), nacional(), peca(nfse.eventoNacional())]],
    ['a message of its city', [daCidade(), nacional(), peca(CANCELAMENTO)]],
  ];
  for (const [quem, pecas] of casos) {
    test(`is cancelled in both when ${quem} cancels it, in any order, and whoever only reads the feed learns of it`, async () => {
      for (const order of permutations(pecas)) {
        await cofre.db.close();
        await abrir();
        for (const one of order) await cofre.gravar(one);
        assert.deepEqual(await situacoes(), ambas);
        const shown = new Map((await cofre.feed(cliente)).map(({ chave, status }) => [chave, status]));
        assert.deepEqual(Object.fromEntries(shown), ambas);
        assert.deepEqual(await collect(verifyCofre(cofre.db.read)), []);
      }
    });
  }

  test('is announced again, and told in the row of what came', async () => {
    await cofre.gravar(nacional());
    const [row] = await cofre.gravar(canceladaPelaCidade());
    assert.deepEqual([row?.resultado, row?.codigo], ['novo', 'mesma_nota_cancelada']);
    assert.match(row?.mensagem ?? '', new RegExp(`layout nacional \\(${NACIONAL}\\)`));
    const feed = await cofre.feed(cliente);
    assert.deepEqual(
      feed.map(({ chave }) => chave),
      [NACIONAL, NACIONAL, DA_CIDADE],
    );
    await cofre.gravar(nacional(), canceladaPelaCidade());
    assert.equal((await cofre.feed(cliente)).length, 3);
    await cofre.db.close();
    await abrir();
    const [, other] = await cofre.gravar(canceladaPelaCidade(), nacional());
    assert.match(other?.mensagem ?? '', /foi cancelada lá: esta passa a constar como Cancelada/);
  });

  test('is cancelled in the other form as declared only', async () => {
    await cofre.gravar(nacional(), canceladaPelaCidade());
    const row = await cofre.db.read
      .selectFrom('documento')
      .select('status_prova')
      .where('chave', '=', NACIONAL)
      .executeTakeFirstOrThrow();
    assert.equal(row.status_prova, 0);
  });

  test('stays what it is where number or day tell that they are two notes', async () => {
    const outras = [
      daCidade({ ao_lado: CANCELAMENTO, data: '<DataEmissao>2026-03-15T09:30:00</DataEmissao>' }),
      daCidade({
        numero: '43',
        ao_lado: nfse.cancelamentoAbrasf({ numero: '43', municipio: '3550308' }),
      }),
    ];
    for (const outra of outras) {
      await cofre.db.close();
      await abrir();
      await cofre.gravar(nacional(), outra);
      assert.equal((await situacoes())[NACIONAL], 'Autorizada');
    }
  });

  test('is authorised again in both once a person sets the cancellation aside', async () => {
    const cancelamento = peca(CANCELAMENTO, ['sem_assinatura', 'municipal']);
    await cofre.gravar(nacional(), peca(DA_PREFEITURA, []), cancelamento);
    assert.deepEqual(await situacoes(), ambas);
    const { id } = await cofre.db.read
      .selectFrom('documento')
      .select('id')
      .where('classe', '=', 'evento')
      .executeTakeFirstOrThrow();
    const { contadorId } = cofre;
    await cofre.db.write
      .transaction()
      .execute((trx) =>
        desconsiderar(trx, { contadorId, documentoId: id, agora: cofre.agora, afastar: true }),
      );
    assert.deepEqual(await situacoes(), { [NACIONAL]: 'Autorizada', [DA_CIDADE]: 'Autorizada' });
  });
});
