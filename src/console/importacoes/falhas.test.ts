import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Cofre, EMITENTE, nota, openCofre } from '../../documentos/cofre-testing.ts';
import { falhasAbertas, falhasPorCausa, listAbertas, listVistas } from './falhas.ts';
import { csvDasFalhas } from './falhas-csv.ts';
import { markFalhas, reabrirFalhas } from './marcar-falhas.ts';

let cofre: Cofre;
beforeEach(async () => {
  cofre = await openCofre();
});
afterEach(() => cofre.db.close());

const DIA_MS = 86_400_000;
const AGORA = 1_000 * DIA_MS;
let made = 0;
type Item = {
  resultado: string;
  codigo?: string;
  especie?: string;
  chave?: string | null;
  documentoId?: number | null;
};

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
      criado_em: more.criadoEm ?? AGORA - 1_000,
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
  for (const [
    at,
    { resultado, especie = 'NFe', chave = null, documentoId = null, codigo = null },
  ] of itens.entries()) {
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
        codigo,
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

const escopo = () => ({ contadorId: cofre.contadorId, agora: AGORA });
const pendentes = async () => (await falhasAbertas(cofre.db.read, escopo())).arquivos;
const novo = { resultado: 'novo' };
const deps = () => ({ db: cofre.db, clock: { now: () => AGORA } });
const quem = () => ({ contadorId: cofre.contadorId, autor: 'usuario:1', por: 'Ana' });

async function documento() {
  const row = await cofre.db.read
    .selectFrom('documento')
    .select(['id', 'chave', 'especie'])
    .executeTakeFirstOrThrow();
  return { chave: row.chave, especie: row.especie, documentoId: row.id };
}

describe('pending failures', () => {
  it('are files of the last months with a problem, whatever came well around it', async () => {
    assert.equal(await pendentes(), 0);
    await arquivo([novo], { status: 'Uploaded' });
    await arquivo([{ resultado: 'rejeitado' }], { criadoEm: AGORA - 91 * DIA_MS });
    assert.equal(await pendentes(), 0);
    await arquivo([novo, novo, novo, { resultado: 'rejeitado' }, novo]);
    await arquivo([]);
    await arquivo([{ resultado: 'ignorado' }]);
    await arquivo([{ resultado: 'conflito', documentoId: 7 }]);
    assert.equal(await pendentes(), 4);
    assert.equal((await falhasAbertas(cofre.db.read, { contadorId: 999, agora: AGORA })).arquivos, 0);
  });

  it('are not what waits for a client, nor what is of homologação', async () => {
    await arquivo([{ resultado: 'sem_cliente', documentoId: 7 }, { resultado: 'homologacao' }, novo]);
    assert.equal(await pendentes(), 0);
    await arquivo([{ resultado: 'sem_cliente', documentoId: 7 }, { resultado: 'rejeitado' }]);
    assert.equal(await pendentes(), 1);
  });

  it('are one, and then none, where a file was tried again', async () => {
    const first = await arquivo([{ resultado: 'rejeitado' }]);
    const second = await arquivo([{ resultado: 'rejeitado' }], { reimportadoDe: first });
    assert.equal(await pendentes(), 1);
    await arquivo([novo], { reimportadoDe: second, status: 'Uploaded' });
    assert.equal(await pendentes(), 0);
  });

  it('end when a document that was refused has come to a client', async () => {
    await cofre.gravar(nota());
    const { chave } = await documento();
    // Refused before its model was known.
    const itens = [novo, { resultado: 'rejeitado', especie: 'NFCe', chave }];
    await arquivo(itens);
    await arquivo(itens, { desistiu: true });
    await arquivo([{ resultado: 'rejeitado', especie: 'Evento', chave }]);
    assert.equal(await pendentes(), 3, 'nobody has it');
    await cofre.registrar(EMITENTE);
    assert.equal(await pendentes(), 2, 'one was given up halfway, and one was an event of that key');
  });

  it('end when somebody has chosen among the versions', async () => {
    await cofre.gravar(nota());
    const { documentoId } = await documento();
    await arquivo([{ resultado: 'conflito', documentoId }]);
    assert.equal(await pendentes(), 1);
    await cofre.db.write
      .updateTable('versao')
      .set({ escolhida: 1 })
      .where('documento_id', '=', documentoId)
      .execute();
    assert.equal(await pendentes(), 0);
  });
});

describe('failures by cause', () => {
  const schema = { resultado: 'rejeitado', codigo: 'namespace_invalido' };
  const conflito = { resultado: 'conflito', codigo: 'chave_com_outro_conteudo', documentoId: 7 };

  it('are grouped over all files, with what to do and what to press', async () => {
    await arquivo([schema, schema, conflito]);
    await arquivo([schema], { criadoEm: AGORA - 500 });
    await arquivo([], { desistiu: true });
    const { causas, documentos, arquivos, haMais } = await falhasPorCausa(cofre.db.read, escopo());
    assert.deepEqual(
      causas.map(({ codigo, acao, documentos: quantos, arquivos: em }) => [codigo, acao, quantos, em]),
      [
        ['namespace_invalido', 'enviar', 3, 2],
        ['chave_com_outro_conteudo', 'comparar', 1, 1],
        ['falha_interna', 'reimportar', 1, 1],
      ],
    );
    for (const { causa, remedio } of causas) assert.ok(causa && remedio);
    assert.deepEqual([documentos, arquivos, haMais], [5, 3, false]);
    const { itens, proximo } = await listAbertas(cofre.db.read, {
      ...escopo(),
      codigo: 'namespace_invalido',
      pulando: 0,
      tamanho: 2,
    });
    assert.deepEqual([itens.length, proximo], [2, '2']);
  });

  it('leave the list when they are said to be seen or solved, by whom and why, and come back', async () => {
    const um = await arquivo([schema, schema]);
    await arquivo([schema], { criadoEm: AGORA - 500 });
    const pedido = { ...quem(), codigo: schema.codigo, ate: AGORA, motivo: 'Pedido ao fornecedor' };
    const primeira = [{ arquivo: um, ordem: 1 }];
    assert.equal(await markFalhas(deps(), { ...pedido, situacao: 'visto', lugares: primeira }), 1);
    assert.equal((await falhasPorCausa(cofre.db.read, escopo())).documentos, 2);
    assert.equal(
      await markFalhas(deps(), { ...pedido, situacao: 'resolvido', lugares: null, ate: AGORA - 800 }),
      1,
      'what came since somebody looked stays',
    );
    assert.equal(await pendentes(), 1);
    const { itens } = await listVistas(cofre.db.read, escopo());
    assert.deepEqual(
      itens.map(({ ordem, marca }) => [ordem, marca?.situacao, marca?.por, marca?.motivo]),
      [
        [1, 'visto', 'Ana', 'Pedido ao fornecedor'],
        [2, 'resolvido', 'Ana', 'Pedido ao fornecedor'],
      ],
    );
    assert.equal(await reabrirFalhas(deps(), { ...quem(), lugares: primeira }), 1);
    assert.equal(await reabrirFalhas(deps(), { ...quem(), lugares: primeira }), 0);
    assert.equal((await falhasPorCausa(cofre.db.read, escopo())).documentos, 2);
    assert.equal(
      await markFalhas(deps(), { ...pedido, contadorId: 999, situacao: 'visto', lugares: null }),
      0,
    );
    const atos = await cofre.db.read.selectFrom('auditoria').select('acao').orderBy('n').execute();
    assert.deepEqual(
      atos.map(({ acao }) => acao),
      ['importacao.falhas_vistas', 'importacao.falhas_resolvidas', 'importacao.falhas_reabertas'],
    );
  });

  it('are a table that a spreadsheet opens: keys stay texts, and nothing in it runs', async () => {
    await arquivo([{ ...schema, chave: '35260312345678000195550010000000011000000017' }]);
    let csv = '';
    for await (const pedaco of csvDasFalhas(cofre.db.read, escopo())) csv += pedaco;
    const linhas = csv.split('\r\n');
    assert.match(linhas[0] ?? '', /^\ufeffArquivo;Recebido em;.*;O que fazer;Código$/);
    assert.match(linhas[1] ?? '', /;3526 0312 3456 7800 0195 5500 1000 0000 0110 0000 0017;/);
    assert.match(linhas[1] ?? '', /;\d\d\/\d\d\/\d{4};0\.xml;NFe;/);
    assert.deepEqual(linhas.slice(2), ['']);
  });
});
