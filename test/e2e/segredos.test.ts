/** What is secret is found nowhere at rest, neither in the data folder nor in what the server says, capture included. */
import assert from 'node:assert/strict';
import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { empresaComCertificado, generatePfx } from '../../src/contas/certificado/pfx-de-teste.ts';
import { openVault } from '../../src/platform/crypto/cofre.ts';
import { raizEmPem } from '../../src/simulador/certificados.ts';
import { RelogioVirtual } from '../../src/simulador/relogio.ts';
import { serveSimulador } from '../../src/simulador/servidor.ts';
import { Simulador } from '../../src/simulador/simulador.ts';
import { type AcessoContas, openContas } from '../support/acesso-contas.ts';
import { answerOnce } from '../support/espera.ts';
import {
  createEscritorio,
  fetchJson,
  type Malote,
  makeDataFolder,
  startMalote,
  withDeps,
} from '../support/malote.ts';
import { ambienteDoBanco, bytesDoBanco, MOTOR, releaseBanco } from '../support/motor.ts';
import { runJson } from '../support/programa.ts';

/** Bytes of a window that is searched for: long enough that chance finds none. */
const WINDOW = 24;
/** Where the windows of a long secret begin. */
const WINDOWS = 12;

const dataFolder = makeDataFolder();
/** Secrets by what they are. */
const secrets = new Map<string, Buffer>();
/** Everything that is at rest, or was said, by its name. */
const places = new Map<string, Buffer>();
let malote: Malote;
let cpfCnpj = '';

before(async () => {
  const relogio = RelogioVirtual.going();
  const simulador = new Simulador({ relogio });
  await using noAr = await serveSimulador({ simulador, relogio });
  const autoridades = join(dataFolder, 'raiz.pem');
  writeFileSync(autoridades, raizEmPem());
  malote = await startMalote({
    dataFolder,
    env: {
      MALOTE_LOG: 'debug',
      MALOTE_CAPTURA_ENDERECOS: JSON.stringify(noAr.enderecos),
      MALOTE_CAPTURA_AUTORIDADES: autoridades,
    },
  });
  const { contadorId, token } = await createEscritorio(dataFolder, { crm: '1' });
  const contas = await openContas(malote, { contadorIds: [contadorId] });
  keep('integration token', token);
  keep('client secret', contas.clientSecret);
  keep('access token', contas.token);
  keep('signature of the access token', contas.token.split('.')[2] ?? '');
  for (const forma of ['aes', '3des', 'rc2'] as const) await registerWith(contas, forma);
  await refusedWith(contas);
  await captured(simulador, token);
  await fetchJson(`${malote.url}/storage`, { token, json: { size: 10, extension: '.xml' } });
  for (const path of ['/metrics', '/openapi.json'])
    places.set(path, Buffer.from(await (await fetch(malote.url + path)).arrayBuffer()));
  await keepKeysOfTheServer();
  await malote.stop();
  for (const [name, bytes] of await bytesDoBanco(dataFolder)) places.set(name, bytes);
  places.set('log', Buffer.from(malote.log.join('\n')));
  for (const entry of readdirSync(dataFolder, { recursive: true, withFileTypes: true })) {
    // The one file that is the secret: who backs it up keeps it apart.
    if (!entry.isFile() || entry.name === 'chave-mestra') continue;
    places.set(entry.name, readFileSync(join(entry.parentPath, entry.name)));
  }
});
after(async () => {
  rmSync(dataFolder, { recursive: true, force: true });
  await releaseBanco(dataFolder);
});

function keep(name: string, value: string | Uint8Array): void {
  const bytes = Buffer.from(value);
  assert.ok(bytes.length >= 12, name);
  secrets.set(name, bytes);
}

async function registerWith(contas: AcessoContas, forma: 'aes' | '3des' | 'rc2'): Promise<void> {
  const { empresa, certificado } = empresaComCertificado(`segredos-${forma}`);
  const senha = `Segredo-${forma}-${randomBytes(8).toString('hex')}`;
  const pfx = generatePfx(certificado, senha, { forma });
  const { status, body } = await send(contas, { cpfCnpj: empresa.id, pfx, senha });
  assert.equal(status, 200, JSON.stringify(body));
  cpfCnpj = empresa.id;
  keep(`password ${forma}`, senha);
  keep(`pfx ${forma}`, pfx);
  // Its end is its own; what comes before is in part that of all of its issuer's.
  keep(`certificate ${forma}`, Buffer.from(certificado.der).subarray(-200));
  keep(`private key ${forma}`, certificado.chavePrivada.export({ format: 'der', type: 'pkcs8' }));
  keepPrivateParts(forma, certificado.chavePrivada);
}

