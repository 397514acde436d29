/** Specification 4.3: clients are registered and updated over HTTP, with their certificates. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { empresaComCertificado, generatePfx } from '../../src/contas/certificado/pfx-de-teste.ts';
import { verifyCofre } from '../../src/documentos/verify/verificar.ts';
import { formatCpfCnpj } from '../../src/fiscal/cpf-cnpj.ts';
import { Aleatorio } from '../../src/gerador/aleatorio.ts';
import { generateCnpj } from '../../src/gerador/empresas.ts';
import { openContas } from '../support/acesso-contas.ts';
import { until } from '../support/espera.ts';
import {
  createEscritorio,
  fetchJson,
  imported,
  type Malote,
  startMalote,
  upload,
  withDeps,
} from '../support/malote.ts';
import { Acompanhante, checkFeed } from '../support/observador.ts';
import { generateRemessa } from '../support/remessa.ts';

const SENHA = 'Senh@ do cliente';
const DAY_MS = 86_400_000;

let malote: Malote;
let contadorId: number;
let contas: string;
before(async () => {
  malote = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '0' } });
  ({ contadorId } = await createEscritorio(malote.dataFolder, { crm: '123' }));
  ({ token: contas } = await openContas(malote, { contadorIds: [contadorId] }));
});
after(() => malote[Symbol.asyncDispose]());

let made = 0;
const newCnpj = () => generateCnpj(new Aleatorio(`contas-${++made}`));
const address = (cpfCnpj?: string, crm = '000123') =>
  `${malote.url}/api/contas/platform/contador/${crm}/cliente${cpfCnpj === undefined ? '' : `/${encodeURIComponent(cpfCnpj)}`}`;
const post = (json: unknown, crm?: string) => fetchJson(address(undefined, crm), { token: contas, json });
const put = (cpfCnpj: string, json: unknown) =>
  fetchJson(address(cpfCnpj), { token: contas, json, method: 'PUT' });
const corpo = (cpfCnpj: string) => ({
  cpfCnpj,
  nomeEmpresa: 'Padaria Estrela',
  email: 'contato@padaria.com.br',
});
const base64 = (data: string | Uint8Array) => Buffer.from(data).toString('base64');
const campos = (pfx: Uint8Array, senha = SENHA) => ({
  arquivoCertificado: base64(pfx),
  senhaCertificado: base64(senha),
  ufCertificado: 'SP',
});
const faults = (body: { erros: { campo: string; codigo: string }[] }) =>
  body.erros.map(({ campo, codigo }) => `${campo}:${codigo}`);

/** What is stored of a client. */
function stored(cpfCnpj: string) {
  return withDeps(malote.dataFolder, ({ db }) =>
    db.read
      .selectFrom('cliente')
      .leftJoin('certificado', (join) =>
        join.onRef('certificado.cliente_id', '=', 'cliente.id').on('certificado.substituido_em', 'is', null),
      )
      .select(['nome', 'email', 'trabalha_com_procuracao', 'titular', 'uf', 'versao', 'cliente.id'])
      .where('cpf_cnpj', '=', cpfCnpj)
      .where('cliente.contador_id', '=', contadorId)
      .executeTakeFirst(),
  );
}

