import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { formatCpfCnpj } from '../../src/fiscal/cpf-cnpj.ts';
import { diaDe } from '../../src/fiscal/dia.ts';
import { generateCenario, type ItemDoCenario } from '../../src/gerador/cenario.ts';
import { generateEvento } from '../../src/gerador/eventos.ts';
import { generateNfe } from '../../src/gerador/nfe.ts';
import { zipDe } from '../../src/gerador/zip.ts';
import { comBancoDe, copyBanco, MOTOR, runSql } from '../support/motor.ts';
import { Instalacao } from './linha-de-comando.ts';

const malote = new Instalacao();
const cenario = generateCenario({
  semente: 'cli',
  clientes: 2,
  documentos: 24,
  inicio: '2026-03-01',
  meses: 1,
});
const documentos = [...cenario.documentos];
const [cliente, outroCliente] = cenario.empresas;
assert.ok(cliente && outroCliente);
const concerns = (id: string) => documentos.filter(({ clientes }) => clientes.some((c) => c === id));

let token = '';
const folder = (name: string) => join(malote.pasta, name);
const remote = () => ['--url', malote.url, '--token', token];
/** What a file that is not there is answered to a token that is good. */
const KNOWN = 404;
const statusWith = async (bearer: string) =>
  (await fetch(`${malote.url}/storage/arquivo/x`, { headers: { authorization: `Bearer ${bearer}` } })).status;
const write = (to: string, items: readonly ItemDoCenario[]) => {
  for (const { nome, bytes } of items) {
    const path = join(to, nome);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, bytes);
  }
};
const filesBelow = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name));

before(() => malote.serve());
after(() => malote.remove());

describe('the command line', () => {
  it('helps in Portuguese', async () => {
    const { code, stdout } = await malote.malote('conta', 'criar', '--ajuda');
    assert.equal(code, 0);
    assert.match(stdout, /^Uso: malote conta criar \[opções\]/);
    assert.match(stdout, /Opções:/);
  });

  it('refuses a wrong call with a sentence and code 2, and with one JSON object when asked', async () => {
    const { code, stdout, stderr } = await malote.malote('conta', 'criar', '--json');
    assert.equal(code, 2);
    assert.match(stderr, /^Erro: falta a opção --crm/);
    assert.equal(JSON.parse(stdout).erro.codigo, 'uso_invalido');
    assert.match((await malote.malote('nada')).stderr, /comando desconhecido: nada/);
    assert.match((await malote.malote('verificar', '--xyz')).stderr, /opção desconhecida: --xyz/);
  });

  it('says where the help of a wrong call is, and does not take half a call for a good one', async () => {
    const hint = async (...args: string[]) => /Veja: (.*)$/m.exec((await malote.malote(...args)).stderr)?.[1];
    assert.equal(await hint('conta', 'nada'), 'malote conta --ajuda');
    assert.equal(await hint('verificar', 'isto'), 'malote verificar --ajuda');
    assert.equal(await hint('nada'), 'malote --ajuda');
    assert.equal(await hint('token', 'gerar', '--crm'), 'malote token gerar --ajuda');
    const { code, stderr } = await malote.malote('conta');
    assert.deepEqual([code, /criar \[opções\]/.test(stderr)], [2, true]);
    assert.equal((await malote.malote()).code, 0);
  });

  it('tells its version', async () => {
    const { version } = JSON.parse(
      readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
    );
    assert.equal((await malote.malote('--version')).stdout.trim(), version);
  });
});

