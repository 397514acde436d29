/**
 * Rows as an earlier version kept them: the migrations bring them to the present form, with all that hangs on them, and
 * the vault goes on where it was.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import { MIGRATIONS } from '../../src/banco/migrations.ts';
import type { Tabelas } from '../../src/banco/tabelas.ts';
import {
  AGORA,
  type Cofre,
  chaveDe,
  collect,
  DESTINATARIO,
  EMITENTE,
  evento,
  inutilizacao,
  nota,
  openCofre,
  TERCEIRO,
} from '../../src/documentos/cofre-testing.ts';
import { deleteDocumentos } from '../../src/documentos/delete/excluir.ts';
import {
  CLASSE_EM_CODIGO,
  PAPEL_EM_CODIGO,
  STATUS_EM_CODIGO,
  TIPO_EM_CODIGO,
} from '../../src/documentos/lean/codigos.ts';
import { CODIGO_DE_CORRECAO } from '../../src/documentos/lean/motivos.ts';
import { paginaDeNovos } from '../../src/documentos/read/feed.ts';
import { finalidadeDe } from '../../src/documentos/read/finalidade.ts';
import { storeLotes } from '../../src/documentos/store/store.ts';
import type { PecaLida } from '../../src/documentos/tipos.ts';
import { verifyCofre } from '../../src/documentos/verify/verificar.ts';
import { diaDe } from '../../src/fiscal/dia.ts';
import { insertArquivo, insertItens } from '../../src/importacao/queries.ts';
import { connectHere, type Database } from '../../src/platform/db/connect.ts';
import { migrationFiles } from '../../src/platform/db/migration-files.ts';
import type { Row } from '../../src/platform/db/table-shape.ts';
import { loadPostgres } from '../../src/platform/db/whole-load-postgres.ts';
import { loadSqlite } from '../../src/platform/db/whole-load-sqlite.ts';
import { MOTOR } from '../support/motor.ts';
import { type BancoDePostgres, createBanco } from '../support/postgres/banco.ts';

/** The last migration before rows of documents became narrower. */
const ANTES = 14;

type Linha = Record<string, Row[number]>;

const EMISSAO: Record<string, string> = {
  documento: '2026-03-10T10:00:00-03:00',
  evento: '2026-03-11T09:00:00-03:00',
  inutilizacao: '2026-03-10T10:00:00-03:00',
};

const PALAVRAS: Record<string, readonly string[]> = {
  papel: PAPEL_EM_CODIGO.palavras,
  tipo: TIPO_EM_CODIGO.palavras,
  classe: CLASSE_EM_CODIGO.palavras,
  status: STATUS_EM_CODIGO.palavras,
};

function emPalavras(row: Linha): Linha {
  const palavras = Object.entries(row).map(([column, value]) => [
    column,
    PALAVRAS[column]?.[Number(value)] ?? value,
  ]);
  return Object.fromEntries(palavras);
}

/** A row of today as it stood then. */
const COMO_ANTES: Record<string, (row: Linha) => Linha> = {
  documento: (row) => ({
    ...row,
    identidade: [row.chave, row.identidade].filter(Boolean).join('/'),
    data_emissao: EMISSAO[String(row.classe)] ?? null,
    finalidade_descricao: row.finalidade_codigo === null ? null : 'NF-e normal',
    itens: row.itens ? '[[1,"5102","61091000","100.00"]]' : null,
  }),
  participante: (row) => ({
    ...emPalavras(row),
    nome: row.nome === '' ? `Empresa ${row.cpf_cnpj}` : (row.nome ?? null),
  }),
  participacao: (row) => ({ ...emPalavras(row), dia: diaDe(Number(row.emitido_em)) }),
  versao: (row) => ({
    ...row,
    sha256: Buffer.from(row.sha256 as Uint8Array).toString('hex'),
    arquivo_id: `arquivo-${row.arquivo_numero}`,
    esquema_nome: 'nfe_v4.00.xsd',
    esquema_nome_id: null,
    assinatura_titular: row.assinatura_titular === '' ? 'TITULAR' : (row.assinatura_titular ?? null),
  }),
  item: (row) => ({ ...row, arquivo_id: `arquivo-${row.arquivo_numero}` }),
  certificado_de_documento: (row) => ({ ...row, titular: null, autoridades: '' }),
};

