/** What the service is installed with, on both systems; systemd itself judges the unit where it is there. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { scanXml } from '../fiscal/xml/scan.ts';
import { type Pedido, planoDeInstalar, planoDeRemover } from './servico.ts';
import { linhasDoAmbiente } from './servico-ambiente.ts';
import { textoDaTarefa } from './servico-windows.ts';

const folder = mkdtempSync(join(tmpdir(), 'malote servico-'));
after(() => rmSync(folder, { recursive: true }));

const pedido = (more: Partial<Pedido> = {}): Pedido => ({
  nome: 'malote',
  usuario: false,
  conta: 'ana',
  home: '/casa/ana',
  raiz: folder,
  dataFolder: join(folder, 'dados 100%'),
  node: process.execPath,
  env: {},
  ...more,
});
const comandos = (plano: { rodar: string[][] }) => plano.rodar.map((one) => one.join(' '));

describe('the settings of a service', () => {
  it('are read by node as they were set, whatever stands in them', () => {
    const env = {
      PORT: '8090',
      HOST: '0.0.0.0',
      DATABASE_URL: "postgres://a:senha#1'x@h/b",
      MALOTE_ENTRAR_COM: '[{"id":"a","nome":"O\'Reilly"}]',
      AWS_REGION: 'sa-east-1',
      PATH: '/bin',
      MALOTE_DATA: 'outra',
    };
    const file = join(folder, 'um.env');
    writeFileSync(file, linhasDoAmbiente(env, 'C:\\Malote\\dados #1').join('\n'));
    const said = execFileSync(process.execPath, [`--env-file=${file}`, '-p', 'JSON.stringify(process.env)'], {
      env: {},
    });
    const { PATH: _path, ...own } = env;
    const read = JSON.parse(String(said));
    for (const [name, value] of Object.entries({ ...own, MALOTE_DATA: 'C:\\Malote\\dados #1' }))
      assert.equal(read[name], value, name);
    assert.equal(read.PATH, undefined, 'what is no setting stays out');
  });

  it('that no line can hold are refused by name', () => {
    assert.throws(() => linhasDoAmbiente({ MALOTE_ENTRAR_COM: `'"\`` }, '/d'), /MALOTE_ENTRAR_COM/);
    assert.throws(() => linhasDoAmbiente({ MALOTE_URL_BASE: 'a\nb' }, '/d'), /MALOTE_URL_BASE/);
  });

  it('lie in a file for its owner only, which is kept when it is there', () => {
    const [ambiente] = planoDeInstalar('linux', pedido()).gravar;
    assert.equal(ambiente?.secreto, true);
    assert.equal(ambiente?.soSeFaltar, true);
  });
});

describe('on Linux', () => {
  it('a unit of the machine runs as the one who installs it, and one of a user needs no root', () => {
    const plano = planoDeInstalar('linux', pedido());
    assert.equal(plano.gravar[1]?.caminho, '/etc/systemd/system/malote.service');
    assert.match(String(plano.gravar[1]?.conteudo), /^User=ana$/m);
    assert.deepEqual(comandos(plano).slice(1), [
      'systemctl daemon-reload',
      'systemctl enable --now malote.service',
    ]);
    const own = planoDeInstalar('linux', pedido({ usuario: true, nome: 'notas' }));
    assert.equal(own.gravar[1]?.caminho, '/casa/ana/.config/systemd/user/notas.service');
    assert.doesNotMatch(String(own.gravar[1]?.conteudo), /^User=/m);
    assert.deepEqual(comandos(own), [
      'systemctl --user daemon-reload',
      'systemctl --user enable --now notas.service',
      'loginctl enable-linger',
    ]);
  });

  it('removing undoes what installing did, and leaves the data', () => {
    const plano = planoDeRemover('linux', pedido());
    assert.deepEqual(comandos(plano), ['systemctl disable --now malote.service']);
    assert.deepEqual(plano.apagar, ['/etc/systemd/system/malote.service']);
  });

  const semSystemd =
    spawnSync('systemd-analyze', ['--version']).status !== 0 && 'systemd-analyze is not here';
  it('systemd takes the unit, with blanks and % in its paths', { skip: semSystemd }, () => {
    const file = join(folder, 'malote.service');
    writeFileSync(join(folder, 'malote.js'), '');
    writeFileSync(file, String(planoDeInstalar('linux', pedido()).gravar[1]?.conteudo));
    const { stderr, status } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
      encoding: 'utf8',
    });
    assert.deepEqual([status, stderr.split('\n').filter((line) => line.includes('malote'))], [0, []]);
  });
});

describe('on Windows', () => {
  const windows = pedido({
    raiz: 'C:\\Program Files\\Malote & Cia',
    dataFolder: 'C:\\ProgramData\\Malote',
    node: 'C:\\Program Files\\Malote & Cia\\node.exe',
  });

  it('a task begins with the machine, is looked after each minute and runs with few rights', () => {
    const text = textoDaTarefa({ ...windows, doUsuario: false });
    assert.equal(scanXml(Buffer.from(text.slice(text.indexOf('<Task')))).ok, true, 'it is well formed');
    for (const part of [
      '<BootTrigger>',
      '<Interval>PT1M</Interval>',
      '<UserId>S-1-5-19</UserId>',
      '<RunLevel>LeastPrivilege</RunLevel>',
      '<MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>',
      '<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>',
      'Malote &amp; Cia',
    ])
      assert.ok(text.includes(part), part);
    const [, args = ''] = /<Arguments>(.*)<\/Arguments>/.exec(text) ?? [];
    assert.equal(
      args.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&gt;', '>'),
      '/d /s /c ""C:\\Program Files\\Malote & Cia\\node.exe" "--env-file-if-exists=C:\\ProgramData\\Malote\\malote.env" ' +
        '"C:\\Program Files\\Malote & Cia\\bin\\malote.js" servir >> "C:\\ProgramData\\Malote\\malote.log" 2>&1"',
    );
  });

  it('is registered from a file in the encoding of schtasks, which is gone afterwards', () => {
    const plano = planoDeInstalar('windows', windows);
    const { conteudo, caminho } = plano.gravar[1] ?? { conteudo: '', caminho: '' };
    assert.deepEqual([...Buffer.from(conteudo).subarray(0, 4)], [0xff, 0xfe, 0x3c, 0x00]);
    assert.deepEqual(plano.apagar, [caminho]);
    assert.deepEqual(
      plano.rodar.map(([program, ...args]) => [program, args[0]]),
      [
        ['icacls', 'C:\\ProgramData\\Malote'],
        ['icacls', 'C:\\Program Files\\Malote & Cia'],
        ['schtasks', '/Create'],
        ['schtasks', '/Run'],
      ],
    );
  });

  it('of one user gives nobody rights, and is removed before it could begin again', () => {
    const own = planoDeInstalar('windows', { ...windows, usuario: true });
    assert.deepEqual(
      own.rodar.map(([program]) => program),
      ['schtasks', 'schtasks'],
    );
    assert.deepEqual(
      planoDeRemover('windows', windows).rodar.map((one) => one.slice(0, 2).join(' ')),
      ['schtasks /Change', 'schtasks /End', 'schtasks /Delete'],
    );
  });
});