describe('accounts, beside a running server', () => {
  it('creates an office and shows its credentials; the token works at once', async () => {
    const { code, value } = await malote.json(
      'conta',
      'criar',
      '--crm',
      '123',
      '--nome',
      'Escritório',
      '--email',
      'a@b.com',
    );
    assert.equal(code, 0);
    assert.equal(value.codigoCrm, '000123');
    for (const key of ['token', 'client_id', 'client_secret', 'convite_console'])
      assert.equal(typeof value[key], 'string');
    token = String(value.token);
    assert.equal(await statusWith(token), KNOWN);
  });

  it('lists the offices, with how much each has, and no secret', async () => {
    const { code, value } = await malote.json('conta', 'listar');
    assert.equal(code, 0);
    const [first] = value.contas as Record<string, unknown>[];
    const { criadaEm, ...conta } = first ?? {};
    assert.deepEqual(conta, {
      codigoCrm: '000123',
      nome: 'Escritório',
      email: 'a@b.com',
      clientes: 0,
      usuarios: 1,
    });
    assert.ok(Math.abs(Date.parse(String(criadaEm)) - Date.now()) < 600_000);
    assert.match((await malote.malote('conta', 'listar')).stdout, /000123 +Escritório/);
  });

  it('does not create an office twice', async () => {
    const { code, value } = await malote.json(
      'conta',
      'criar',
      '--crm',
      '000123',
      '--nome',
      'Outro',
      '--email',
      'a@b.com',
    );
    assert.equal(code, 1);
    assert.equal((value.erro as { codigo: string }).codigo, 'contador_ja_cadastrado');
  });

  it('registers clients and lists them', async () => {
    const { id, nome } = cliente;
    const args = ['cliente', 'criar', '--crm', '123', '--cpf-cnpj', id, '--nome', nome, '--email', 'c@d.com'];
    assert.equal((await malote.malote(...args)).code, 0);
    assert.equal((await malote.malote(...args)).code, 1);
    const { value } = await malote.json('cliente', 'listar', '--crm', '123');
    assert.deepEqual(
      (value.clientes as { cpfCnpj: string }[]).map(({ cpfCnpj }) => cpfCnpj),
      [id],
    );
  });

  it('names every faulty field of a client', async () => {
    const { code, stderr } = await malote.malote(
      ...['cliente', 'criar', '--crm', '123', '--cpf-cnpj', '1', '--nome', 'x', '--email', 'y'],
    );
    assert.equal(code, 1);
    for (const field of ['cpfCnpj', 'nomeEmpresa', 'email']) assert.match(stderr, new RegExp(field));
  });

  it('makes an additional token without revoking the first, and a new one that does', async () => {
    const extra = await malote.json('token', 'gerar', '--crm', '123', '--nome', 'ERP', '--adicional');
    assert.deepEqual([await statusWith(String(extra.value.token)), await statusWith(token)], [KNOWN, KNOWN]);
    const fresh = await malote.json('token', 'gerar', '--crm', '123');
    const rows = await comBancoDe(malote.dados, ({ read }) =>
      read.selectFrom('token_integracao').select(['nome', 'revogado_em']).orderBy('id').execute(),
    );
    assert.deepEqual(
      rows.map(({ nome, revogado_em }) => [nome, revogado_em === null ? 1 : 0]),
      [
        ['Integração', 0],
        ['ERP', 1],
        ['Integração', 1],
      ],
    );
    token = String(fresh.value.token);
    assert.equal(await statusWith(token), KNOWN);
  });
});