describe('4.3 POST …/contador/{CRM}/cliente', () => {
  it('answers data.id and data.message, and nothing else', async () => {
    const cpfCnpj = newCnpj();
    const { status, body } = await post(corpo(cpfCnpj));
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['data']);
    assert.deepEqual(Object.keys(body.data), ['id', 'message']);
    assert.ok(Number.isInteger(body.data.id));
    assert.match(body.data.message, new RegExp(`${formatCpfCnpj(cpfCnpj).replaceAll('.', '\\.')}`));
    const row = await stored(cpfCnpj);
    assert.equal(row?.id, body.data.id);
    assert.deepEqual([row?.nome, row?.trabalha_com_procuracao, row?.titular], ['Padaria Estrela', 0, null]);
  });

  it('takes a CRM of 1 to 6 digits, padded or not, and a CPF or CNPJ however it is written', async () => {
    for (const crm of ['123', '0123', '000123'])
      assert.equal((await post(corpo(newCnpj()), crm)).status, 200, crm);
    for (const text of ['111.444.777-35', '12.abc.345/01de-35', formatCpfCnpj(newCnpj())])
      assert.equal((await post(corpo(text))).status, 200, text);
    assert.ok(await stored('12ABC34501DE35'));
  });

  it('names every faulty field at once', async () => {
    const { status, body } = await post({
      cpfCnpj: '11222333000182',
      nomeEmpresa: 'x',
      arquivoCertificado: '***',
      ufCertificado: 'XX',
      trabalhaComProcuracao: 'sim',
    });
    assert.deepEqual([status, body.codigo], [400, 'dados_invalidos']);
    assert.deepEqual(faults(body).sort(), [
      'arquivoCertificado:valor_invalido',
      'cpfCnpj:valor_invalido',
      'email:obrigatorio',
      'nomeEmpresa:valor_invalido',
      'senhaCertificado:obrigatorio',
      'trabalhaComProcuracao:valor_invalido',
      'ufCertificado:valor_invalido',
    ]);
    assert.deepEqual(faults((await post({})).body), [
      'cpfCnpj:obrigatorio',
      'nomeEmpresa:obrigatorio',
      'email:obrigatorio',
    ]);
    assert.equal((await post({ ...corpo(newCnpj()), email: 7 })).body.codigo, 'dados_invalidos');
  });

  it('wants all three fields of a certificate or none; empty ones and null are none', async () => {
    const all = campos(Buffer.from('x'));
    for (const missing of Object.keys(all)) {
      const { status, body } = await post({ ...corpo(newCnpj()), ...all, [missing]: undefined });
      assert.deepEqual([status, faults(body)], [400, [`${missing}:obrigatorio`]]);
    }
    const none = { arquivoCertificado: '', senhaCertificado: null, ufCertificado: '' };
    assert.equal((await post({ ...corpo(newCnpj()), ...none, trabalhaComProcuracao: null })).status, 200);
  });

  it('is 409 for who is registered already, masked or not, before a certificate is opened', async () => {
    const cpfCnpj = newCnpj();
    await post(corpo(cpfCnpj));
    const again = { ...corpo(formatCpfCnpj(cpfCnpj)), ...campos(Buffer.from('lixo')) };
    const { status, body } = await post(again);
    assert.deepEqual([status, body.codigo], [409, 'cliente_ja_cadastrado']);
  });

  it('registers once, however many ask at the same time', async () => {
    const cpfCnpj = newCnpj();
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(corpo(cpfCnpj))));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
  });

  it('takes no field that it does not know', async () => {
    const cpfCnpj = newCnpj();
    const { body } = await post({
      ...corpo(cpfCnpj),
      id: 1,
      contadorId: 99,
      contador_id: 99,
      ultimo_nsu: 50,
    });
    const row = await stored(cpfCnpj);
    assert.equal(row?.id, body.data.id);
  });
});