/** What the migrations leave as it stood: whoever reads it knows both forms. */
const FICA: Record<string, readonly string[]> = {
  documento: ['data_emissao', 'finalidade_descricao', 'itens'],
  participante: ['nome'],
  versao: ['esquema_nome', 'esquema_nome_id', 'assinatura_titular'],
  certificado_de_documento: ['titular', 'autoridades'],
};

/** What no migration can tell: it is written once the contents have been read again. Who wrote an event of then is not asked. */
const AINDA_NAO_JULGADO: Record<string, readonly string[]> = {
  documento: ['prova', 'status_prova', 'autor'],
  // Why it is listed once more.
  entrada: ['motivo'],
  versao: ['prova', 'falhas', 'status'],
};

function depoisDaMigracao(name: string, row: Linha): Linha {
  const antes = COMO_ANTES[name]?.(row) ?? row;
  return {
    ...row,
    ...Object.fromEntries((FICA[name] ?? []).map((column) => [column, antes[column] ?? null])),
    ...Object.fromEntries((AINDA_NAO_JULGADO[name] ?? []).map((column) => [column, null])),
  };
}

const CERTIFICADO = 'MIID'.repeat(200);
const DE_ANTES: readonly PecaLida[] = [
  nota({ cStat: null }),
  nota({ certificado: CERTIFICADO }),
  nota({ copia: 'de novo' }),
  nota({ numero: 2, certificado: CERTIFICADO }),
  nota({ numero: 2, conteudo: 'outro' }),
  evento(chaveDe({ numero: 2 })),
  evento(chaveDe({ numero: 2 }), { codigo: '110110', sequencia: 12 }),
  inutilizacao({ de: 5, ate: 7 }),
  nota({ numero: 9 }),
];