describe('malote importar', () => {
  it('sends a folder, tells what was wrong with each file, and fails', async () => {
    write(folder('notas'), documentos);
    writeFileSync(
      join(folder('notas'), 'quebrada.xml'),
      '<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe"><NFe>',
    );
    writeFileSync(join(folder('notas'), 'foto.jpg'), 'x');
    const { code, value } = await malote.json('importar', folder('notas'), ...remote());
    assert.equal(code, 1);
    assert.equal(value.enviados, documentos.length + 1);
    assert.equal(value.ignorados, 1);
    const problemas = value.problemas as { arquivo: string; resultado: string }[];
    assert.deepEqual(
      problemas.filter(({ resultado }) => resultado === 'rejeitado').map(({ arquivo }) => arquivo),
      ['quebrada.xml'],
    );
    const strangers = documentos.filter(({ clientes }) => !clientes.some((id) => id === cliente.id));
    assert.ok(strangers.length > 0);
    assert.deepEqual(
      problemas
        .filter(({ resultado }) => resultado === 'sem_cliente')
        .map(({ arquivo }) => arquivo)
        .sort(),
      strangers.map(({ nome }) => nome).sort(),
    );
  });

  it('hands held documents over when their client is registered', async () => {
    const { id, nome } = outroCliente;
    const { value } = await malote.json(
      ...['cliente', 'criar', '--crm', '123', '--cpf-cnpj', id, '--nome', nome, '--email', 'c@d.com'],
    );
    assert.equal(value.documentosEntregues, concerns(id).length);
  });

  it('sends again only what was not done, and succeeds when nothing is wrong any more', async () => {
    writeFileSync(join(folder('notas'), 'quebrada.xml'), concerns(cliente.id)[0]?.bytes ?? '');
    const { code, value } = await malote.json('importar', folder('notas'), ...remote());
    assert.equal(code, 0, JSON.stringify(value));
    assert.equal(value.jaEnviados, concerns(cliente.id).length + 1);
    const again = await malote.malote('importar', folder('notas'), ...remote());
    assert.equal(again.code, 0);
    assert.match(again.stdout, new RegExp(`0 arquivos enviados, ${documentos.length + 1} já enviados`));
  });

  it('sends a zip as it is, and packs a .txt with a list of keys', async () => {
    mkdirSync(folder('zips'));
    writeFileSync(join(folder('zips'), 'mes.zip'), await zipDe(documentos.slice(0, 5)));
    writeFileSync(
      join(folder('zips'), 'chaves.txt'),
      `${documentos.find(({ tipo }) => tipo === 'NFe')?.chave}\n`,
    );
    const { code, value } = await malote.json('importar', folder('zips'), ...remote());
    assert.equal(code, 0, JSON.stringify(value));
    const itens = value.itens as Record<string, number>;
    assert.equal(
      Object.values(itens).reduce((sum, n) => sum + n),
      6,
    );
    assert.ok(existsSync(join(folder('zips'), '.malote-importar.json')));
  });

  it('sends what it can read and names what it cannot', async () => {
    mkdirSync(folder('meia'));
    writeFileSync(join(folder('meia'), 'mes.zip'), await zipDe(documentos.slice(0, 2)));
    symlinkSync(folder('nada.xml'), join(folder('meia'), 'a.xml'));
    const { code, value } = await malote.json('importar', folder('meia'), ...remote());
    assert.deepEqual([code, value.enviados, value.comProblema], [1, 1, 1], JSON.stringify(value));
    const [{ arquivo, codigo, mensagem }] = value.problemas as Record<string, string>[] as [
      Record<string, string>,
    ];
    assert.deepEqual([arquivo, codigo], ['a.xml', 'arquivo_ilegivel']);
    assert.match(mensagem ?? '', /^Não existe/);
  });

  it('ends at once with a token that is not valid', async () => {
    const { code, stderr } = await malote.malote(
      'importar',
      folder('zips'),
      '--url',
      malote.url,
      '--token',
      'mlt_x',
      '--estado',
      folder('outro.json'),
    );
    assert.equal(code, 1);
    assert.match(stderr, /^Erro: .*token/);
    assert.equal(existsSync(folder('outro.json')), false);
  });

  it('names the option that is no address, or that an empty variable gave', async () => {
    const at = async (...options: string[]) => {
      const { code, stderr } = await malote.malote('importar', folder('zips'), ...options);
      assert.equal(code, 2, stderr);
      return stderr;
    };
    for (const url of ['localhost:8080', '127.0.0.1:8080', 'malote.example', 'ftp://x', ''])
      assert.match(
        await at('--url', url, '--token', token),
        /^Erro: --url: o endereço começa por http:\/\/ ou https:\/\/.*Veja: malote importar --ajuda/,
      );
    for (const empty of ['', ' '])
      assert.match(await at('--url', malote.url, '--token', empty), /^Erro: --token: está vazio/);
  });

  it('does not begin anew behind the back of a damaged state file', async () => {
    writeFileSync(folder('ruim.json'), '{');
    const { code, stderr } = await malote.malote(
      'importar',
      folder('zips'),
      ...remote(),
      '--estado',
      folder('ruim.json'),
    );
    assert.equal(code, 1);
    assert.match(stderr, /danificado/);
  });
});