describe('certificates', () => {
  for (const forma of ['aes', '3des', 'rc2'] as const) {
    it(`in the encoding ${forma} are accepted, and no route gives them back`, async () => {
      const { empresa, certificado } = empresaComCertificado(`contas-${forma}`, {
        alfanumerico: forma === 'rc2',
      });
      const { status, body } = await post({
        ...corpo(empresa.id),
        ...campos(generatePfx(certificado, SENHA, { forma })),
      });
      assert.equal(status, 200, JSON.stringify(body));
      const row = await stored(empresa.id);
      assert.deepEqual([row?.titular, row?.uf, row?.versao], [empresa.id, 'SP', 1]);
    });
  }

  it('may come with line breaks, URL-safe, without padding, or as a data URL', async () => {
    const { empresa, certificado } = empresaComCertificado('contas-base64');
    const plain = base64(generatePfx(certificado, SENHA));
    await post(corpo(empresa.id));
    const ways = [
      plain.replace(/.{76}/g, '$&\r\n'),
      plain.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
      `data:application/x-pkcs12;base64,${plain}`,
    ];
    for (const arquivoCertificado of ways) {
      const { status, body } = await put(empresa.id, {
        ...campos(Buffer.from('')),
        arquivoCertificado,
        ufCertificado: 'rj',
      });
      assert.equal(status, 200, JSON.stringify(body));
    }
    const row = await stored(empresa.id);
    assert.deepEqual([row?.versao, row?.uf], [3, 'RJ']);
  });

  it('that are refused say why, and nothing is stored', async () => {
    const { empresa, certificado } = empresaComCertificado('contas-recusas');
    const past = empresaComCertificado('contas-recusas', {
      em: new Date(Date.now() - 400 * DAY_MS),
    }).certificado;
    const future = empresaComCertificado('contas-recusas', {
      em: new Date(Date.now() + 400 * DAY_MS),
    }).certificado;
    const other = empresaComCertificado('contas-outra').certificado;
    const good = generatePfx(certificado, SENHA);
    const cases: [string, object][] = [
      ['arquivoCertificado:formato_invalido', campos(Buffer.from('não é'))],
      ['arquivoCertificado:formato_invalido', campos(Buffer.alloc(70_000, 0x30))],
      ['senhaCertificado:senha_incorreta', campos(good, 'errada')],
      ['arquivoCertificado:sem_chave_privada', campos(generatePfx(certificado, SENHA, { semChave: true }))],
      ['arquivoCertificado:expirado', campos(generatePfx(past, SENHA))],
      ['arquivoCertificado:ainda_nao_valido', campos(generatePfx(future, SENHA))],
      ['arquivoCertificado:titular_divergente', campos(generatePfx(other, SENHA))],
    ];
    for (const [fault, fields] of cases) {
      const { status, body } = await post({ ...corpo(empresa.id), ...fields });
      assert.deepEqual([status, body.codigo, faults(body)], [422, 'certificado_invalido', [fault]]);
      assert.doesNotMatch(JSON.stringify(body), new RegExp(SENHA));
    }
    assert.equal(await stored(empresa.id), undefined);
    const refused = await withDeps(malote.dataFolder, ({ db }) =>
      db.read.selectFrom('auditoria').select('detalhe').where('acao', '=', 'certificado.recusado').execute(),
    );
    assert.equal(refused.length, cases.length);
    assert.match(refused[2]?.detalhe ?? '', /senha_incorreta/);
  });

  it('of anybody are accepted with trabalhaComProcuracao, and ending that needs the client’s own', async () => {
    const { empresa, certificado } = empresaComCertificado('contas-procuracao');
    const accountant = empresaComCertificado('contas-contador').certificado;
    const theirs = campos(generatePfx(accountant, SENHA));
    assert.equal((await post({ ...corpo(empresa.id), ...theirs, trabalhaComProcuracao: true })).status, 200);
    const ended = await put(empresa.id, { trabalhaComProcuracao: false });
    assert.deepEqual([ended.status, faults(ended.body)], [422, ['trabalhaComProcuracao:titular_divergente']]);
    assert.equal((await stored(empresa.id))?.trabalha_com_procuracao, 1);
    const own = { trabalhaComProcuracao: false, ...campos(generatePfx(certificado, SENHA)) };
    assert.equal((await put(empresa.id, own)).status, 200);
    assert.equal((await stored(empresa.id))?.titular, empresa.id);
    assert.equal((await put(empresa.id, theirs)).status, 422);
    assert.equal((await stored(empresa.id))?.versao, 2);
  });

  it('more than 1 MB of them are refused before they are read, and the server goes on answering', async () => {
    const { status } = await post({ ...corpo(newCnpj()), ...campos(Buffer.alloc(5_000_000, 1)) });
    assert.equal(status, 413);
    assert.equal((await fetch(`${malote.url}/healthz`)).status, 200);
  });

  it('are counted in /metrics by days left', async () => {
    const text = await (await fetch(`${malote.url}/metrics`)).text();
    const total = /^malote_certificados\{dias="\+Inf"\} (\d+)$/m.exec(text)?.[1];
    assert.ok(Number(total) >= 5, text.slice(0, 200));
    assert.match(text, /^malote_certificado_primeiro_vencimento_dias \d+$/m);
  });
});

