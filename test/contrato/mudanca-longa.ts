/**
 * `npm run migracao-longa [-- --documentos 100000 --mortes 5]`: a large installation is moved to PostgreSQL, killed at
 * random moments on its way, and every NSU, byte, status, token and certificate is compared by statements of its own.
 * Prints figures; ends with 1 when anything differs.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Tabelas } from '../../src/banco/tabelas.ts';
import { connectPostgres, connectSqliteHere, type Database } from '../../src/platform/db/connect.ts';
import { createBanco } from '../support/postgres/banco.ts';
import { servidorDeTeste } from '../support/postgres/servidor.ts';
import { ambiente, BIN, runJson } from '../support/programa.ts';

const { values } = parseArgs({
  options: {
    documentos: { type: 'string', default: '100000' },
    clientes: { type: 'string', default: '20' },
    mortes: { type: 'string', default: '5' },
  },
});
const base = mkdtempSync(join(tmpdir(), 'malote-mudanca-longa-'));
const dados = join(base, 'dados');
const seconds = (since: number) => (performance.now() - since) / 1000;

interface Comparacao {
  o_que: string;
  linhas: number;
  iguais: boolean;
}

/** What is compared, in an order that both engines have; each row as text. */
const VISTAS: Record<string, string> = {
  'NSU, chave, status e SHA-256 de cada entrada': `
    select c.contador_id, c.cpf_cnpj, e.nsu, d.classe, d.identidade, d.chave, d.status, d.carta_correcao, d.emitido_em, v.sha256
    from entrada e join cliente c on c.id = e.cliente_id join documento d on d.id = e.documento_id
    join versao v on v.documento_id = d.id and v.servida = 1 where (e.cliente_id, e.nsu) > (:a, :b)
    order by e.cliente_id, e.nsu limit 5000`,
  'bytes de cada versão': `
    select v.id, v.sha256, v.documento_id, v.servida, k.formato, k.soma, k.bytes, k.posicao, b.soma as soma_do_bloco,
    b.bytes as bytes_do_bloco from versao v join conteudo k on k.versao_id = v.id
    left join bloco b on b.id = k.bloco_id where v.id > :a order by v.id limit 2000`,
  'listagens e contagens': `
    select cliente_id, modelo, dia, tipo, status, carta_correcao, quantidade from contagem where cliente_id >= :a
    order by cliente_id, modelo, dia, tipo, status, carta_correcao`,
  tokens: 'select * from token_integracao where id >= :a order by id',
  certificados: 'select * from certificado where versao >= :a order by id',
  auditoria: 'select * from auditoria where n >= :a order by n',
  clientes: 'select * from cliente where id >= :a order by id',
};

async function* pagesOf(db: Database<Tabelas>, text: string): AsyncGenerator<Record<string, unknown>[]> {
  const paged = text.includes('limit');
  for (let [a, b] = [0, 0]; ; ) {
    const statement = text.replace(':a', String(a)).replace(':b', String(b));
    const { rows } = await sql.raw<Record<string, unknown>>(statement).execute(db.read);
    yield rows;
    const last = rows.at(-1);
    if (!paged || last === undefined) return;
    if (text.includes(':b')) {
      const { rows: found } = await sql
        .raw<{ id: number }>(
          `select id from cliente where cpf_cnpj = '${last.cpf_cnpj}' and contador_id = ${last.contador_id}`,
        )
        .execute(db.read);
      [a, b] = [found[0]?.id ?? 0, Number(last.nsu)];
    } else a = Number(last.id);
  }
}

const textOf = (row: Record<string, unknown>) =>
  JSON.stringify(
    Object.keys(row)
      .sort()
      .map((key) => {
        const value = row[key];
        return [key, value instanceof Uint8Array ? hash('sha256', value) : value];
      }),
  );

async function compare(here: Database<Tabelas>, there: Database<Tabelas>): Promise<Comparacao[]> {
  const found: Comparacao[] = [];
  for (const [o_que, text] of Object.entries(VISTAS)) {
    const [left, right] = [pagesOf(here, text), pagesOf(there, text)];
    let linhas = 0;
    let iguais = true;
    for (;;) {
      const [a, b] = await Promise.all([left.next(), right.next()]);
      const rows: Record<string, unknown>[] = a.value ?? [];
      const others: Record<string, unknown>[] = b.value ?? [];
      linhas += rows.length;
      iguais &&=
        rows.length === others.length && rows.every((row, i) => textOf(row) === textOf(others[i] ?? {}));
      if (a.done || b.done) break;
    }
    found.push({ o_que, linhas, iguais });
  }
  return found;
}

