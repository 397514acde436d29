/** Rotation of the master key while the server runs, killed midway again and again. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { inviteAdministrador } from '../../src/console/sessao/convites.ts';
import { keepA1, openPfx } from '../../src/contas/certificado/a1-de-teste.ts';
import { checkSelos } from '../../src/contas/certificado/guardar.ts';
import { empresaComCertificado, generatePfx } from '../../src/contas/certificado/pfx-de-teste.ts';
import { Aleatorio } from '../../src/gerador/aleatorio.ts';
import { generateCnpj } from '../../src/gerador/empresas.ts';
import { openVault } from '../../src/platform/crypto/cofre.ts';
import type { FAILPOINTS_DA_CHAVE_MESTRA } from '../../src/platform/failpoint.ts';
import { fetchAccessToken, openContas } from '../support/acesso-contas.ts';
import { Navegador } from '../support/console.ts';
import {
  createCliente,
  createEscritorio,
  fetchJson,
  type Malote,
  makeDataFolder,
  startMalote,
  withDeps,
} from '../support/malote.ts';
import { ambienteDoBanco, releaseBanco } from '../support/motor.ts';
import { ambiente, BIN, runJson } from '../support/programa.ts';

/** More than two steps of the rotation. */
const CERTIFICADOS = 230;
/** On each engine: once at each point. */
const QUEDAS = 6;
type Ponto = (typeof FAILPOINTS_DA_CHAVE_MESTRA)[number];
/** Where a run is killed: after how many passes of which point. */
const PONTOS: readonly `${Ponto}:${number}`[] = [
  'chave_mestra_no_arquivo:1',
  'reselagem_antes_do_commit:1',
  'reselagem_depois_do_commit:1',
  'reselagem_antes_do_commit:2',
  'reselagem_depois_do_commit:2',
  'chave_mestra_antes_de_sair:1',
];

const dataFolder = makeDataFolder();
const keyFile = join(dataFolder, 'chave-mestra');
const keysInFile = () => readFileSync(keyFile, 'utf8').trim().split('\n').length;
let malote: Malote;
let contadorId: number;

before(async () => {
  ({ contadorId } = await createEscritorio(dataFolder, { crm: '1' }));
  const certificado = openPfx(generatePfx(empresaComCertificado('rotacao').certificado, 'x'), 'x');
  await withDeps(dataFolder, async (deps) => {
    const vault = openVault(deps.config);
    for (let i = 0; i < CERTIFICADOS; i++) {
      const clienteId = await createCliente(deps, {
        contadorId,
        cpfCnpj: generateCnpj(new Aleatorio(`rotacao-${i}`)),
      });
      await keepA1(deps.db, vault, { contadorId, clienteId, certificado, agora: Date.now() });
    }
  });
  malote = await startMalote({ dataFolder, env: { MALOTE_LIMITE_MINUTO: '0' } });
});
after(async () => {
  await malote.stop();
  rmSync(dataFolder, { recursive: true, force: true });
  await releaseBanco(dataFolder);
});