describe('an installation of before', () => {
  let pasta: string;
  let banco: BancoDePostgres | null = null;
  let cofre: Cofre;
  let db: Database<Tabelas>;
  before(async () => {
    pasta = mkdtempSync(join(tmpdir(), 'malote-linhas-'));
    cofre = await openCofre();
    for (const cliente of [EMITENTE, DESTINATARIO]) await cofre.registrar(cliente);
    for (const peca of DE_ANTES) await enviar(cofre, peca);
    await cofre.db.write.transaction().execute(async (trx) => {
      const { id } = await trx
        .selectFrom('documento')
        .select('id')
        .where('chave', '=', chaveDe({ numero: 9 }))
        .executeTakeFirstOrThrow();
      const { contadorId } = cofre;
      assert.equal(await deleteDocumentos(trx, { contadorId, ids: [id], agora: AGORA }), 1);
    });
    if (MOTOR === 'postgres') banco = await createBanco({ vazio: true });
    const settings = settingsDe(pasta, banco);
    await levar(cofre, settings);
    db = connectHere<Tabelas>(settings);
  });
  after(async () => {
    await db?.close();
    await cofre?.db.close();
    await banco?.drop();
    rmSync(pasta, { recursive: true, force: true });
  });

  it('has all its rows, each as it would be written today or in a form that is still read', async () => {
    for (const name of TABELAS) {
      const expected = (await rowsOf(cofre.db, name)).map((row) => depoisDaMigracao(name, row));
      assert.ok(expected.length > 0, name);
      assert.deepEqual(await rowsOf(db, name), expected, name);
    }
    if (MOTOR === 'sqlite') {
      assert.deepEqual((await sql`pragma foreign_key_check`.execute(db.write)).rows, []);
    }
  });

  it('is sound', async () => {
    assert.deepEqual(await collect(verifyCofre(db.read)), []);
  });

  it('reads as it read', async () => {
    const feedOf = async (from: Database<Tabelas>) => {
      const clientes = await from.read.selectFrom('cliente').select('id').orderBy('id').execute();
      return Promise.all(
        clientes.map(({ id }) =>
          paginaDeNovos(from.read, { clienteId: id, nsu: 0, pagina: 1, tamanho: 50, comXml: true }),
        ),
      );
    };
    const feeds = await feedOf(db);
    assert.ok(feeds.every(({ entradas }) => entradas.length > 3));
    assert.deepEqual(feeds, soDeclarados(await feedOf(cofre.db)));
    const finalidadesOf = async (from: Database<Tabelas>) => {
      const rows = await from.read.selectFrom('participacao').selectAll().execute();
      const found = await Promise.all(
        rows.map((row) =>
          finalidadeDe(from.read, { clienteId: row.cliente_id, documentoId: row.documento_id }),
        ),
      );
      return found.map((one) => JSON.stringify(one)).sort();
    };
    assert.deepEqual(await finalidadesOf(db), await finalidadesOf(cofre.db));
  });

  it('keeps nothing twice, and what is new gets the next numbers', async () => {
    const gravar = async (...pecas: readonly PecaLida[]) => {
      const lotes = [{ arquivoNumero: 1, contadorId: cofre.contadorId, pecas }];
      const [gravadas] = await db.write
        .transaction()
        .execute((trx) => storeLotes(trx, { lotes, agora: AGORA, homologacao: false }));
      return gravadas?.map(({ resultado }) => resultado);
    };
    const versoes = await rowsOf(db, 'versao');
    const [, , copia, , outroConteudo] = DE_ANTES;
    // What proves itself takes the place of what was not judged yet.
    const outroResultado = new Map([
      [copia, 'atualizado'],
      [outroConteudo, 'conflito'],
    ]);
    assert.deepEqual(
      await gravar(...DE_ANTES.slice(0, -1)),
      DE_ANTES.slice(0, -1).map((peca) => outroResultado.get(peca) ?? 'duplicado'),
    );
    assert.equal((await rowsOf(db, 'versao')).length, versoes.length + 1);
    assert.deepEqual(await gravar(nota({ numero: 10 }), evento(chaveDe({}))), ['novo', 'evento']);
    // Items are written by the import, which has no part in this.
    const achados = (await collect(verifyCofre(db.read))).filter(
      ({ codigo }) => codigo !== 'versao_sem_item',
    );
    assert.deepEqual(achados, []);
  });

  it('still counts what its feeds show otherwise, and points nowhere', async () => {
    const revisoes = async () => {
      const rows = await db.write.selectFrom('cliente').select('revisao').orderBy('id').execute();
      return rows.map(({ revisao }) => revisao);
    };
    const antes = await revisoes();
    const doDocumento = db.write.updateTable('documento').set({ status: 'Denegada' });
    await doDocumento.where('chave', '=', chaveDe({})).execute();
    await db.write
      .updateTable('versao')
      .set({ codificacao: 'outra' })
      .where('documento_id', '=', 1)
      .execute();
    await db.write
      .updateTable('participacao')
      .set({ papel: PAPEL_EM_CODIGO.escrever('autorizado') })
      .where('documento_id', '=', 1)
      .execute();
    const grown = await revisoes();
    assert.ok(grown.every((revisao, at) => revisao >= (antes[at] ?? 0) + 3));
    for (const table of ['versao', 'documento']) {
      await assert.rejects(
        db.write.executeQuery(CompiledQuery.raw(`delete from ${table} where id = 1`)),
        // On PostgreSQL the words are those of a trigger (migration 0021).
        MOTOR === 'postgres' ? /refers to a row/i : /foreign key/i,
      );
    }
    const [servida] = await db.read.selectFrom('versao').selectAll().where('servida', '=', 1).execute();
    assert.ok(servida);
    const { id: _id, ...outra } = servida;
    await assert.rejects(db.write.insertInto('versao').values(outra).execute(), /unique/i);
  });

  it('takes nothing from a process of the version before, which knows records by other names', async () => {
    for (const classe of ['documento', 'evento', 'inutilizacao'] as const) {
      const linhas = db.write.selectFrom('documento').selectAll().where('classe', '=', classe);
      const { id: _id, ...linha } = await linhas.executeTakeFirstOrThrow();
      const identidade = [linha.chave, linha.identidade].filter(Boolean).join('/');
      const insert = db.write.insertInto('documento').values({ ...linha, identidade });
      await assert.rejects(insert.execute(), /check constraint/i);
    }
  });
});

