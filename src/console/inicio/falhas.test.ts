import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Cofre, EMITENTE, nota, openCofre } from '../../documentos/cofre-testing.ts';
import { Falhas } from './falhas.ts';

let cofre: Cofre;
let falhas: Falhas;
beforeEach(async () => {
  cofre = await openCofre();
  // Windows of two items: every file takes several. However busy the machine is, they are walked to the end.
  falhas = new Falhas({ janela: 2, orcamentoMs: Infinity });
});
afterEach(() => cofre.db.close());

let made = 0;
type Item = { resultado: string; especie?: string; chave?: string | null; documentoId?: number | null };

/** A file that ended with these items. @returns its id */
async function arquivo(
  itens: readonly Item[],
  more: { status?: string; reimportadoDe?: string; desistiu?: boolean; criadoEm?: number } = {},
): Promise<string> {
  const id = `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`;
  const { numero } = await cofre.db.write
    .insertInto('arquivo')
    .values({
      id,
      contador_id: cofre.contadorId,
      token_id: null,
      extensao: 'zip',
      tamanho_anunciado: 1,
      tamanho: 1,
      status: more.status ?? 'Com Erro',
      criado_em: more.criadoEm ?? 1_000,
      expira_em: 0,
      kid: 'k',
      recebido_em: null,
      inicio_em: null,
      fim_em: null,
      sha256: null,
      md5: null,
      blob: null,
      reimportado_de: more.reimportadoDe ?? null,
    })
    .returning('numero')
    .executeTakeFirstOrThrow();
  if (more.desistiu) {
    await cofre.db.write
      .insertInto('job')
      .values({
        tipo: 'importar',
        arquivo_id: id,
        contador_id: cofre.contadorId,
        estado: 'falhou',
        disponivel_em: 0,
        tomado_por: null,
        erro: 'x',
      })
      .execute();
  }
  for (const [at, { resultado, especie = 'NFe', chave = null, documentoId = null }] of itens.entries()) {
    await cofre.db.write
      .insertInto('item')
      .values({
        arquivo_numero: numero,
        ordem: at + 1,
        caminho: `${at}.xml`,
        sha256: null,
        especie,
        chave,
        resultado,
        codigo: null,
        mensagem: null,
        linha: null,
        coluna: null,
        elemento: null,
        documento_id: documentoId,
      })
      .execute();
  }
  return id;
}

const contadas = (by = falhas) => by.count(cofre.db.read, { contadorId: cofre.contadorId, desde: 500 });
const pendentes = async () => (await contadas()).arquivos;
const novo = { resultado: 'novo' };

async function documento() {
  const row = await cofre.db.read
    .selectFrom('documento')
    .select(['id', 'chave', 'especie'])
    .executeTakeFirstOrThrow();
  return { chave: row.chave, especie: row.especie, documentoId: row.id };
}

describe('pending failures', () => {
  it('are files of the time with a problem, whatever came well around it', async () => {
    assert.equal(await pendentes(), 0);
    await arquivo([novo], { status: 'Uploaded' });
    await arquivo([{ resultado: 'rejeitado' }], { criadoEm: 499 });
    assert.equal(await pendentes(), 0);
    await arquivo([novo, novo, novo, { resultado: 'rejeitado' }, novo]);
    await arquivo([]);
    await arquivo([{ resultado: 'ignorado' }]);
    await arquivo([{ resultado: 'conflito', documentoId: 7 }]);
    assert.equal(await pendentes(), 4);
    assert.equal((await falhas.count(cofre.db.read, { contadorId: 999, desde: 0 })).arquivos, 0);
  });

  it('are looked for among the newest files only, and it is said where there are more', async () => {
    const poucos = new Falhas({ arquivos: 2, orcamentoMs: Infinity });
    for (const criadoEm of [1_000, 2_000]) await arquivo([{ resultado: 'rejeitado' }], { criadoEm });
    assert.deepEqual(await contadas(poucos), { arquivos: 2, haMais: false });
    await arquivo([{ resultado: 'rejeitado' }], { criadoEm: 3_000 });
    assert.deepEqual(await contadas(poucos), { arquivos: 2, haMais: true });
    assert.deepEqual(await contadas(), { arquivos: 3, haMais: false });
  });

  it('are one, and then none, where a file was tried again', async () => {
    const first = await arquivo([{ resultado: 'rejeitado' }]);
    const second = await arquivo([{ resultado: 'rejeitado' }], { reimportadoDe: first });
    assert.equal(await pendentes(), 1);
    await arquivo([novo], { reimportadoDe: second, status: 'Uploaded' });
    assert.equal(await pendentes(), 0);
  });

  it('end when the last of the documents that could not be delivered has come', async () => {
    await cofre.gravar(nota());
    const { chave, especie, documentoId } = await documento();
    const itens = [
      { resultado: 'sem_cliente', especie, chave, documentoId },
      novo,
      novo,
      // Refused before its model was known.
      { resultado: 'rejeitado', especie: 'NFCe', chave },
    ];
    await arquivo(itens);
    assert.equal(await pendentes(), 1, 'nobody has it');
    await arquivo(itens, { desistiu: true });
    await arquivo([{ resultado: 'rejeitado', especie: 'Evento', chave }]);
    assert.equal(await pendentes(), 3);
    await cofre.registrar(EMITENTE);
    assert.equal(await pendentes(), 2, 'one was given up halfway, and one was an event of that key');
    assert.equal(await pendentes(), 2, 'told the same again');
    assert.equal((await contadas(new Falhas({ orcamentoMs: Infinity }))).arquivos, 2, 'in one window too');
  });
});