describe('malote exportar', () => {
  const args = (...more: string[]) => [
    'exportar',
    ...remote(),
    '--crm',
    '123',
    '--cpf-cnpj',
    cliente.id,
    ...more,
  ];

  it('writes every document of the client byte for byte, events beside their document', async () => {
    const { code, value } = await malote.json(...args('--para', folder('saida')));
    const mine = concerns(cliente.id);
    assert.equal(code, 0);
    assert.equal(value.nsu, mine.length);
    const files = filesBelow(folder('saida'));
    assert.deepEqual(
      files.map((path) => readFileSync(path, 'hex')).sort(),
      mine.map(({ bytes }) => Buffer.from(bytes).toString('hex')).sort(),
    );
    const note = mine.find(({ tipo }) => tipo === 'NFe' || tipo === 'NFCe');
    assert.ok(note);
    const model = note.chave.slice(20, 22);
    assert.ok(existsSync(join(folder('saida'), '2026-03', model, `${note.chave}.xml`)));
    for (const event of mine.filter(({ tipo }) => tipo === 'Evento')) {
      const beside = files.filter((path) => basename(path).startsWith(`${event.chave}-`));
      assert.ok(beside.length > 0);
      for (const path of beside) assert.ok(existsSync(join(dirname(path), `${event.chave}.xml`)), path);
    }
  });

  it('goes on at the NSU of the folder', async () => {
    const { value } = await malote.json(...args('--para', folder('saida'), '--desde', '0'));
    assert.equal(value.documentos, 0);
    assert.equal(value.desde, concerns(cliente.id).length);
  });

  it('never loses other bytes that lie under a name', async () => {
    const [victim] = filesBelow(folder('saida'));
    assert.ok(victim);
    const original = readFileSync(victim);
    writeFileSync(victim, 'meu');
    writeFileSync(
      join(folder('saida'), '.malote-nsu.json'),
      readFileSync(join(folder('saida'), '.malote-nsu.json'), 'utf8').replace(/"nsu":\d+/, '"nsu":0'),
    );
    const { value } = await malote.json(...args('--para', folder('saida'), '--xml'));
    assert.equal(value.substituidos, 1);
    assert.equal(value.iguais, concerns(cliente.id).length - 1);
    assert.deepEqual(readFileSync(victim), original);
    const aside = filesBelow(folder('saida')).find((path) => path.includes('.anterior-'));
    assert.equal(aside && readFileSync(aside, 'utf8'), 'meu');
  });

  it('moves a note that is cancelled after it was saved: the next run leaves it among the valid ones no more', async () => {
    const nota = generateNfe({
      semente: 'cancelada-depois',
      emitente: cliente,
      destinatario: outroCliente,
      modelo: '55',
      serie: 77,
      numero: 1,
      emissao: new Date(Date.UTC(2026, 2, 20, 15)),
      itens: 1,
    });
    const evento = generateEvento({
      semente: 'cancelada-depois',
      codigo: '110111',
      chave: nota.chave,
      autor: cliente,
      em: new Date(Date.UTC(2026, 3, 2, 15)),
      nProt: nota.protocolo?.nProt ?? null,
    });
    const saved = () =>
      filesBelow(folder('depois'))
        .map((path) => path.slice(folder('depois').length + 1))
        .filter((path) => path.includes(nota.chave))
        .sort();
    const mes = `2026-03/55/${nota.chave}`;
    for (const [name, { bytes }, places, movidos] of [
      ['nota.xml', nota, [`${mes}.xml`], 0],
      ['evento.xml', evento, [`Canceladas/${mes}-110111-1.xml`, `Canceladas/${mes}.xml`], 1],
    ] as const) {
      mkdirSync(folder('mais'), { recursive: true });
      writeFileSync(join(folder('mais'), name), bytes);
      assert.equal((await malote.json('importar', folder('mais'), ...remote())).code, 0);
      const { value } = await malote.json(...args('--para', folder('depois')));
      assert.equal(value.movidos, movidos);
      assert.deepEqual(saved(), places);
    }
    assert.deepEqual(
      readFileSync(join(folder('depois'), 'Canceladas', `${mes}.xml`)),
      Buffer.from(nota.bytes),
    );

    // As an earlier version has left it: all in one folder, and its state says nothing of others.
    for (const path of saved()) {
      const antes = join(folder('depois'), path.replace('Canceladas/', ''));
      renameSync(join(folder('depois'), path), antes);
    }
    const estado = join(folder('depois'), '.malote-nsu.json');
    writeFileSync(estado, readFileSync(estado, 'utf8').replace('"versao":2', '"versao":1'));
    for (const movidos of [2, 0]) {
      const { value } = await malote.json(...args('--para', folder('depois')));
      assert.deepEqual([value.movidos, value.novos, value.documentos], [movidos, 0, 0]);
      assert.deepEqual(saved(), [`Canceladas/${mes}-110111-1.xml`, `Canceladas/${mes}.xml`]);
    }
  });

  it('refuses a folder that belongs to another client', async () => {
    const { code, stderr } = await malote.malote(
      ...['exportar', ...remote(), '--crm', '123', '--cpf-cnpj', outroCliente.id, '--para', folder('saida')],
    );
    assert.equal(code, 1);
    assert.match(stderr, /Escolha outra pasta/);
  });

  it('brings all clients, or those of a list, each into a folder of its own; one that cannot be had keeps no other back', async () => {
    const dos = (...more: string[]) => malote.json('exportar', ...remote(), '--crm', '123', ...more);
    const { code, value } = await dos('--todos', '--xml', '--para', folder('todos'));
    assert.equal(code, 0);
    assert.equal(value.falhas, 0);
    for (const { id } of [cliente, outroCliente]) {
      const dele = (value.clientes as { cpf_cnpj: string; documentos: number }[]).find(
        ({ cpf_cnpj }) => cpf_cnpj === id,
      );
      assert.ok(dele && dele.documentos > 0, id);
      assert.ok(existsSync(join(folder('todos'), id, '.malote-nsu.json')));
    }
    assert.equal(filesBelow(folder('todos')).length, value.novos);
    assert.ok(existsSync(join(folder('todos'), cliente.id, 'Canceladas')), 'cancelled notes lie apart');

    const alheio = '11222333000181';
    writeFileSync(
      folder('lista.csv'),
      `\ufeffCNPJ;Nome\r\n"${formatCpfCnpj(outroCliente.id)}";Outro\r\n\r\n${alheio} # não é cliente\r\n${cliente.id}\r\n`,
    );
    const lista = await dos('--lista', folder('lista.csv'), '--para', folder('todos'));
    assert.equal(lista.code, 1);
    assert.deepEqual(
      [lista.value.documentos, lista.value.falhas],
      [0, 1],
      'each folder goes on where it was',
    );
    const feitos = lista.value.clientes as { cpf_cnpj: string; erro?: { codigo: string } }[];
    assert.deepEqual(
      feitos.map(({ cpf_cnpj, erro }) => [cpf_cnpj, erro?.codigo]),
      [
        [outroCliente.id, undefined],
        [alheio, 'cliente_nao_encontrado'],
        [cliente.id, undefined],
      ],
    );
    assert.ok(!existsSync(join(folder('todos'), alheio)));
    const dois = await dos('--cpf-cnpj', cliente.id, outroCliente.id, '--para', folder('todos'));
    assert.deepEqual([dois.code, (dois.value.clientes as unknown[]).length], [0, 2]);

    writeFileSync(folder('lista.csv'), `${cliente.id}\n11222333000180\n`);
    for (const [args, codigo] of [
      [['--lista', folder('lista.csv')], 'lista_invalida'],
      [['--todos', '--cpf-cnpj', cliente.id], 'clientes_em_duvida'],
      [[], 'nenhum_cliente'],
    ] as const) {
      const { code, value } = await dos(...args, '--para', folder('nunca'));
      assert.deepEqual([code, (value.erro as { codigo: string }).codigo], [1, codigo]);
    }
    assert.ok(!existsSync(folder('nunca')));
  });

  it('says in words which client is not known', async () => {
    const { code, value } = await malote.json(
      ...['exportar', ...remote(), '--crm', '123', '--cpf-cnpj', '11222333000181', '--para', folder('outra')],
    );
    assert.equal(code, 1);
    assert.equal((value.erro as { codigo: string }).codigo, 'cliente_nao_encontrado');
  });
});