describe('words of before', () => {
  let pasta: string;
  let cofre: Cofre;
  const bancos: BancoDePostgres[] = [];
  const vazio = async (nome: string) => {
    const banco = MOTOR === 'postgres' ? await createBanco({ vazio: true }) : null;
    if (banco) bancos.push(banco);
    return { ...settingsDe(pasta, banco), sqlitePath: join(pasta, nome) };
  };
  before(async () => {
    pasta = mkdtempSync(join(tmpdir(), 'malote-palavras-'));
    cofre = await openCofre();
    await cofre.registrar(EMITENTE);
    const { palavras } = PAPEL_EM_CODIGO;
    const outros = palavras.map((papel) => [papel, TERCEIRO] as const);
    await cofre.gravar(...palavras.map((_papel, at) => nota({ numero: at + 1, outros })));
    // More than a client can see, so that each word stands in some row.
    const todas = `update participacao set papel = (documento_id - 1) % ${palavras.length},
      tipo = documento_id % 2, classe = documento_id % 3, status = documento_id % ${STATUS_EM_CODIGO.palavras.length}`;
    await cofre.db.write.executeQuery(CompiledQuery.raw(todas));
  });
  after(async () => {
    await cofre?.db.close();
    for (const banco of bancos) await banco.drop();
    rmSync(pasta, { recursive: true, force: true });
  });

  it('are the codes of today', async () => {
    const settings = await vazio('codigos.sqlite');
    await levar(cofre, settings);
    const db = connectHere<Tabelas>(settings);
    try {
      const participacoes = await rowsOf(db, 'participacao');
      assert.deepEqual(participacoes, await rowsOf(cofre.db, 'participacao'));
      for (const [column, palavras] of Object.entries(PALAVRAS)) {
        const codes = new Set(participacoes.map((row) => row[column]));
        assert.deepEqual([...codes].sort(), [...palavras.keys()].sort(), column);
      }
      const partes = async (from: Database<Tabelas>) =>
        (await rowsOf(from, 'participante')).map(({ nome: _nome, ...row }) => row);
      assert.deepEqual(await partes(db), await partes(cofre.db));
    } finally {
      await db.close();
    }
  });

  for (const [table, column] of [
    ['participante', 'papel'],
    ['participacao', 'papel'],
    ['participacao', 'classe'],
    ['participacao', 'status'],
  ] as const) {
    it(`are never lost: another ${column} of a ${table} stops the migration`, async () => {
      const comOutra = (row: Linha) => {
        const antes = COMO_ANTES[table]?.(row) ?? row;
        return { ...antes, [column]: `${antes[column]} de outra versão` };
      };
      const levada = levar(cofre, await vazio(`${table}-${column}.sqlite`), {
        ...COMO_ANTES,
        [table]: comOutra,
      });
      await assert.rejects(levada, (error: Error) => {
        assert.match(error.message, /0019_participacao_em_codigos/);
        assert.match(String(error.cause), /null/i);
        return true;
      });
    });
  }
});

describe('a document', { skip: MOTOR !== 'sqlite' && 'plans of SQLite' }, () => {
  it('is found through one index by its key, and through another with its versions', async () => {
    const cofre = await openCofre();
    const planOf = async (text: string) => {
      const { rows } = await cofre.db.read.executeQuery(CompiledQuery.raw(`explain query plan ${text}`));
      return rows.map((row) => (row as { detail: string }).detail).join('\n');
    };
    for (const [text, use] of [
      [
        "select id from documento where contador_id = 1 and chave in ('a', 'b') and classe in ('documento', 'evento') and ambiente in (1, 2)",
        'USING COVERING INDEX documento_chave (contador_id=? AND chave=? AND classe=? AND ambiente=?)',
      ],
      ["select * from documento where contador_id = 1 and chave = 'a'", 'USING INDEX documento_chave'],
      [
        "select nsu from participacao where classe <> 1 and cliente_id = 1 and modelo = '55' and emitido_em >= 1 and emitido_em < 9 and tipo = 0 order by emitido_em, nsu limit 9",
        'USING INDEX participacao_listagem (cliente_id=? AND modelo=? AND emitido_em>? AND emitido_em<?)',
      ],
      ['select * from versao where documento_id in (1, 2)', 'USING INDEX versao_documento'],
      ['select * from versao where documento_id = 1 and servida = 1', 'USING INDEX versao_servida'],
      ['update versao set servida = 0 where documento_id in (1) and servida = 1', 'INDEX versao_servida'],
    ] as const) {
      assert.ok((await planOf(text)).includes(use), `${text}\n${await planOf(text)}`);
    }
    await cofre.db.close();
  });
});

