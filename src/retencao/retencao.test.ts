import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, test } from 'node:test';
import yauzl from 'yauzl';
import { verifyAuditoria } from '../auditoria/verificar.ts';
import { sha256De } from '../documentos/bytes/conteudo.ts';
import { writeReceita } from '../documentos/bytes/receita.ts';
import {
  type Cofre,
  chaveDe,
  collect,
  DESTINATARIO,
  EMITENTE,
  evento,
  nota,
  openCofre,
} from '../documentos/cofre-testing.ts';
import { conteudoOriginal, paginaDeNovos } from '../documentos/read/feed.ts';
import { verifyCofre } from '../documentos/verify/verificar.ts';
import { AppError } from '../platform/errors.ts';
import type { BlobStore } from '../platform/storage/blob-store.ts';
import { openDiskBlobStore } from '../platform/storage/disk.ts';
import {
  askForExclusao,
  cancelExclusao,
  confirmExclusao,
  downloadPacote,
  exclusaoDe,
  listExclusoes,
} from './exclusoes.ts';
import { releasePacotes } from './executar.ts';
import { advanceExclusao } from './executor.ts';
import { liftGuarda, listGuardas, putGuarda } from './guardas.ts';
import { previaDe } from './previa.ts';
import { prazosDe, setPrazo } from './regras.ts';

const AUTOR = 'usuario:1';
const ANTIGA = '2014-02-10T10:00:00-03:00';
const NOVA = '2026-03-10T10:00:00-03:00';
const HOJE = Date.parse('2026-04-01T12:00:00-03:00');
const DIA_MS = 24 * 3_600_000;

let cofre: Cofre;
let pasta: string;
let storage: BlobStore;
let agora = HOJE;
const clock = { now: () => agora };

beforeEach(async () => {
  agora = HOJE;
  cofre = await openCofre();
  // What arrives on the day itself is in its grace period.
  cofre.agora = HOJE - 60 * DIA_MS;
  pasta = mkdtempSync(join(tmpdir(), 'malote-retencao-'));
  storage = await openDiskBlobStore(pasta);
});
afterEach(async () => {
  await cofre.db.close();
  rmSync(pasta, { recursive: true });
});

const deps = () => ({ db: cofre.db, clock, storage });
const escopo = () => ({ contadorId: cofre.contadorId, autor: AUTOR });

async function avancar(id: string): Promise<void> {
  const exclusao = await exclusaoDe(cofre.db.read, { contadorId: cofre.contadorId, id });
  assert.ok(await advanceExclusao(deps(), { exclusao, por: 'teste' }));
}

/** Asks, prepares, downloads, confirms and does it. */
async function deleteAll(): Promise<string> {
  const { id } = await askForExclusao(deps(), escopo());
  await avancar(id);
  const { pacotes } = await exclusaoDe(cofre.db.read, { contadorId: cofre.contadorId, id });
  for (const { parte } of pacotes) await downloadPacote(deps(), { ...escopo(), id, parte });
  await confirmExclusao(deps(), { ...escopo(), id });
  await avancar(id);
  return id;
}

function recusa(codigo: string) {
  return (error: unknown) => error instanceof AppError && error.codigo === codigo;
}

async function linhasDaPrevia() {
  const { linhas } = await previaDe(deps(), { contadorId: cofre.contadorId });
  return linhas.find(({ modelo }) => modelo === '55');
}

function nomesNoZip(bytes: Buffer): Promise<string[]> {
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(bytes, (error, zip) => {
      if (error) return reject(error);
      const names: string[] = [];
      zip.on('entry', (entry: { fileName: string }) => names.push(entry.fileName));
      zip.on('end', () => resolve(names));
      zip.on('error', reject);
    });
  });
}

