import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type BancoAberto, openBanco } from '../../../test/support/bancos.ts';
import * as doInicio from '../inicio/queries-inicio.ts';
import { sumArquivos } from './saude.ts';

const AGORA = Date.UTC(2026, 10, 21);
const ZEROS = '00000000-0000-4000-8000-00000000000';

describe('bytes of uploads', () => {
  let banco: BancoAberto;
  let contadorId: number;
  before(async () => {
    banco = await openBanco();
    const office = { codigo_crm: '000001', nome: 'n', email: 'e', criado_em: AGORA };
    const made = await banco.db.write
      .insertInto('contador')
      .values(office)
      .returning('id')
      .executeTakeFirstOrThrow();
    contadorId = made.id;
    const arquivo = (id: string, more: { tamanho: number | null; blob: string | null; receita: number }) => ({
      id: ZEROS + id,
      contador_id: contadorId,
      token_id: null,
      extensao: 'xml',
      tamanho_anunciado: 7,
      status: 'Uploaded',
      criado_em: AGORA,
      expira_em: 0,
      kid: 'k',
      recebido_em: AGORA,
      inicio_em: AGORA,
      fim_em: AGORA,
      sha256: null,
      md5: null,
      ...more,
    });
    await banco.db.write
      .insertInto('arquivo')
      .values([
        arquivo('1', { tamanho: 1_000, blob: 'como-veio', receita: 2 }),
        arquivo('2', { tamanho: 200, blob: null, receita: 1 }),
        // Never sent; and let go, at the end of its term.
        arquivo('3', { tamanho: null, blob: null, receita: 0 }),
        arquivo('4', { tamanho: 30, blob: null, receita: 2 }),
      ])
      .execute();
  });
  after(() => banco.close());

  it('are those that came, on the first page, also of those that are kept as recipes', async () => {
    assert.deepEqual(await doInicio.sumArquivos(banco.db.read, contadorId), { bytes: 1_200, arquivos: 2 });
  });

  it('are told apart, on the health page, from the bytes of files that are kept', async () => {
    assert.deepEqual(await sumArquivos(banco.db.read), { recebidos: 1_200, guardados: 1_000 });
    await banco.db.write
      .insertInto('exportacao')
      .values({
        id: `${ZEROS}5`,
        contador_id: contadorId,
        usuario_id: 1,
        cliente_id: null,
        tipo: 'csv',
        pedido: '{}',
        estado: 'pronta',
        processo: 'p',
        total: 1,
        bytes: 50,
        erro: null,
        criado_em: AGORA,
        fim_em: AGORA,
        expira_em: AGORA,
        blob: 'pronta',
      })
      .execute();
    assert.deepEqual(await sumArquivos(banco.db.read), { recebidos: 1_200, guardados: 1_050 });
  });
});