/** Sealed rows as they are, whatever is in them; the product makes them from real files. */
async function addCertificados(db: Database<Tabelas>): Promise<void> {
  const clientes = await db.read.selectFrom('cliente').select(['id', 'contador_id']).execute();
  for (const { id, contador_id } of clientes) {
    await db.write
      .insertInto('certificado')
      .values({
        id: randomUUID(),
        contador_id,
        cliente_id: id,
        versao: 1,
        chave_selada: randomBytes(60),
        kid: 'k'.repeat(16),
        selado: randomBytes(4_000),
        titular: null,
        titular_nome: 'Titular',
        serie: String(id),
        impressao: hash('sha256', String(id)),
        uf: 'SP',
        valido_de: 1,
        valido_ate: 2_000_000_000_000,
        criado_em: 1,
      })
      .execute();
  }
}

async function killAt(url: string, ms: number): Promise<boolean> {
  const child = spawn(process.execPath, [BIN, 'migrar-banco', '--de', dados, '--para', url], {
    env: ambiente({}),
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await Promise.race([delay(ms), ended]);
  child.kill('SIGKILL');
  await ended;
  return child.signalCode === 'SIGKILL';
}

const servidor = await servidorDeTeste();
if (servidor.url === null) throw new Error(servidor.motivo);
const banco = await createBanco({ vazio: true });
const ensaio = await createBanco({ vazio: true });
try {
  const env = { MALOTE_DATA: dados };
  await runJson(env, 'conta', 'criar', '--crm', '1', '--nome', 'Escritório', '--email', 'a@b.c');
  let started = performance.now();
  const { documentos, clientes } = values;
  await runJson(
    env,
    'semear',
    '--crm',
    '1',
    '--documentos',
    documentos,
    '--clientes',
    clientes,
    '--meses',
    '12',
  );
  console.log(`semeado em ${seconds(started).toFixed(0)} s`);
  const path = join(dados, 'malote.sqlite');
  const seeded = connectSqliteHere<Tabelas>(path);
  await addCertificados(seeded);
  await seeded.close();
  const mb = statSync(path).size / 1e6;

  started = performance.now();
  const whole = await runJson({}, 'migrar-banco', '--de', dados, '--para', ensaio.url);
  const wholeSeconds = seconds(started);
  assert.equal(whole.code, 0, JSON.stringify(whole.value));

  const mortes: number[] = [];
  for (let i = 0; i < Number(values.mortes); i++) {
    // Anywhere on the way: each goes on where the last one died, and all together must not arrive.
    const ms = 1_000 + (Math.random() * wholeSeconds * 600) / Number(values.mortes);
    assert.ok(await killAt(banco.url, ms), 'it ended before it was killed: the machine has become faster');
    mortes.push(Math.round(ms));
  }
  started = performance.now();
  const last = await runJson({}, 'migrar-banco', '--de', dados, '--para', banco.url);
  const lastSeconds = seconds(started);
  assert.equal(last.code, 0, JSON.stringify(last.value));

  const [here, there] = [
    connectSqliteHere<Tabelas>(path),
    connectPostgres<Tabelas>({ url: banco.url, connections: 2 }),
  ];
  const comparacoes = await compare(here, there);
  await Promise.all([here.close(), there.close()]);
  const check = await runJson({ MALOTE_DATA: dados, DATABASE_URL: banco.url }, 'verificar');
  console.log(
    JSON.stringify(
      {
        documentos: check.value.documentos,
        entradas: check.value.entradas,
        linhas: whole.value.linhas,
        sqliteMB: Math.round(mb),
        semInterrupcaoSegundos: Number(wholeSeconds.toFixed(1)),
        linhasPorSegundo: Math.round(whole.value.linhas / wholeSeconds),
        documentosPorSegundo: Math.round(check.value.documentos / wholeSeconds),
        mortesAosMs: mortes,
        ultimaRodadaSegundos: Number(lastSeconds.toFixed(1)),
        continuada: last.value.continuada,
        comparacoes,
        verificar: check.value.achados.length,
        carga: loadavg()[0]?.toFixed(1),
      },
      null,
      2,
    ),
  );
  process.exitCode = comparacoes.every(({ iguais }) => iguais) && check.code === 0 ? 0 : 1;
} finally {
  await banco.drop();
  await ensaio.drop();
  await servidor.stop();
  rmSync(base, { recursive: true, force: true });
}