describe('terms', () => {
  test('are 132 months by default, for every kind', async () => {
    const prazos = await prazosDe(cofre.db.read, cofre.contadorId);
    assert.ok(prazos.every(({ meses, origem }) => meses === 132 && origem === 'padrao'));
  });

  test('of a kind win over those of the office, which win over the default', async () => {
    await setPrazo(deps(), { ...escopo(), modelo: '*', meses: 240 });
    await setPrazo(deps(), { ...escopo(), modelo: '65', meses: 61 });
    const prazos = await prazosDe(cofre.db.read, cofre.contadorId);
    const de = (modelo: string) => prazos.find((prazo) => prazo.modelo === modelo);
    assert.deepEqual(de('65'), { modelo: '65', meses: 61, origem: 'modelo' });
    assert.deepEqual(de('55'), { modelo: '55', meses: 240, origem: 'escritorio' });
    await setPrazo(deps(), { ...escopo(), modelo: '65', meses: null });
    assert.equal(
      (await prazosDe(cofre.db.read, cofre.contadorId)).find((p) => p.modelo === '65')?.meses,
      240,
    );
  });

  test('below five years, of an unknown kind or not whole are refused by name', async () => {
    for (const [modelo, meses, campo] of [
      ['55', 59, 'meses'],
      ['55', 72.5, 'meses'],
      ['99', 132, 'modelo'],
    ] as const) {
      await assert.rejects(
        setPrazo(deps(), { ...escopo(), modelo, meses }),
        (error) => error instanceof AppError && error.erros[0]?.campo === campo,
      );
    }
  });
});

describe('the preview', () => {
  test('counts what is due, what is held and what will be due, and changes nothing', async () => {
    await cofre.registrar(EMITENTE);
    await cofre.gravar(
      nota({ data: ANTIGA }),
      nota({ data: ANTIGA, numero: 2 }),
      nota({ data: '2015-04-20T10:00:00-03:00', numero: 3 }),
      nota({ data: NOVA, numero: 4 }),
    );
    await putGuarda(deps(), {
      ...escopo(),
      guarda: { chave: chaveDe({ data: ANTIGA, numero: 2 }), motivo: 'fiscalização em curso' },
    });
    assert.deepEqual(await linhasDaPrevia(), {
      modelo: '55',
      vencidos: 1,
      sobGuarda: 1,
      em30Dias: 1,
      em90Dias: 1,
      em365Dias: 1,
      maisAntigo: '2014-02-10',
    });
  });

  test('does not count what arrived less than 30 days ago, however old it is', async () => {
    cofre.agora = HOJE - 29 * DIA_MS;
    await cofre.gravar(nota({ data: ANTIGA }));
    assert.equal((await linhasDaPrevia())?.vencidos, 0);
    agora = HOJE + 2 * DIA_MS;
    assert.equal((await linhasDaPrevia())?.vencidos, 1);
  });

  test('counts the day on which the months are full as still kept', async () => {
    await cofre.gravar(nota({ data: '2015-04-01T10:00:00-03:00' }));
    assert.equal((await linhasDaPrevia())?.vencidos, 0);
    agora = HOJE + DIA_MS;
    assert.equal((await linhasDaPrevia())?.vencidos, 1);
  });
});

