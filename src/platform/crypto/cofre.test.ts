import assert from 'node:assert/strict';
import { createCipheriv } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { addMasterKey, forgetOldMasterKeys } from './chaves-mestras.ts';
import { openEnvelope, openVault, rewrapKey, sealEnvelope, UnsealError } from './cofre.ts';

const folder = mkdtempSync(join(tmpdir(), 'malote-cofre-'));
after(() => rmSync(folder, { recursive: true }));

const plain = Buffer.from('um segredo');

test('what was sealed opens again, also by a vault opened later on the same folder', () => {
  const sealed = openVault({ chaveMestra: '', dataFolder: folder }).seal(plain, 'linha 1');
  const later = openVault({ chaveMestra: '', dataFolder: folder });
  assert.deepEqual(later.open(sealed, 'linha 1'), plain);
  assert.ok(!Buffer.from(sealed).includes(plain));
});

test('the master key file is readable by its owner only and no draft of it stays', () => {
  openVault({ chaveMestra: '', dataFolder: folder });
  assert.equal(statSync(join(folder, 'chave-mestra')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['chave-mestra']);
});

test('sealed bytes open for their own context, key and content only', () => {
  const key = Buffer.alloc(32, 1).toString('base64');
  const vault = openVault({ chaveMestra: key, dataFolder: folder });
  const sealed = vault.seal(plain, 'linha 1');
  const other = openVault({ chaveMestra: Buffer.alloc(32, 2).toString('base64'), dataFolder: folder });
  assert.throws(() => vault.open(sealed, 'linha 2'));
  assert.throws(() => other.open(sealed, 'linha 1'));
  for (let at = 0; at < sealed.length; at++) {
    const altered = Buffer.from(sealed);
    altered[at] = (altered[at] ?? 0) ^ 1;
    assert.throws(() => vault.open(altered, 'linha 1'), `byte ${at}`);
  }
  assert.throws(() => vault.open(sealed.subarray(0, 20), 'linha 1'));
});

test('the same text is never sealed the same way twice', () => {
  const vault = openVault({ chaveMestra: '', dataFolder: folder });
  assert.notDeepEqual(vault.seal(plain, 'a'), vault.seal(plain, 'a'));
});

test('a new master key seals from now on, in vaults that are open already too, and the old one still opens', () => {
  const dataFolder = mkdtempSync(join(folder, 'troca-'));
  const serving = openVault({ chaveMestra: '', dataFolder });
  const before = serving.seal(plain, 'a');
  const old = serving.currentKid();
  const rotating = openVault({ chaveMestra: '', dataFolder });
  const kid = addMasterKey(rotating.keys);
  assert.notEqual(kid, old);
  const after = serving.seal(plain, 'a');
  assert.deepEqual([serving.kidOf(before), serving.kidOf(after)], [old, kid]);
  assert.deepEqual(serving.open(before, 'a'), plain);
  forgetOldMasterKeys(rotating.keys);
  assert.deepEqual(serving.open(after, 'a'), plain);
  assert.throws(() => serving.open(before, 'a'), UnsealError);
  assert.deepEqual(readdirSync(dataFolder), ['chave-mestra']);
  assert.equal(statSync(join(dataFolder, 'chave-mestra')).mode & 0o777, 0o600);
});

test('while the key file is away nothing is sealed, and what is sealed still opens', () => {
  const dataFolder = mkdtempSync(join(folder, 'sumida-'));
  const vault = openVault({ chaveMestra: '', dataFolder });
  const sealed = vault.seal(plain, 'a');
  rmSync(join(dataFolder, 'chave-mestra'));
  assert.throws(() => vault.seal(plain, 'a'));
  assert.deepEqual(vault.open(sealed, 'a'), plain);
});

test('several keys of a setting: the first seals, all open', () => {
  const [a, b] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  const sealed = openVault({ chaveMestra: a ?? '', dataFolder: folder }).seal(plain, 'x');
  const both = openVault({ chaveMestra: `${b},${a}`, dataFolder: folder });
  assert.deepEqual(both.open(sealed, 'x'), plain);
  assert.throws(() =>
    openVault({ chaveMestra: a ?? '', dataFolder: folder }).open(both.seal(plain, 'x'), 'x'),
  );
});

test('what an earlier version sealed, without the name of its key, opens with whichever key fits', () => {
  const key = Buffer.alloc(32, 3);
  const iv = Buffer.alloc(12, 4);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from('linha'));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  const sealed = Buffer.concat([Buffer.of(1), iv, cipher.getAuthTag(), body]);
  const other = Buffer.alloc(32, 5).toString('base64');
  const vault = openVault({ chaveMestra: `${other},${key.toString('base64')}`, dataFolder: folder });
  assert.deepEqual(vault.open(sealed, 'linha'), plain);
  assert.equal(vault.kidOf(sealed), null);
  assert.throws(() => vault.open(sealed, 'outra'), UnsealError);
});

test('an envelope opens in its own context only, neither part of it fits another one, and its key moves alone', () => {
  const vault = openVault({ chaveMestra: '', dataFolder: mkdtempSync(join(folder, 'envelope-')) });
  const [one, two] = [sealEnvelope(vault, plain, 'um'), sealEnvelope(vault, plain, 'dois')];
  assert.deepEqual(openEnvelope(vault, one, 'um'), plain);
  assert.throws(() => openEnvelope(vault, one, 'dois'), UnsealError);
  assert.throws(() => openEnvelope(vault, { ...one, selado: two.selado }, 'um'), UnsealError);
  assert.throws(() => openEnvelope(vault, { ...one, chaveSelada: two.chaveSelada }, 'um'), UnsealError);
  addMasterKey(vault.keys);
  const chaveSelada = rewrapKey(vault, one.chaveSelada, 'um');
  forgetOldMasterKeys(vault.keys);
  assert.deepEqual(openEnvelope(vault, { ...one, chaveSelada }, 'um'), plain);
  assert.throws(() => openEnvelope(vault, one, 'um'), UnsealError);
});