/** Calls that show the certificate: one that is answered, and those that end otherwise. With what is told of them. */
async function captured(simulador: Simulador, token: string): Promise<void> {
  simulador.falhas.add({ tipo: 'reset_depois', servico: 'cte' });
  simulador.falhas.add({ tipo: 'http_403', servico: 'adn' });
  const path = `${malote.url}/api/v1/1/${cpfCnpj}/captura`;
  const servicos = ['nfe', 'cte', 'nfse'];
  for (const servico of servicos)
    await fetchJson(`${path}/${servico}`, { token, method: 'PUT', json: { ligada: true } });
  const { body } = await answerOnce('each was answered', {
    ask: () => fetchJson(path, { token }),
    is: ({ body: { servicos: all } }) =>
      all.filter((one: { ultima_resposta: string | null }) => one.ultima_resposta !== null).length ===
      servicos.length,
  });
  places.set('state of capture', Buffer.from(JSON.stringify(body)));
  assert.match(JSON.stringify(body), /"interrompida".*"http_403"/);
  const env = { MALOTE_DATA: dataFolder, ...(await ambienteDoBanco(dataFolder)) };
  for (const command of [
    ['auditoria', 'listar'],
    ['captura', 'estado', '--crm', '1'],
  ])
    places.set(command.join(' '), Buffer.from(JSON.stringify((await runJson(env, ...command)).value)));
}

/** Of an RSA key everything but modulus and exponent. */
function keepPrivateParts(whose: string, key: KeyObject): void {
  for (const [name, part] of Object.entries(key.export({ format: 'jwk' })))
    if (['d', 'p', 'q', 'dp', 'dq', 'qi'].includes(name))
      keep(`${name} of ${whose}`, Buffer.from(String(part), 'base64url'));
}

/** What is refused is not kept either. */
async function refusedWith(contas: AcessoContas): Promise<void> {
  const { empresa } = empresaComCertificado('segredos-recusa');
  const other = empresaComCertificado('segredos-alheio').certificado;
  const senha = `Segredo-recusado-${randomBytes(8).toString('hex')}`;
  const pfx = generatePfx(other, senha);
  for (const tried of [senha, `${senha}-errada`]) {
    const { status, body } = await send(contas, { cpfCnpj: empresa.id, pfx, senha: tried });
    assert.equal(status, 422);
    places.set(
      `answer to ${tried === senha ? 'a foreign certificate' : 'a wrong password'}`,
      Buffer.from(JSON.stringify(body)),
    );
  }
  keep('refused password', senha);
  keep('refused pfx', pfx);
}

function send({ token }: AcessoContas, input: { cpfCnpj: string; pfx: Buffer; senha: string }) {
  return fetchJson(`${malote.url}/api/contas/platform/contador/1/cliente`, {
    token,
    json: {
      cpfCnpj: input.cpfCnpj,
      nomeEmpresa: 'Cliente',
      email: 'a@b.co',
      arquivoCertificado: input.pfx.toString('base64'),
      senhaCertificado: Buffer.from(input.senha).toString('base64'),
      ufCertificado: 'SP',
    },
  });
}

/** The master key, and what the server keeps sealed with it for itself. */
async function keepKeysOfTheServer(): Promise<void> {
  const text = readFileSync(join(dataFolder, 'chave-mestra'), 'utf8').trim();
  keep('master key', Buffer.from(text, 'base64'));
  await withDeps(dataFolder, async ({ config, db }) => {
    const vault = openVault(config);
    const enderecos = await db.read.selectFrom('chave_de_endereco').select(['kid', 'selada']).execute();
    for (const { kid, selada } of enderecos)
      keep(`address key ${kid}`, vault.open(selada, `chave_de_endereco/${kid}`));
    const emissor = await db.read.selectFrom('chave_do_emissor').select(['kid', 'selada']).execute();
    for (const { kid, selada } of emissor) {
      const key = vault.open(selada, `chave_do_emissor/${kid}`);
      keepPrivateParts(`the issuer's ${kid}`, createPrivateKey({ key, format: 'der', type: 'pkcs8' }));
    }
    assert.ok(enderecos.length > 0 && emissor.length > 0);
  });
}