describe('a deletion', () => {
  test('is refused while nothing is due', async () => {
    await cofre.gravar(nota({ data: NOVA }));
    await assert.rejects(askForExclusao(deps(), escopo()), recusa('nada_a_excluir'));
  });

  test('is prepared with a ZIP of the original bytes before anything is deleted', async () => {
    const cliente = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota({ data: ANTIGA }));
    const { id } = await askForExclusao(deps(), escopo());
    await assert.rejects(confirmExclusao(deps(), { ...escopo(), id }), recusa('exclusao_em_outro_estado'));
    await avancar(id);
    const prepared = await exclusaoDe(cofre.db.read, { contadorId: cofre.contadorId, id });
    assert.equal(prepared.estado, 'preparada');
    assert.equal(prepared.documentos, 1);
    const full = async () => {
      throw new Error('the disk is full');
    };
    await assert.rejects(downloadPacote(deps(), { ...escopo(), id, parte: 1 }, full), /the disk is full/);
    await assert.rejects(
      confirmExclusao(deps(), { ...escopo(), id }),
      recusa('pacote_nao_baixado'),
      'a copy that was not written is none',
    );
    const copies: Buffer[] = [];
    await downloadPacote(deps(), { ...escopo(), id, parte: 1 }, async ({ stream }) => {
      copies.push(await buffer(stream));
    });
    assert.deepEqual(await nomesNoZip(Buffer.concat(copies)), [
      `55/2014-02/${chaveDe({ data: ANTIGA })}.xml`,
      'manifest.csv',
    ]);
    const page = await paginaDeNovos(cofre.db.read, {
      clienteId: cliente,
      nsu: 0,
      pagina: 1,
      tamanho: 10,
      comXml: true,
    });
    assert.match(page.entradas[0]?.xml ?? '', /./);
  });

  test('is not confirmed before its packages were downloaded', async () => {
    await cofre.gravar(nota({ data: ANTIGA }));
    const { id } = await askForExclusao(deps(), escopo());
    await avancar(id);
    await assert.rejects(confirmExclusao(deps(), { ...escopo(), id }), recusa('pacote_nao_baixado'));
  });

  test('takes bytes, names and amounts, and leaves the feed dense and the vault sound', async () => {
    const cliente = await cofre.registrar(EMITENTE);
    await cofre.registrar(DESTINATARIO);
    await cofre.gravar(nota({ data: ANTIGA }), nota({ data: NOVA, numero: 2 }));
    const antes = await paginaDeNovos(cofre.db.read, {
      clienteId: cliente,
      nsu: 0,
      pagina: 1,
      tamanho: 10,
      comXml: true,
    });
    const id = await deleteAll();
    const done = await exclusaoDe(cofre.db.read, { contadorId: cofre.contadorId, id });
    assert.deepEqual([done.estado, done.excluidos, done.mantidos], ['concluida', 1, 0]);
    const depois = await paginaDeNovos(cofre.db.read, {
      clienteId: cliente,
      nsu: 0,
      pagina: 1,
      tamanho: 10,
      comXml: true,
    });
    assert.deepEqual(
      depois.entradas.map(({ nsu, chave, status }) => ({ nsu, chave, status })),
      antes.entradas.map(({ nsu, chave, status }) => ({ nsu, chave, status })),
    );
    assert.deepEqual(
      depois.entradas.map(({ xml }) => xml === null),
      [true, false],
    );
    assert.equal(await conteudoOriginal(cofre.db.read, { versaoId: antes.entradas[0]?.versaoId ?? 0 }), null);
    const row = await cofre.db.read
      .selectFrom('documento')
      .select(['emitente_nome', 'destinatario', 'destinatario_nome', 'valor', 'itens'])
      .where('excluido_em', 'is not', null)
      .executeTakeFirstOrThrow();
    assert.ok(Object.values(row).every((value) => value === null));
    assert.deepEqual(await collect(verifyCofre(cofre.db.read)), []);
  });

  test('takes an event with its document, and leaves one whose document stays', async () => {
    const cliente = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota({ data: ANTIGA }), evento(chaveDe({ data: ANTIGA }), { data: ANTIGA }));
    await cofre.gravar(nota({ data: NOVA, numero: 5 }));
    await cofre.gravar(evento(chaveDe({ data: NOVA, numero: 5 }), { data: ANTIGA }));
    await deleteAll();
    const { entradas } = await paginaDeNovos(cofre.db.read, {
      clienteId: cliente,
      nsu: 0,
      pagina: 1,
      tamanho: 10,
      comXml: true,
    });
    assert.deepEqual(
      entradas.map(({ xml }) => xml === null),
      [true, true, false, false],
    );
  });

  test('leaves what came under a hold after the preparation', async () => {
    await cofre.registrar(EMITENTE);
    await cofre.gravar(nota({ data: ANTIGA }), nota({ data: ANTIGA, numero: 2 }));
    const { id } = await askForExclusao(deps(), escopo());
    await avancar(id);
    await downloadPacote(deps(), { ...escopo(), id, parte: 1 });
    await putGuarda(deps(), { ...escopo(), guarda: { cpfCnpj: EMITENTE, motivo: 'processo judicial' } });
    await confirmExclusao(deps(), { ...escopo(), id });
    await avancar(id);
    const done = await exclusaoDe(cofre.db.read, { contadorId: cofre.contadorId, id });
    assert.deepEqual([done.excluidos, done.mantidos], [0, 2]);
  });

  test('gives uploads that are kept as a recipe their bytes back first', async () => {
    await cofre.gravar(nota({ data: ANTIGA }), nota({ numero: 2, data: NOVA }));
    const versoes = await cofre.db.read
      .selectFrom('versao')
      .select(['id', 'documento_id', 'arquivo_numero'])
      .execute();
    const bytes = await Promise.all(
      versoes.map(
        async ({ id }) => (await conteudoOriginal(cofre.db.read, { versaoId: id }))?.bytes ?? Buffer.alloc(0),
      ),
    );
    const receita = writeReceita(versoes.map(({ id }) => ({ kind: 'documento', versaoId: id })));
    const numero = versoes[0]?.arquivo_numero ?? 0;
    const id = 'um-envio';
    await cofre.db.write
      .insertInto('arquivo')
      .values({
        numero,
        id,
        contador_id: cofre.contadorId,
        extensao: '.zip',
        tamanho_anunciado: 1,
        status: 'Uploaded',
        criado_em: agora,
        expira_em: agora,
        fim_em: agora,
        kid: 'k',
        sha256: sha256De(Buffer.concat(bytes)),
        receita: 1,
      })
      .execute();
    await cofre.db.write
      .insertInto('receita_de_envio')
      .values({ arquivo_id: id, contador_id: cofre.contadorId, receita })
      .execute();
    for (const [at, { documento_id }] of versoes.entries()) {
      const chave = chaveDe(at === 0 ? { data: ANTIGA } : { numero: 2, data: NOVA });
      await cofre.db.write
        .insertInto('item')
        .values({
          arquivo_numero: numero,
          ordem: at + 1,
          caminho: 'a.xml',
          especie: 'NFe',
          resultado: 'novo',
          chave,
          documento_id,
        } as never)
        .execute();
    }
    await deleteAll();
    const row = await cofre.db.read.selectFrom('arquivo').selectAll().executeTakeFirstOrThrow();
    assert.equal(row.receita, 2);
    assert.deepEqual(await storage.get(row.blob ?? ''), Buffer.concat(bytes));
  });

  test('leaves an upload of an event that stays, although its note goes', async () => {
    const chave = chaveDe({ data: ANTIGA });
    await cofre.gravar(nota({ data: ANTIGA }));
    await cofre.gravar(evento(chave, { codigo: '110110', data: NOVA }));
    const documentos = await cofre.db.read.selectFrom('documento').select('id').execute();
    for (const { id: documentoId } of documentos) {
      const id = `envio-${documentoId}`;
      await storage.put(id, Readable.from([Buffer.from('<a/>')]), { maxBytes: 10 });
      await cofre.db.write
        .insertInto('arquivo')
        .values({
          id,
          contador_id: cofre.contadorId,
          extensao: '.xml',
          tamanho_anunciado: 4,
          status: 'Uploaded',
          criado_em: agora,
          expira_em: agora,
          fim_em: agora,
          kid: 'k',
          sha256: sha256De(Buffer.from('<a/>')),
          blob: id,
        })
        .execute();
      const { numero } = await cofre.db.read
        .selectFrom('arquivo')
        .select('numero')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      await cofre.db.write
        .insertInto('item')
        .values({
          arquivo_numero: numero,
          ordem: 1,
          caminho: 'a.xml',
          especie: 'NFe',
          resultado: 'novo',
          chave,
          documento_id: documentoId,
        } as never)
        .execute();
    }
    await deleteAll();
    const vivos = await cofre.db.read
      .selectFrom('documento')
      .select('id')
      .where('excluido_em', 'is', null)
      .execute();
    const guardados = await cofre.db.read
      .selectFrom('arquivo')
      .select('id')
      .where('blob', 'is not', null)
      .execute();
    assert.deepEqual([vivos.length, documentos.length], [1, 2]);
    assert.deepEqual(
      guardados.map(({ id }) => id),
      vivos.map(({ id }) => `envio-${id}`),
    );
  });

  test('goes on where a restart left it', async () => {
    await cofre.gravar(...Array.from({ length: 450 }, (_, at) => nota({ data: ANTIGA, numero: at + 1 })));
    const { id } = await askForExclusao(deps(), escopo());
    await avancar(id);
    await downloadPacote(deps(), { ...escopo(), id, parte: 1 });
    await confirmExclusao(deps(), { ...escopo(), id });
    const exclusao = await exclusaoDe(cofre.db.read, { contadorId: cofre.contadorId, id });
    let looks = 0;
    await assert.rejects(advanceExclusao(deps(), { exclusao, por: 'morto', parar: () => ++looks > 1 }), /./);
    const halfway = await exclusaoDe(cofre.db.read, { contadorId: cofre.contadorId, id });
    assert.equal(halfway.excluidos, 200);
    assert.equal(
      await advanceExclusao(deps(), { exclusao, por: 'outro' }),
      false,
      'the lease of the dead one still runs',
    );
    agora += 61_000;
    assert.equal(await advanceExclusao(deps(), { exclusao, por: 'outro' }), true);
    const done = await exclusaoDe(cofre.db.read, { contadorId: cofre.contadorId, id });
    assert.deepEqual([done.estado, done.excluidos], ['concluida', 450]);
  });

  test('is one at a time in an office, and can be cancelled before it is confirmed', async () => {
    await cofre.gravar(nota({ data: ANTIGA }));
    const { id } = await askForExclusao(deps(), escopo());
    await assert.rejects(askForExclusao(deps(), escopo()), recusa('exclusao_em_andamento'));
    await cancelExclusao(deps(), { ...escopo(), id });
    await assert.rejects(cancelExclusao(deps(), { ...escopo(), id }), recusa('exclusao_em_outro_estado'));
    await askForExclusao(deps(), escopo());
  });

  test('is one at a time in an office also when several ask for it at once', async () => {
    await cofre.gravar(nota({ data: ANTIGA }));
    const asked = await Promise.allSettled([1, 2, 3, 4].map(() => askForExclusao(deps(), escopo())));
    assert.equal(asked.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const one of asked)
      if (one.status === 'rejected') assert.equal(one.reason.codigo, 'exclusao_em_andamento');
    assert.equal((await listExclusoes(cofre.db.read, cofre.contadorId)).length, 1);
  });

  test('of another office is not found', async () => {
    await cofre.gravar(nota({ data: ANTIGA }));
    const { id } = await askForExclusao(deps(), escopo());
    const outro = await cofre.novoContador();
    await assert.rejects(
      confirmExclusao(deps(), { contadorId: outro, autor: AUTOR, id }),
      recusa('exclusao_nao_encontrada'),
    );
  });

  test('keeps no copy once it is over, only the hash of the copy', async () => {
    await cofre.gravar(nota({ data: ANTIGA }));
    const id = await deleteAll();
    assert.equal((await collect(storage.keys())).length, 1);
    await releasePacotes(deps());
    assert.deepEqual(await collect(storage.keys()), []);
    const { pacotes } = await exclusaoDe(cofre.db.read, { contadorId: cofre.contadorId, id });
    assert.match(pacotes[0]?.sha256 ?? '', /^[0-9a-f]{64}$/);
  });

  test('is written down step by step in an unbroken audit log', async () => {
    await cofre.gravar(nota({ data: ANTIGA }));
    await deleteAll();
    const acoes = await cofre.db.read.selectFrom('auditoria').select('acao').orderBy('n').execute();
    assert.deepEqual(
      acoes.map(({ acao }) => acao.replace('retencao.', '')),
      [
        'exclusao_pedida',
        'exclusao_preparada',
        'pacote_baixado',
        'exclusao_confirmada',
        'exclusao_concluida',
      ],
    );
    assert.equal((await verifyAuditoria(cofre.db.read)).quebra, null);
  });
});