/** What a document is kept in. */
const TABELAS = [
  'arquivo',
  'item',
  'cliente',
  'documento',
  'versao',
  'conteudo',
  'certificado_de_documento',
  'participante',
  'entrada',
  'participacao',
  'contagem',
  'empresa',
] as const;

/** One piece as a file of its own, which is written with its item. */
async function enviar(cofre: Cofre, peca: PecaLida): Promise<void> {
  const arquivos = await rowsOf(cofre.db, 'arquivo');
  const arquivoNumero = await insertArquivo(cofre.db.write, {
    id: `arquivo-${arquivos.length + 1}`,
    contador_id: cofre.contadorId,
    extensao: '.xml',
    tamanho_anunciado: 1,
    status: 'Uploaded',
    criado_em: AGORA,
    expira_em: AGORA,
    kid: 'k',
  });
  const pecas = await cofre.gravar(peca);
  await cofre.db.write
    .transaction()
    .execute((trx) => insertItens(trx, { arquivoNumero, primeiraOrdem: 1, pecas }));
}

type Feeds = Awaited<ReturnType<typeof paginaDeNovos>>[];

/** The same pages, of documents that were not judged yet. */
function soDeclarados(feeds: Feeds): Feeds {
  const declarado = (entrada: Feeds[number]['entradas'][number]) => ({
    ...entrada,
    prova: 'declarada' as const,
    evento: entrada.evento && { ...entrada.evento, prova: 'declarada' as const },
  });
  // Why something was listed once more was not kept then.
  const semMotivo = (entrada: Feeds[number]['entradas'][number]) =>
    entrada.evento?.codigo === CODIGO_DE_CORRECAO ? { ...entrada, evento: null } : entrada;
  return feeds.map((feed) => ({ ...feed, entradas: feed.entradas.map(declarado).map(semMotivo) }));
}

/** In one order on both engines: all of these have their key in their first columns. */
async function rowsOf(db: Database<Tabelas>, name: string): Promise<Linha[]> {
  const { rows } = await sql<Linha>`select * from ${sql.table(name)}`.execute(db.write);
  const order = (row: Linha) => JSON.stringify(Object.values(row));
  return rows.map((row) => ({ ...row })).toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}

const settingsDe = (pasta: string, banco: BancoDePostgres | null) => ({
  databaseUrl: banco?.url ?? '',
  sqlitePath: join(pasta, 'malote.sqlite'),
  conexoes: 2,
});

/** Fills a database of the version before with the rows of a vault, as they stood then; then it is brought up to date. */
async function levar(
  cofre: Cofre,
  settings: { databaseUrl: string; sqlitePath: string; conexoes: number },
  comoAntes = COMO_ANTES,
): Promise<void> {
  const options = {
    settings,
    folder: MIGRATIONS,
    from: MOTOR,
    versions: migrationFiles(MIGRATIONS, MOTOR)
      .map(({ version }) => version)
      .filter((version) => version <= ANTES),
    replace: false,
  };
  const load = await (MOTOR === 'postgres' ? loadPostgres(options) : loadSqlite(options));
  for (const table of load.tables) {
    const columns = table.columns.map(({ name }) => name);
    const { rows } = await sql<Linha>`select * from ${sql.table(table.name)}`.execute(cofre.db.write);
    const antes = rows.map(comoAntes[table.name] ?? ((row) => row));
    await load.insert(
      table,
      columns,
      antes.map((row) => columns.map((name) => row[name] ?? null)),
    );
  }
  await load.commit();
}
