/** Layouts of municipal notes that an office teaches: kept, taught, delivered in order of arrival, sent to a colleague. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { generateEmpresa } from '../../src/gerador/empresas.ts';
import { zipDe } from '../../src/gerador/zip.ts';
import { logInToConsole, type Pedinte } from '../support/console.ts';
import { until } from '../support/espera.ts';
import {
  createEscritorio,
  type Escritorio,
  fetchJson,
  imported,
  type Malote,
  makeDataFolder,
  startMalote,
  upload,
  withDeps,
} from '../support/malote.ts';
import { ambienteDoBanco } from '../support/motor.ts';

const prestador = generateEmpresa('oficina', { perfil: 'servicos', uf: 'SP' }).id;
const tomador = generateEmpresa('freguês', { perfil: 'comercio', uf: 'SP' }).id;
const MALOTE = join(import.meta.dirname, '..', '..', 'bin', 'malote.js');

/** A note as no city that is known writes it. */
const folha = (numero: number, estado = 'VALE') =>
  `<Folha ordem="${numero}"><Dia>10/03/2026</Dia><Estado>${estado}</Estado><Emissor><Registro>${prestador}</Registro><Chamado>Oficina</Chamado></Emissor><Tomador><Registro>${tomador}</Registro></Tomador><ServicoPago>1.500,00</ServicoPago></Folha>`;
const caderno = (...folhas: string[]) =>
  Buffer.from(`<?xml version="1.0"?><Caderno><Folhas>${folhas.join('')}</Folhas></Caderno>`);

const NOTA = ['Caderno', 'Folhas', 'Folha'];
const APONTADO = {
  nome: 'Caderno de Serra Nova',
  nota: NOTA,
  campos: {
    numero: [...NOTA, '@ordem'],
    data: [...NOTA, 'Dia'],
    prestador: [...NOTA, 'Emissor', 'Registro'],
    nomeDoPrestador: [...NOTA, 'Emissor', 'Chamado'],
    tomador: [...NOTA, 'Tomador', 'Registro'],
    valor: [...NOTA, 'ServicoPago'],
  },
  cidade: 'São Paulo - SP',
  ordem: 'dia_mes',
  cancelada: { lugar: [...NOTA, 'Estado'], tipo: 'situacao', cancelada: ['MORTA'], normal: ['VALE'] },
};