describe('a document that comes again after its deletion', () => {
  test('is stored as if it were new and announced again', async () => {
    const cliente = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota({ data: ANTIGA }));
    await deleteAll();
    const [peca] = await cofre.gravar(nota({ data: ANTIGA }));
    assert.equal(peca?.resultado, 'atualizado');
    const { entradas } = await paginaDeNovos(cofre.db.read, {
      clienteId: cliente,
      nsu: 0,
      pagina: 1,
      tamanho: 10,
      comXml: true,
    });
    assert.deepEqual(
      entradas.map(({ nsu, xml }) => [nsu, xml !== null]),
      [
        [1, true],
        [2, true],
      ],
    );
    assert.deepEqual(await collect(verifyCofre(cofre.db.read)), []);
  });
});

describe('holds', () => {
  test('need a reason, to be put and to be lifted', async () => {
    await assert.rejects(
      putGuarda(deps(), { ...escopo(), guarda: { motivo: ' ' } }),
      (error) => error instanceof AppError && error.erros[0]?.campo === 'motivo',
    );
    const { id } = await putGuarda(deps(), { ...escopo(), guarda: { motivo: 'fiscalização estadual' } });
    await assert.rejects(liftGuarda(deps(), { ...escopo(), id, motivo: '' }), recusa('dados_invalidos'));
    await liftGuarda(deps(), { ...escopo(), id, motivo: 'fiscalização encerrada' });
    await assert.rejects(
      liftGuarda(deps(), { ...escopo(), id, motivo: 'fiscalização encerrada' }),
      recusa('guarda_nao_encontrada'),
    );
    for (const nenhuma of [Number.NaN, 1.5, -1])
      await assert.rejects(
        liftGuarda(deps(), { ...escopo(), id: nenhuma, motivo: 'engano' }),
        recusa('guarda_nao_encontrada'),
      );
    const [guarda] = await listGuardas(cofre.db.read, cofre.contadorId);
    assert.deepEqual(
      [guarda?.motivo, guarda?.levantadaMotivo],
      ['fiscalização estadual', 'fiscalização encerrada'],
    );
  });

  test('name every faulty limit', async () => {
    const guarda = {
      motivo: 'processo',
      chave: '123',
      modelo: '00',
      emissaoDe: '2026-02-30',
      emissaoAte: 'ontem',
    };
    await assert.rejects(
      putGuarda(deps(), { ...escopo(), guarda }),
      (error) =>
        error instanceof AppError &&
        error.erros.map(({ campo }) => campo).join() === 'chave,modelo,emissaoDe,emissaoAte',
    );
  });

  test('of a day that no calendar has are refused, not failed on', async () => {
    for (const dia of ['2026-13-01', '2026-00-10', '2026-02-29', '2026-04-31', '2026-01-32', '9999-99-99']) {
      await assert.rejects(
        putGuarda(deps(), { ...escopo(), guarda: { motivo: 'processo', emissaoDe: dia } }),
        (error) => error instanceof AppError && error.erros[0]?.campo === 'emissaoDe',
        dia,
      );
    }
  });

  test('of a period and a kind keep just that', async () => {
    await cofre.gravar(
      nota({ data: ANTIGA }),
      nota({ data: '2013-01-05T10:00:00-03:00', numero: 2 }),
      nota({ data: ANTIGA, numero: 3, modelo: '65' }),
    );
    await putGuarda(deps(), {
      ...escopo(),
      guarda: { modelo: '55', emissaoDe: '2014-01-01', emissaoAte: '2014-12-31', motivo: 'inquérito' },
    });
    const previa = await previaDe(deps(), { contadorId: cofre.contadorId });
    assert.deepEqual([previa.vencidos, previa.sobGuarda], [2, 1]);
  });
});
