import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openVault } from './cofre.ts';

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