describe('a note of a layout that is not read', () => {
  const dataFolder = makeDataFolder();
  const pasta = mkdtempSync(join(tmpdir(), 'malote-leiautes-'));
  let escritorio: Escritorio;
  let colega: Escritorio;
  let malote: Malote;
  let admin: Pedinte;
  let operador: Pedinte;
  let doColega: Pedinte;

  before(async () => {
    escritorio = await createEscritorio(dataFolder, { crm: '000601', clientes: [prestador] });
    colega = await createEscritorio(dataFolder, { crm: '000602', clientes: [tomador] });
    malote = await startMalote({ dataFolder });
    admin = await logInToConsole(malote, escritorio);
    operador = await logInToConsole(malote, { ...escritorio, papel: 'operador' });
    doColega = await logInToConsole(malote, colega);
  });
  after(async () => {
    await malote.stop();
    for (const one of [dataFolder, pasta]) rmSync(one, { recursive: true, force: true });
  });

  const send = async (quem: Escritorio, bytes: Uint8Array, extension: '.xml' | '.zip' = '.xml') => {
    const { token } = quem;
    const id = await upload(malote, { token, bytes, extension });
    const { status, log } = await imported(malote, { token, id });
    const { itens } = (await fetchJson(`${malote.url}/storage/arquivo/${id}/itens?Tamanho=100`, { token }))
      .body;
    return { status, log, itens };
  };
  const feed = async ({ codigoCrm, token }: Escritorio, cpfCnpj: string) => {
    const url = `${malote.url}/api/v1/${codigoCrm}/${cpfCnpj}/documentos/0/novos`;
    return (await fetchJson(url, { token })).body.documentos as Record<string, unknown>[];
  };
  const cli = async (...args: string[]) => {
    const env = { ...process.env, ...(await ambienteDoBanco(dataFolder)), MALOTE_DATA: dataFolder };
    const { status, stdout, stderr } = spawnSync(process.execPath, [MALOTE, ...args, '--json'], {
      env: { ...env, MALOTE_LOG: 'silent' },
      encoding: 'utf8',
    });
    return { status, saida: JSON.parse(stdout || stderr) };
  };

  it('is kept, and said to wait', async () => {
    const first = await send(escritorio, caderno(folha(3), folha(1)));
    const zip = await zipDe([
      { nome: 'a/caderno-2.xml', bytes: caderno(folha(9)) },
      { nome: 'a/caderno-3.xml', bytes: caderno(folha(2, 'MORTA')) },
    ]);
    const second = await send(escritorio, zip, '.zip');
    await send(colega, caderno(folha(5)));
    for (const { status, log, itens } of [first, second]) {
      assert.equal(status, 'Com Erro');
      assert.match(log, /leiaute que não é lido\n.*ficou guardada.*\[leiaute_desconhecido\]/);
      for (const { resultado, codigo, especie } of itens)
        assert.deepEqual([resultado, codigo, especie], ['sem_leiaute', 'leiaute_desconhecido', 'NFSe']);
    }
    // The very same bytes wait once.
    await send(escritorio, caderno(folha(9)));
    const { esperando, leiautes } = (await admin.ask('/leiautes')).body;
    assert.deepEqual(leiautes, []);
    assert.deepEqual(
      esperando.map(({ forma, arquivos }: { forma: string; arquivos: number }) => [forma, arquivos]),
      [['caderno/folhas/folha', 3]],
    );
  });

  it('is no note by its XML alone: what has no sign of one is refused as before', async () => {
    const { status, itens } = await send(escritorio, Buffer.from('<pedido><item>1</item></pedido>'));
    assert.deepEqual([status, itens[0].codigo], ['Com Erro', 'documento_desconhecido']);
  });

  it('is opened as a tree, in which a note is taken to begin where the fields do', async () => {
    const [{ primeiro }] = (await operador.ask('/leiautes')).body.esperando;
    const { ramos, sugestao, arquivos } = (await operador.ask(`/notas-a-ensinar/${primeiro}`)).body;
    assert.deepEqual([sugestao, arquivos], [NOTA, 3]);
    const folhas = ramos.find(({ nome }: { nome: string }) => nome === 'Folha');
    assert.deepEqual([folhas.vezes, folhas.lugar], [2, NOTA]);
    assert.ok(
      ramos.some(
        ({ lugar, texto }: { lugar: string[]; texto: string }) => lugar.at(-1) === '@ordem' && texto === '3',
      ),
    );
    assert.equal((await doColega.ask(`/notas-a-ensinar/${primeiro}`)).status, 404);
  });

  it('shows what would be read from all that wait, before anything is saved', async () => {
    const { campos, ...rest } = APONTADO;
    const { valor: _, ...semValor } = campos;
    const missing = (
      await operador.ask('/leiautes/avaliar', { method: 'POST', json: { ...rest, campos: semValor } })
    ).body;
    assert.deepEqual([missing.faltas, missing.notas, missing.esperam], [['Aponte o valor da nota.'], 0, 3]);
    const { body } = await operador.ask('/leiautes/avaliar', { method: 'POST', json: APONTADO });
    assert.deepEqual([body.faltas, body.arquivosLidos, body.notas], [[], 3, 4]);
    assert.deepEqual(
      body.linhas.map((linha: Record<string, string>) => [
        linha.numero,
        linha.situacao,
        linha.valor,
        linha.tomador,
      ]),
      [
        ['3', 'Autorizada', '1500.00', tomador],
        ['1', 'Autorizada', '1500.00', tomador],
        ['9', 'Autorizada', '1500.00', tomador],
        ['2', 'Cancelada', '1500.00', tomador],
      ],
    );
    assert.deepEqual(body.situacoes, [
      { texto: 'VALE', vezes: 3 },
      { texto: 'MORTA', vezes: 1 },
    ]);
    assert.deepEqual(await feed(escritorio, prestador), []);
  });

  it('enters the feed in order of arrival once its layout is taught, and of this office alone', async () => {
    const saved = await operador.ask('/leiautes', { method: 'POST', json: APONTADO });
    assert.deepEqual(
      [saved.status, saved.body.id],
      [200, 'caderno-de-serra-nova'],
      JSON.stringify(saved.body),
    );
    await until('all have come', async () => (await feed(escritorio, prestador)).length === 4);
    assert.deepEqual(
      (await feed(escritorio, prestador)).map(({ nsu, chave, status }) => [nsu, chave, status]),
      [
        [1, `NFSE-3550308-${prestador}-3`, 'Autorizada'],
        [2, `NFSE-3550308-${prestador}-1`, 'Autorizada'],
        [3, `NFSE-3550308-${prestador}-9`, 'Autorizada'],
        [4, `NFSE-3550308-${prestador}-2`, 'Cancelada'],
      ],
    );
    assert.deepEqual((await admin.ask('/leiautes')).body.esperando, []);
    assert.deepEqual(await feed(colega, tomador), []);
    const again = await send(escritorio, caderno(folha(10)));
    assert.deepEqual([again.status, again.itens[0].resultado], ['Uploaded', 'novo']);
  });

  it('is read by a colleague who installs the file, which has nothing of any note', async () => {
    const arquivo = join(pasta, 'serra-nova.json');
    const { status } = await cli(
      'leiautes',
      'exportar',
      'caderno-de-serra-nova',
      '--crm',
      '000601',
      '--para',
      arquivo,
    );
    assert.equal(status, 0);
    const texto = readFileSync(arquivo, 'utf8');
    for (const secret of [prestador, tomador, 'Oficina', '1.500,00', '10/03/2026'])
      assert.ok(!texto.includes(secret), secret);
    const fromConsole = await fetch(`${malote.url}/console/api/leiautes/caderno-de-serra-nova/arquivo`, {
      headers: { cookie: admin.cookie },
    });
    assert.equal(await fromConsole.text(), texto);
    const installed = await cli('leiautes', 'instalar', arquivo, '--crm', '000602');
    assert.deepEqual([installed.status, installed.saida.id], [0, 'caderno-de-serra-nova']);
    await until('it has come', async () => (await feed(colega, tomador)).length === 1);
    const { leiautes } = (await cli('leiautes', 'listar', '--crm', '000602')).saida;
    assert.deepEqual([leiautes.length, leiautes[0].origem], [1, 'instalado']);
  });

  it('is found sound by verificar: what was read by a layout, and what waits for one', async () => {
    await send(colega, Buffer.from(`<Outro>${folha(77)}</Outro>`.replaceAll('Folha', 'Lamina')));
    const sound = await cli('verificar');
    assert.equal(sound.status, 0, JSON.stringify(sound.saida).slice(0, 2_000));
    const chave = `NFSE-3550308-${prestador}-9`;
    const setNumero = (numero: string) =>
      withDeps(dataFolder, ({ db }) =>
        db.write.updateTable('documento').set({ numero }).where('chave', '=', chave).execute(),
      );
    await setNumero('999');
    await withDeps(dataFolder, ({ db }) =>
      db.write
        .updateTable('nota_a_ensinar')
        .set({ bytes: Buffer.from('x') })
        .execute(),
    );
    const found = JSON.stringify((await cli('verificar')).saida);
    assert.match(found, /nota_a_ensinar_divergente/);
    assert.match(
      found,
      new RegExp(`${chave}: A linha do documento não diz o mesmo que os seus bytes \\(numero\\)`),
    );
    await setNumero('9');
    await withDeps(dataFolder, ({ db }) => db.write.deleteFrom('nota_a_ensinar').execute());
  });

  it('waits again once the layout is taken away; what was read stays', async () => {
    assert.equal((await operador.ask('/leiautes/caderno-de-serra-nova', { method: 'DELETE' })).status, 403);
    assert.equal((await doColega.ask('/leiautes/caderno-de-serra-nova', { method: 'DELETE' })).status, 200);
    assert.equal((await admin.ask('/leiautes')).body.leiautes.length, 1);
    await until('the readers know', async () => {
      const { itens } = await send(colega, caderno(folha(100 + Math.floor(Math.random() * 1e6))));
      return itens[0].resultado === 'sem_leiaute';
    });
    assert.equal((await feed(colega, tomador))[0]?.chave, `NFSE-3550308-${prestador}-5`);
    const [{ forma }] = (await doColega.ask('/leiautes')).body.esperando;
    const gone = await doColega.ask('/leiautes/esperando/dispensar', { method: 'POST', json: { forma } });
    assert.ok(gone.body.arquivos >= 1);
    assert.deepEqual((await doColega.ask('/leiautes')).body.esperando, []);
    const acts = (await doColega.ask('/auditoria')).body.itens.map(({ ato }: { ato: string }) => ato);
    assert.deepEqual(
      acts.slice(0, 3).toSorted(),
      ['leiaute.dispensado', 'leiaute.instalado', 'leiaute.retirado'].toSorted(),
    );
  });

  it('is not read by a file that is no layout, is too large, or claims what only ours may', async () => {
    const minimo = JSON.parse(readFileSync(join(pasta, 'serra-nova.json'), 'utf8'));
    const hostile: [string, RegExp][] = [
      ['nada', /não é JSON/],
      ['['.repeat(30_000), /não é JSON/],
      [JSON.stringify({ ...minimo, fonte: 'x'.repeat(301) }), /fonte deve ser/],
      [`{"__proto__":{"x":1},${JSON.stringify(minimo).slice(1)}`, /__proto__ não existe em leiautes/],
      [JSON.stringify({ ...minimo, id: 'ipm' }), /vem com o Malote/],
      [JSON.stringify({ ...minimo, nota: { ...minimo.nota, norma: true } }), /norma só existe/],
      [JSON.stringify({ ...minimo, valor: ['.//a//b//c//d'] }), /passa de 3 passos com/],
      [JSON.stringify({ ...minimo, valor: [`./${'(a+)+'.repeat(9)}`] }), /nome que não vale/],
    ];
    for (const [arquivo, says] of hostile) {
      const { status, body } = await admin.ask('/leiautes/instalar', { method: 'POST', json: { arquivo } });
      assert.deepEqual([status, body.codigo], [422, 'leiaute_invalido'], arquivo.slice(0, 80));
      assert.match(body.mensagem, says);
    }
    writeFileSync(join(pasta, 'grande.json'), ' '.repeat(70_000));
    const { status, saida } = await cli(
      'leiautes',
      'instalar',
      join(pasta, 'grande.json'),
      '--crm',
      '000601',
    );
    assert.deepEqual([status, saida.erro.codigo], [1, 'leiaute_invalido']);
    assert.equal(
      (await operador.ask('/leiautes/instalar', { method: 'POST', json: { arquivo: '{}' } })).status,
      403,
    );
  });
});