describe('4.3 PUT …/contador/{CRM}/cliente/{CPFCNPJ}', () => {
  it('changes what is given, keeps the rest, and names the CPF/CNPJ', async () => {
    const cpfCnpj = newCnpj();
    await post({ ...corpo(cpfCnpj), trabalhaComProcuracao: true });
    const { status, body } = await put(formatCpfCnpj(cpfCnpj), {
      email: 'novo@padaria.com.br',
      cpfCnpj: 'x',
    });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['message']);
    assert.ok(body.message.includes(formatCpfCnpj(cpfCnpj)));
    const row = await stored(cpfCnpj);
    assert.deepEqual(
      [row?.nome, row?.email, row?.trabalha_com_procuracao],
      ['Padaria Estrela', 'novo@padaria.com.br', 1],
    );
  });

  it('is 400 for an empty body, 404 for an unknown client', async () => {
    const cpfCnpj = newCnpj();
    const unknown = await put(cpfCnpj, { email: 'a@b.co' });
    assert.deepEqual([unknown.status, unknown.body.codigo], [404, 'cliente_nao_encontrado']);
    await post(corpo(cpfCnpj));
    for (const json of [{}, { nomeEmpresa: null }, { outro: 1 }]) {
      const { status, body } = await put(cpfCnpj, json);
      assert.deepEqual([status, body.codigo], [400, 'dados_invalidos']);
    }
    const empty = await fetchJson(address(cpfCnpj), {
      token: contas,
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
    });
    assert.deepEqual([empty.status, empty.body.codigo], [400, 'corpo_invalido']);
  });
});

it('registering a client in the middle of an import misses no document and doubles none', async () => {
  const {
    token,
    codigoCrm,
    contadorId: officeId,
  } = await createEscritorio(malote.dataFolder, { crm: '456' });
  const { token: access } = await openContas(malote, { contadorIds: [officeId] });
  const remessa = await generateRemessa({
    semente: 'cadastro',
    clientes: 4,
    documentos: 200,
    porArquivo: 6,
  });
  const acompanhantes = remessa.clientes.map(
    (cpfCnpj) => new Acompanhante(malote, { codigoCrm, token, cpfCnpj }),
  );
  try {
    const pendentes = [...remessa.arquivos];
    const aCadastrar = [...remessa.clientes];
    const total = pendentes.length;
    const registering: Promise<void>[] = [];
    const register = async (cpfCnpj: string) => {
      const { status, body } = await fetchJson(address(undefined, codigoCrm), {
        token: access,
        json: corpo(cpfCnpj),
      });
      assert.equal(status, 200, JSON.stringify(body));
    };
    const enviar = async () => {
      for (let arquivo = pendentes.shift(); arquivo; arquivo = pendentes.shift()) {
        // A client every fifth of the way, while the files before and after are being imported.
        const due = Math.floor(((total - pendentes.length) / total) * (remessa.clientes.length + 1));
        while (remessa.clientes.length - aCadastrar.length < due && aCadastrar[0] !== undefined)
          registering.push(register(aCadastrar.shift() ?? ''));
        await imported(malote, { token, id: await upload(malote, { token, ...arquivo }) });
      }
    };
    await Promise.all(Array.from({ length: 5 }, enviar));
    await Promise.all(registering);
    assert.equal(registering.length, remessa.clientes.length);
    for (const { feed, vistas } of acompanhantes) {
      const esperadas = remessa.esperadas.get(feed.cpfCnpj) ?? new Map();
      await until('the poller has seen all', () => vistas.length >= esperadas.size);
      await checkFeed(malote, { feed, vistas, esperadas });
    }
  } finally {
    for (const acompanhante of acompanhantes) await acompanhante.stop();
  }
  await withDeps(malote.dataFolder, async ({ db }) => {
    for await (const achado of verifyCofre(db.read)) assert.fail(JSON.stringify(achado));
  });
});