describe('malote semear and malote verificar', () => {
  it('seeds an office with valid documents, the same for the same seed', async () => {
    const args = ['semear', '--crm', '123', '--documentos', '12', '--clientes', '2', '--semente', 'x'];
    const first = await malote.json(...args);
    assert.equal(first.code, 0);
    assert.equal((first.value.clientes as unknown[]).length, 2);
    const again = await malote.json(...args);
    assert.deepEqual(Object.keys(again.value.itens as object), ['duplicado']);
    const odd = await comBancoDe(malote.dados, ({ read }) =>
      read
        .selectFrom('versao')
        .select('id')
        .where((eb) => eb.or([eb('esquema', '<>', 'valido'), eb('assinatura', '<>', 'integra')]))
        .execute(),
    );
    assert.deepEqual(odd, []);
  });

  it('finds nothing wrong with all of this', async () => {
    const { code, value } = await malote.json('verificar');
    assert.deepEqual([code, value.achados], [0, []]);
    assert.ok(Number(value.arquivos) > 0 && Number(value.versoes) > documentos.length);
  });

  const seeded = new Instalacao();
  before(async () => {
    await seeded.json('conta', 'criar', '--crm', '7', '--nome', 'Escritório', '--email', 'a@b.com');
    await seeded.json('semear', '--crm', '7', '--documentos', '4', '--clientes', '1');
  });
  after(() => seeded.remove());

  const damages: [conferencia: string, statement: string, message: RegExp][] = [
    ['nsu', 'update cliente set ultimo_nsu = ultimo_nsu + 1', /último NSU/],
    ['contagem', 'update contagem set quantidade = quantidade + 1', /contados/],
    ['sha256', 'update versao set sha256 = (select sha256 from versao where id = 2) where id = 1', /SHA-256/],
    ['versoes', 'update versao set servida = 0 where id = 1', /versões servidas/],
    ['listagem', 'delete from participacao where nsu = 1', /listagem/],
    ['arquivos', "update arquivo set blob = 'nao-existe'", /não estão guardados/],
    [
      'escritorio',
      "insert into contador (codigo_crm, nome, email, criado_em) values ('000008', 'Outro', 'x@y.com', 0); update documento set contador_id = 2 where id = (select documento_id from entrada limit 1)",
      /outro escritório/,
    ],
  ];
  for (const [conferencia, statement, message] of damages) {
    it(`finds what was damaged: ${conferencia}`, async () => {
      const copy = new Instalacao();
      try {
        cpSync(join(seeded.pasta, 'data'), join(copy.pasta, 'data'), { recursive: true });
        await copyBanco(seeded.dados, copy.dados);
        await runSql(copy.dados, statement);
        const { code, value } = await copy.json('verificar');
        assert.equal(code, 1);
        const achados = value.achados as { conferencia: string; mensagem: string }[];
        const found = achados.find((achado) => achado.conferencia === conferencia);
        assert.match(found?.mensagem ?? '', message);
      } finally {
        await copy.remove();
      }
    });
  }
});