/** The forms in which bytes could lie about: as they are, as Base64 of either alphabet at any offset, as hex. */
function formsOf(bytes: Buffer): Buffer[] {
  const forms = [bytes, Buffer.from(bytes.toString('hex')), Buffer.from(bytes.toString('hex').toUpperCase())];
  for (const skipped of [0, 1, 2]) {
    const part = bytes.subarray(skipped, skipped + Math.floor((bytes.length - skipped) / 3) * 3);
    forms.push(Buffer.from(part.toString('base64')), Buffer.from(part.toString('base64url')));
  }
  return forms.filter((form) => form.length >= 12);
}

function windowsOf(form: Buffer): Buffer[] {
  if (form.length <= WINDOW) return [form];
  const step = Math.max(1, Math.floor((form.length - WINDOW) / WINDOWS));
  const starts = Array.from({ length: WINDOWS + 1 }, (_, index) =>
    Math.min(index * step, form.length - WINDOW),
  );
  return starts.map((start) => form.subarray(start, start + WINDOW));
}

/** Parts of a secret that are no secret: a certificate and the frame of DER are public. */
function isPublic(window: Buffer): boolean {
  return new Set(window).size < 8;
}

/** Thousands of windows, looked for in one walk over the bytes: each is known by its first four. */
class Sought {
  readonly #byStart = new Map<number, { name: string; window: Buffer }[]>();
  /** Whether any begins with these two bytes: most places are passed by with one look. */
  readonly #begins = new Uint8Array(1 << 16);

  add(name: string, window: Buffer): void {
    const start = window.readUInt32LE(0);
    this.#begins[start & 0xffff] = 1;
    this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), { name, window }]);
  }

  namesIn(bytes: Buffer): string[] {
    const names = new Set<string>();
    for (let at = 0; at + 4 <= bytes.length; at++) {
      if (this.#begins[(bytes[at] as number) | ((bytes[at + 1] as number) << 8)] === 0) continue;
      for (const { name, window } of this.#byStart.get(bytes.readUInt32LE(at)) ?? []) {
        if (bytes.subarray(at, at + window.length).equals(window)) names.add(name);
      }
    }
    return [...names];
  }
}

it('the search finds what is there: the client itself stands in the database', () => {
  const found = [...places].filter(([, bytes]) => bytes.includes(cpfCnpj)).map(([name]) => name);
  assert.ok(
    found.some((name) => name.startsWith(`malote.${MOTOR}`)),
    String(found),
  );
  assert.ok(places.get('log')?.includes('requisição'));
});

it('no private key, PFX, certificate, password, token or secret is found in database, files, logs or answers', () => {
  assert.ok(secrets.size > 30);
  const sought = new Sought();
  for (const [name, secret] of secrets) {
    for (const window of formsOf(secret).flatMap(windowsOf)) if (!isPublic(window)) sought.add(name, window);
  }
  const found = [...places].flatMap(([place, bytes]) =>
    sought.namesIn(bytes).map((name) => `${name} in ${place}`),
  );
  assert.deepEqual(found, []);
  const [secret] = secrets.values();
  assert.ok(secret);
  assert.equal(
    sought.namesIn(Buffer.concat([randomBytes(1_001), secret])).length,
    1,
    'it finds what is there',
  );
});

it('no PEM stands in what is said', () => {
  for (const place of ['log', '/metrics', 'state of capture', 'auditoria listar', 'captura estado --crm 1']) {
    const bytes = places.get(place);
    assert.ok(bytes && bytes.length > 0, place);
    assert.ok(!bytes.includes('-----BEGIN'), place);
  }
});

it('files that hold documents and hashes are their owner’s alone, in whatever folder they lie', () => {
  const files = readdirSync(dataFolder, { withFileTypes: true, recursive: true }).filter((one) =>
    one.isFile(),
  );
  const open = files
    .filter(({ name }) => /^malote\.sqlite|^chave-mestra$/.test(name))
    .filter(({ parentPath, name }) => (statSync(join(parentPath, name)).mode & 0o077) !== 0);
  assert.deepEqual(
    open.map(({ name }) => name),
    [],
  );
});