/** Runs `malote chave-mestra …`; with a point, until it dies there. */
async function run(args: readonly string[], ponto?: string) {
  const child = spawn(process.execPath, [BIN, ...args, '--json'], {
    env: ambiente({
      ...(await ambienteDoBanco(dataFolder)),
      MALOTE_DATA: dataFolder,
      ...(ponto ? { MALOTE_PONTO_DE_FALHA: ponto } : {}),
    }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const text = (await child.stdout.toArray()).join('');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { code: child.exitCode, value: text === '' ? null : JSON.parse(text) };
}

/** Somebody with a second factor, as the console sets it up. @returns a log-in that needs the seed */
async function comSegundoFator(): Promise<() => Promise<void>> {
  const email = 'rita@exemplo.com.br';
  const senha = 'trem lento na serra 31';
  const { codigo } = await withDeps(dataFolder, (deps) =>
    inviteAdministrador(deps, { contadorId, nome: 'Rita', email, autor: 'teste' }),
  );
  const navegador = new Navegador(malote.url);
  await navegador.ask('/convite/aceitar', { json: { codigo, senha } });
  const { segredo } = (await navegador.ask('/eu/totp', { json: { senha } })).body;
  const totp = new TOTP({ secret: Secret.fromBase32(segredo) });
  // Codes of steps that have not come yet are in the window too, so two log-ins need not wait for the clock.
  let step = -1;
  const next = () => totp.generate({ timestamp: Date.now() + 30_000 * step++ });
  const confirm = () => navegador.ask('/eu/totp/confirmar', { json: { codigo: next() } });
  const { status } = await confirm();
  // The step before may have gone out of the window on its way: the one that is now is good too.
  if (status !== 200) assert.equal((await confirm()).status, 200);
  step = 0;
  return async () => {
    const fresh = new Navegador(malote.url);
    const { desafio } = (await fresh.ask('/entrar', { json: { email, senha } })).body;
    const answer = await fresh.ask('/entrar/totp', { json: { desafio, codigo: next() } });
    assert.equal(answer.body.etapa, 'pronto', JSON.stringify(answer.body));
  };
}

const conferir = () =>
  withDeps(dataFolder, (deps) => checkSelos({ ...deps, vault: openVault(deps.config) }, { autor: 'cli' }));

let registered = 0;
/** The server seals a certificate of its own meanwhile. */
async function register(token: string): Promise<void> {
  const { empresa, certificado } = empresaComCertificado(`servindo-${registered++}`);
  const answer = await fetchJson(`${malote.url}/api/contas/platform/contador/1/cliente`, {
    token,
    json: {
      cpfCnpj: empresa.id,
      nomeEmpresa: 'Servindo',
      email: 'a@b.co',
      arquivoCertificado: generatePfx(certificado, 'senha').toString('base64'),
      senhaCertificado: Buffer.from('senha').toString('base64'),
      ufCertificado: 'SP',
    },
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

describe('malote chave-mestra girar', () => {
  it(`killed midway ${QUEDAS} times leaves every certificate readable, and the server goes on sealing`, async () => {
    const contas = await openContas(malote, { contadorIds: [contadorId] });
    const entrar = await comSegundoFator();
    let killed = 0;
    for (let at = 0; killed < QUEDAS; at++) {
      const ponto = PONTOS[at % PONTOS.length];
      assert.ok(at < QUEDAS * 3, 'the points are passed');
      const running = run(['chave-mestra', 'girar'], ponto);
      if (at % 3 === 0) await register(contas.token);
      const { code } = await running;
      if (code === null) killed++;
      const { naoAbrem } = await conferir();
      assert.deepEqual(naoAbrem, [], `after ${ponto}`);
    }
    await register(contas.token);
    const { code, value } = await run(['chave-mestra', 'girar']);
    assert.equal(code, 0);
    assert.deepEqual(value.naoAbrem, []);
    assert.equal(keysInFile(), 1);
    const { total, naoAbrem } = await conferir();
    assert.deepEqual([total, naoAbrem], [CERTIFICADOS + registered, []]);
    const { value: situacao } = await run(['chave-mestra', 'situacao']);
    const used = situacao.chaves.filter(({ certificados }: { certificados: number }) => certificados > 0);
    assert.deepEqual(used, [{ kid: value.kid, estado: 'atual', certificados: CERTIFICADOS + registered }]);
    // What the server itself keeps sealed was moved too: it gives tokens and signed addresses before and after a restart.
    await fetchAccessToken(malote, contas);
    await entrar();
    await malote.stop();
    malote = await startMalote({ dataFolder, env: { MALOTE_LIMITE_MINUTO: '0' } });
    await register(await fetchAccessToken(malote, contas));
    await entrar();
    const { code: verified, value: auditoria } = await run(['auditoria', 'verificar']);
    assert.equal(verified, 0, JSON.stringify(auditoria));
  });

  it('twice at the same time makes keys that both runs agree on', async () => {
    const runs = await Promise.all([run(['chave-mestra', 'girar']), run(['chave-mestra', 'girar'])]);
    assert.deepEqual(
      runs.map(({ code }) => code),
      [0, 0],
    );
    assert.equal(keysInFile(), 1);
    assert.deepEqual((await conferir()).naoAbrem, []);
  });

  it('keeps the old key while something does not open, and names it', async () => {
    const id = await withDeps(dataFolder, async ({ db }) => {
      const row = await db.read
        .selectFrom('certificado')
        .select(['id', 'chave_selada'])
        .where('substituido_em', 'is', null)
        .executeTakeFirstOrThrow();
      const altered = Buffer.from(row.chave_selada ?? []);
      altered[40] = (altered[40] ?? 0) ^ 1;
      await db.write
        .updateTable('certificado')
        .set({ chave_selada: altered })
        .where('id', '=', row.id)
        .execute();
      return row.id;
    });
    const { code, value } = await run(['chave-mestra', 'girar']);
    assert.deepEqual([code, value.naoAbrem], [1, [`certificado/${id}`]]);
    assert.equal(keysInFile(), 2);
    const { code: checked, value: found } = await run(['certificado', 'conferir']);
    assert.deepEqual([checked, found.naoAbrem], [1, [id]]);
  });

  it('with the key in a setting needs the new one beside it', async () => {
    const [a, b] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const folder = makeDataFolder();
    const girar = async (MALOTE_CHAVE_MESTRA: string) =>
      (await runJson({ MALOTE_DATA: folder, MALOTE_CHAVE_MESTRA }, 'chave-mestra', 'girar')).value;
    try {
      await runJson(
        { MALOTE_DATA: folder, DATABASE_URL: '' },
        ...['conta', 'criar', '--crm', '1', '--nome', 'Um', '--email', 'a@b.co'],
      );
      assert.equal((await girar(a ?? '')).erro.codigo, 'chave_mestra_na_configuracao');
      assert.equal((await girar(`${b},${a}`)).aposentadas.length, 1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

it('malote certificado listar shows what ends when', async () => {
  const { code, value } = await run(['certificado', 'listar', '--crm', '1']);
  assert.equal(code, 0);
  assert.equal(value.certificados.length, CERTIFICADOS + registered);
  const dias = value.certificados.map(({ diasRestantes }: { diasRestantes: number }) => diasRestantes);
  assert.deepEqual(
    dias,
    dias.toSorted((a: number, b: number) => a - b),
  );
  const { value: few } = await run(['certificado', 'listar', '--crm', '1', '--dias', '-1']);
  assert.deepEqual(few.certificados, []);
});