describe('malote esquemas', () => {
  it('lists the official package that is always there', async () => {
    const { code, value } = await malote.json('esquemas', 'listar');
    assert.equal(code, 0);
    assert.match((value.pacotes as { origem: string }[]).at(-1)?.origem ?? '', /^npm:/);
  });

  it('installs nothing from a file that is no schema package', async () => {
    writeFileSync(folder('nada.zip'), await zipDe([{ nome: 'a.txt', bytes: Buffer.from('x') }]));
    const { code, stderr } = await malote.malote('esquemas', 'instalar', folder('nada.zip'));
    assert.equal(code, 1);
    assert.match(stderr, /não traz nenhum esquema principal/);
  });
});

describe('npm run demo', { skip: MOTOR !== 'sqlite' && 'it stands on the embedded default, always' }, () => {
  it('makes its whole tour through the API and leaves nothing behind', async () => {
    const env = await malote.env();
    const root = join(import.meta.dirname, '..', '..');
    const begun = Date.now();
    const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'demo', '--', '--sair'], {
      cwd: root,
      env: { ...env, MALOTE_DATA: folder('nunca') },
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    for (const shown of [
      /Uploaded/,
      /Com Erro/,
      /rejeitado \[/,
      /sem_cliente \[/,
      /Emitida/,
      /faltantes/,
      /Demonstração encerrada/,
    ]) {
      assert.match(stdout, shown);
    }
    const [, ate = ''] = /documentos de \d\d\/\d\d\/\d{4} a (\d\d\/\d\d\/\d{4})/.exec(stdout) ?? [];
    const days = [begun, Date.now()].map((now) => diaDe(now).split('-').reverse().join('/'));
    assert.ok(days.includes(ate), `the month ends today, and not on ${ate}`);
    assert.doesNotMatch(stdout, /Para usar agora/, 'nothing is offered that is gone');
    const used = /dados em (\S+)\)/.exec(stdout)?.[1];
    assert.ok(used && !existsSync(used));
    assert.equal(existsSync(folder('nunca')), false);
  });
});
