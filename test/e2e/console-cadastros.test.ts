/** The console's users and clients over HTTP: invitations and roles, registration alone and by list, certificates. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { empresaComCertificado, generatePfx } from '../../src/contas/certificado/pfx-de-teste.ts';
import { zipDe } from '../../src/gerador/zip.ts';
import { logInToConsole, Navegador, type Pedinte } from '../support/console.ts';
import { createEscritorio, type Escritorio, type Malote, startMalote, withDeps } from '../support/malote.ts';

const SENHA = 'cadeira-nublada-tamborim';

let malote: Malote;
let escritorio: Escritorio;
let admin: Pedinte;
before(async () => {
  malote = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '0' } });
  escritorio = await createEscritorio(malote.dataFolder, { crm: '123', clientes: ['11144477735'] });
  admin = await logInToConsole(malote, escritorio);
});
after(() => malote[Symbol.asyncDispose]());

describe('users', () => {
  it('are invited by a link, work by their role, and are out at once when deactivated', async () => {
    const made = await admin.ask('/usuarios', {
      json: { nome: 'Otávio', email: 'otavio@exemplo.com.br', papel: 'operador' },
    });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const link = new URL(made.body.link);
    assert.equal(link.origin + link.pathname, `${malote.url}/console/convite`);
    const listed = (await admin.ask('/usuarios')).body.itens.find(
      (one: { id: number }) => one.id === made.body.id,
    );
    assert.deepEqual([listed.situacao, listed.papel, listed.entrouEm], ['convidado', 'operador', null]);
    const otavio = new Navegador(malote.url);
    await otavio.ask('/convite/aceitar', {
      json: { codigo: link.hash.slice(1), nome: 'Otávio Reis', senha: SENHA },
    });
    assert.equal((await otavio.ask('/clientes')).status, 200);
    assert.equal((await otavio.ask('/usuarios')).body.codigo, 'papel_insuficiente');
    assert.equal((await otavio.ask('/retencao')).body.codigo, 'papel_insuficiente');
    const promoted = await admin.ask(`/usuarios/${made.body.id}`, {
      method: 'PUT',
      json: { papel: 'administrador' },
    });
    assert.equal(promoted.status, 200);
    assert.equal((await otavio.ask('/usuarios')).status, 200, 'a new role works on the next request');
    await admin.ask(`/usuarios/${made.body.id}`, { method: 'PUT', json: { ativo: false } });
    assert.equal((await otavio.ask('/sessao')).body.codigo, 'sessao_ausente');
    const again = await otavio.ask('/entrar', { json: { email: 'otavio@exemplo.com.br', senha: SENHA } });
    assert.equal(again.body.codigo, 'credenciais_invalidas');
    assert.equal((await admin.ask(`/usuarios/${made.body.id}`, { method: 'DELETE' })).status, 200);
    assert.equal(
      (await admin.ask(`/usuarios/${made.body.id}`, { method: 'DELETE' })).body.codigo,
      'usuario_nao_encontrado',
    );
  });

  it('of papel cliente are bound to a registered client, and no address is there twice', async () => {
    const json = { nome: 'Empresa', email: 'empresa@exemplo.com.br', papel: 'cliente' };
    const without = await admin.ask('/usuarios', { json });
    assert.deepEqual([without.status, without.body.erros[0].campo], [400, 'clientes']);
    const foreign = await admin.ask('/usuarios', { json: { ...json, clientes: ['52998224725'] } });
    assert.equal(foreign.body.erros[0].codigo, 'inexistente');
    assert.equal(
      (await admin.ask('/usuarios', { json: { ...json, clientes: ['111.444.777-35'] } })).status,
      200,
    );
    const twice = await admin.ask('/usuarios', {
      json: { ...json, email: 'EMPRESA@exemplo.com.br', papel: 'operador' },
    });
    assert.equal(twice.body.codigo, 'usuario_ja_cadastrado');
  });

  it('the last administrator who can enter is neither removed, deactivated nor made less, however it is tried', async () => {
    const lone = await createEscritorio(malote.dataFolder, { crm: '321' });
    const [one, two] = [await logInToConsole(malote, lone), await logInToConsole(malote, lone)];
    const outcomes = await Promise.all([
      one.ask(`/usuarios/${one.usuarioId}`, { method: 'PUT', json: { papel: 'operador' } }),
      two.ask(`/usuarios/${two.usuarioId}`, { method: 'PUT', json: { papel: 'operador' } }),
    ]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), [200, 409], 'of two at once one stays');
    const [last, gone] = outcomes[0]?.status === 409 ? [one, two] : [two, one];
    assert.equal((await gone.ask('/usuarios')).body.codigo, 'papel_insuficiente');
    const path = `/usuarios/${last.usuarioId}`;
    for (const attempt of [
      last.ask(path, { method: 'DELETE' }),
      last.ask(path, { method: 'PUT', json: { ativo: false } }),
      last.ask(path, { method: 'PUT', json: { papel: 'operador' } }),
    ])
      assert.equal((await attempt).body.codigo, 'ultimo_administrador');
  });

  it('fields that no caller may set change nothing', async () => {
    const json = {
      nome: 'Intrusa',
      email: 'intrusa@exemplo.com.br',
      papel: 'operador',
      id: 1,
      contadorId: 999,
      contador_id: 999,
      ativo: false,
      senha: 'x',
      clienteId: 1,
    };
    const { body } = await admin.ask('/usuarios', { json });
    await withDeps(malote.dataFolder, async ({ db }) => {
      const row = await db.read
        .selectFrom('usuario')
        .selectAll()
        .where('id', '=', body.id)
        .executeTakeFirstOrThrow();
      assert.deepEqual(
        [row.contador_id, row.ativo, row.senha, row.cliente_id],
        [escritorio.contadorId, 1, null, null],
      );
    });
    const polluted = await fetch(`${malote.url}/console/api/usuarios`, {
      method: 'POST',
      headers: { cookie: admin.cookie, 'x-csrf-token': admin.csrf, 'content-type': 'application/json' },
      body: '{"nome":"A","email":"a@b.co","papel":"operador","__proto__":{"papel":"administrador"}}',
    });
    assert.equal(polluted.status, 400);
  });
});

describe('clients', () => {
  it('are registered, searched without accents, sorted and changed', async () => {
    for (const [cpfCnpj, nome] of [
      ['11.222.333/0001-81', 'Pão de Açúcar Mercearia'],
      ['12ABC34501DE35', 'Zínia Flores'],
    ] as const) {
      const { status, body } = await admin.ask('/clientes', {
        json: { cpfCnpj, nome, email: 'c@exemplo.com.br' },
      });
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(
        [body.nome, body.certificado, body.ultimoNsu, body.documentosNoMes],
        [nome, null, 0, 0],
      );
    }
    const names = async (query: string) =>
      (await admin.ask(`/clientes?${query}`)).body.itens.map(({ nome }: { nome: string }) => nome);
    assert.deepEqual(await names('busca=acucar pao'), ['Pão de Açúcar Mercearia']);
    assert.deepEqual(await names('busca=12abc345'), ['Zínia Flores']);
    assert.deepEqual(await names('busca=11.222.333'), ['Pão de Açúcar Mercearia']);
    assert.equal((await names('ordem=nome')).at(-1), 'Zínia Flores');
    const page = (await admin.ask('/clientes?Tamanho=1&Pagina=2')).body;
    assert.deepEqual([page.total, page.paginas, page.itens.length], [3, 3, 1]);
    assert.equal((await admin.ask('/clientes?Tamanho=501')).body.codigo, 'tamanho_invalido');
    const changed = await admin.ask('/clientes/11222333000181', {
      method: 'PUT',
      json: { nome: 'Mercearia Nova' },
    });
    assert.deepEqual([changed.body.nome, changed.body.email], ['Mercearia Nova', 'c@exemplo.com.br']);
    const faulty = await admin.ask('/clientes', { json: { cpfCnpj: '1', nome: '', email: 'x' } });
    assert.deepEqual(faulty.body.erros.map(({ campo }: { campo: string }) => campo).sort(), [
      'cpfCnpj',
      'email',
      'nome',
    ]);
    const twice = await admin.ask('/clientes', {
      json: { cpfCnpj: '11222333000181', nome: 'De novo', email: 'a@b.co' },
    });
    assert.equal(twice.body.codigo, 'cliente_ja_cadastrado');
  });

  it('a client of the office sees itself only', async () => {
    const own = await logInToConsole(malote, { ...escritorio, papel: 'cliente', clientes: ['11144477735'] });
    const { body } = await own.ask('/clientes');
    assert.deepEqual(
      body.itens.map(({ cpfCnpj }: { cpfCnpj: string }) => cpfCnpj),
      ['11144477735'],
    );
    assert.equal((await own.ask('/clientes/11144477735')).status, 200);
    assert.equal((await own.ask('/clientes/11222333000181')).body.codigo, 'cliente_nao_encontrado');
    assert.equal(
      (await own.ask('/clientes/11144477735', { method: 'PUT', json: { nome: 'X' } })).body.codigo,
      'papel_insuficiente',
    );
  });
});

describe('a list of clients', () => {
  const text =
    'CNPJ;Razão Social;E-mail;Procuração\n11444777000161;Padaria Conceição;a@b.co;sim\n11444777000161;De novo;a@b.co;\n123;Torta;a@b.co;\n11144477735;Já está;a@b.co;\n\n"45.997.418/0001-53";"Comércio; Filhos";b@c.co;não\n';
  const previa = async (json: object) => (await admin.ask('/clientes/lote/previa', { json })).body;

  it('is judged row by row before anything is kept, in either encoding and with any separator', async () => {
    const expected = ['nova', 'repetida', 'invalida', 'existente', 'nova'];
    const latin = Buffer.from(text, 'latin1').toString('base64');
    const utf8 = Buffer.from(`\ufeff${text}`).toString('base64');
    const commas = text.replace('"Comércio; Filhos"', '"Comércio, Filhos"').replaceAll(';', ',');
    for (const json of [
      { csv: text },
      { arquivo: latin },
      { arquivo: utf8 },
      { csv: commas },
      { csv: text.replaceAll('\n', '\r\n') },
    ]) {
      const body = await previa(json);
      assert.deepEqual(
        body.linhas.map(({ situacao }: { situacao: string }) => situacao),
        expected,
        JSON.stringify(body),
      );
      assert.equal(body.linhas[0].nome, 'Padaria Conceição');
      assert.deepEqual(
        body.linhas.map(({ linha }: { linha: number }) => linha),
        [2, 3, 4, 5, 7],
      );
      assert.deepEqual(
        [body.linhas[0].trabalhaComProcuracao, body.linhas[4].trabalhaComProcuracao],
        [true, false],
      );
    }
    assert.equal((await admin.ask('/clientes/11444777000161')).status, 404, 'nothing was kept');
    const bare = await previa({ csv: '45997418000153,Só nomes,x@y.co' });
    assert.equal(bare.linhas[0].situacao, 'nova', 'a list without heading');
    const unicode = await previa({ arquivo: Buffer.from(`\ufeff${text}`, 'utf16le').toString('base64') });
    assert.equal(unicode.linhas[0].nome, 'Padaria Conceição', "Excel's “Texto Unicode”");
    assert.match(unicode.linhas[2].mensagem, /^O número não é um CPF ou CNPJ/);
    for (const bytes of ['%PDF-1.7 nada', 'PK\u0003\u0004', '\u00d0\u00cf\u0011\u00e0\u0000', '']) {
      const recusa = await previa({ arquivo: Buffer.from(bytes, 'latin1').toString('base64') });
      assert.equal(recusa.codigo, 'csv_invalido', bytes);
    }
    for (const csv of ['', 'nome;email\nA;b@c.co', 'cnpj;nome;email\n', '"aberta;'])
      assert.equal((await previa({ csv })).codigo, 'csv_invalido', csv);
  });

  it('is taken as Excel writes it: numbers that lost their end are explained, a sheet has them whole, no e-mail is needed', async () => {
    const perdido = await previa({ csv: 'CNPJ;Nome\n5,35764E+13;Padaria' });
    assert.equal(perdido.linhas[0].situacao, 'invalida');
    assert.match(perdido.linhas[0].mensagem, /O Excel trocou este número por 5,35764E\+13.*\.xlsx/);
    const planilha = await zipDe([
      {
        nome: 'xl/worksheets/sheet1.xml',
        bytes: Buffer.from(
          '<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>CNPJ</t></is></c>' +
            '<c r="B1" t="inlineStr"><is><t>Nome</t></is></c></row><row r="2"><c r="A2"><v>4.5997418000153E+13</v></c>' +
            '<c r="B2" t="inlineStr"><is><t>Padaria &amp; Cia</t></is></c></row></sheetData></worksheet>',
        ),
      },
    ]);
    const inteiro = await previa({ arquivo: planilha.toString('base64') });
    const [{ situacao, cpfCnpj, nome, email, linha }] = inteiro.linhas;
    assert.deepEqual([situacao, cpfCnpj, nome, linha], ['nova', '45997418000153', 'Padaria & Cia', 2]);
    assert.match(email, /@exemplo\.com\.br$/, 'that of who asks');
  });

  it('registers the rows that are new, or those that were picked, and a second time none', async () => {
    const some = (await admin.ask('/clientes/lote', { json: { csv: text, linhas: [7] } })).body;
    assert.deepEqual([some.criados, some.recusados], [1, 0]);
    const all = (await admin.ask('/clientes/lote', { json: { csv: text } })).body;
    assert.deepEqual(
      all.linhas.map(({ situacao }: { situacao: string }) => situacao),
      ['cadastrada', 'repetida', 'invalida', 'existente', 'existente'],
    );
    assert.equal((await admin.ask('/clientes/11444777000161')).body.trabalhaComProcuracao, true);
    assert.equal((await admin.ask('/clientes/lote', { json: { csv: text } })).body.criados, 0);
  });
});

describe('a certificate', () => {
  it('is judged without being kept, kept, seen, and taken away', async () => {
    const { empresa, certificado } = empresaComCertificado('console/certificado');
    const senha = 'segredo do certificado';
    const arquivo = generatePfx(certificado, senha).toString('base64');
    await admin.ask('/clientes', { json: { cpfCnpj: empresa.id, nome: empresa.nome, email: 'a@b.co' } });
    const path = `/clientes/${empresa.id}`;
    const check = async (json: object) =>
      (await admin.ask('/clientes/certificado/conferir', { json: { arquivo, senha, ...json } })).body;
    const good = await check({ cpfCnpj: empresa.id });
    assert.deepEqual([good.valido, good.titular, good.erros], [true, empresa.id, []]);
    assert.ok(good.dias > 0);
    assert.equal(good.ufProvavel, null, 'nothing tells yet');
    const codes = async (json: object) =>
      (await check(json)).erros.map(({ codigo }: { codigo: string }) => codigo);
    assert.deepEqual(await codes({ senha: 'errada' }), ['senha_incorreta']);
    assert.deepEqual(await codes({ arquivo: 'AAAA' }), ['formato_invalido']);
    assert.deepEqual(await codes({ cpfCnpj: '11222333000181' }), ['titular_divergente']);
    assert.deepEqual(await codes({ cpfCnpj: '11222333000181', trabalhaComProcuracao: true }), []);
    assert.deepEqual(await codes({}), [], 'for nobody yet');
    assert.equal((await admin.ask(path)).body.certificado, null, 'nothing was kept');
    const wrong = await admin.ask(`${path}/certificado`, { json: { arquivo, senha: 'errada', uf: 'SP' } });
    assert.deepEqual([wrong.status, wrong.body.erros[0].campo], [422, 'senha']);
    const kept = await admin.ask(`${path}/certificado`, { json: { arquivo, senha, uf: 'SP' } });
    assert.match(kept.body.certificado.situacao, /^(?:valido|vence_em_breve)$/);
    assert.equal(kept.body.certificado.titular, empresa.id);
    assert.ok(!JSON.stringify(kept.body).includes(arquivo.slice(40, 120)));
    assert.equal((await admin.ask(`${path}/certificado`, { method: 'DELETE' })).status, 200);
    assert.equal(
      (await admin.ask(`${path}/certificado`, { method: 'DELETE' })).body.codigo,
      'certificado_nao_encontrado',
    );
    await withDeps(malote.dataFolder, async ({ db }) => {
      const row = await db.read.selectFrom('certificado').selectAll().executeTakeFirstOrThrow();
      assert.deepEqual([row.selado, row.chave_selada], [null, null]);
    });
  });
});

describe('a password while it is typed', () => {
  it('is judged by the rules by which it is taken', async () => {
    const avaliar = async (senha: string, pessoais: string[] = []) => {
      const answer = await fetch(`${malote.url}/console/api/senha/avaliar`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ senha, pessoais }),
      });
      assert.equal(answer.status, 200);
      return ((await answer.json()) as { falta: string | null }).falta;
    };
    assert.match((await avaliar('curta')) ?? '', /10 a 128/);
    assert.match((await avaliar('senha123456')) ?? '', /das primeiras/);
    assert.match((await avaliar('Otavio Augusto', ['Otávio Augusto'])) ?? '', /das primeiras/);
    assert.equal(await avaliar('malote andarilho azul 42'), null);
  });
});
