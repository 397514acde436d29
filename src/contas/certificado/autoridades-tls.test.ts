import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { rootCertificates } from 'node:tls';
import { raizDeLaboratorio } from '../../gerador/autoridades.ts';
import { certificadoDe } from '../../gerador/certificado.ts';
import { generateEmpresa } from '../../gerador/empresas.ts';
import { AutoridadesInvalidas, autoridadesAlemDoNode, raizesDaIcpBrasil } from './autoridades-tls.ts';

const DO_PRODUTO = new URL('../../../certificados/icp-brasil-acs.pem', import.meta.url);
const fingerprint = (pem: string) => new X509Certificate(pem).fingerprint256;

describe('authorities that connections trust', () => {
  it('are the roots of ICP-Brasil that ITI publishes, by their fingerprints', () => {
    assert.deepEqual(raizesDaIcpBrasil().map(fingerprint), [
      'CA:A5:3F:C6:09:1C:69:51:88:7C:97:6E:37:8F:6E:F8:9A:A6:37:7C:55:D9:7B:64:75:42:2B:71:ED:7E:9B:17',
      '6E:0B:FF:06:9A:26:99:4C:15:DE:2C:48:88:CC:54:AF:84:88:2E:54:95:B7:FB:F6:6B:E9:CC:FF:EC:74:89:F6',
      '14:06:71:00:58:18:0F:A4:08:1A:AB:3F:24:6F:17:02:42:9C:55:2A:11:FA:31:43:B8:4C:88:CB:3A:B8:E5:E7',
      'D8:47:8E:37:CE:19:C6:90:CF:65:73:81:E6:8F:E6:00:E4:E1:A0:42:53:68:30:F0:68:47:E0:3E:55:4C:4B:01',
    ]);
    for (const pem of raizesDaIcpBrasil()) {
      const root = new X509Certificate(pem);
      assert.ok(root.ca && root.checkIssued(root), root.subject);
    }
  });

  it('are those that Node does not know, each once', () => {
    const all = autoridadesAlemDoNode({ adicionais: [Buffer.from(raizesDaIcpBrasil().join(''))] });
    assert.deepEqual(all, raizesDaIcpBrasil());
    assert.ok(!rootCertificates.some((pem) => all.includes(pem)));
  });

  it('take what an operator adds, and only authorities', () => {
    const { der } = raizDeLaboratorio();
    const mais = autoridadesAlemDoNode({ adicionais: [der] });
    assert.equal(mais.length, autoridadesAlemDoNode().length + 1);
    assert.equal(fingerprint(mais.at(-1) ?? ''), new X509Certificate(der).fingerprint256);
    const leaf = certificadoDe(generateEmpresa('tls'), 'certificados', new Date('2026-05-05')).der;
    assert.throws(() => autoridadesAlemDoNode({ adicionais: [leaf] }), /não é de autoridade/);
    assert.throws(() => autoridadesAlemDoNode({ adicionais: [Buffer.from('lixo')] }), AutoridadesInvalidas);
  });

  it('make no root of what somebody puts into the file, and miss none that somebody takes out', () => {
    const file = readFileSync(DO_PRODUTO);
    const lab = raizDeLaboratorio().der.toString('base64');
    const block = `\n-----BEGIN CERTIFICATE-----\n${lab}\n-----END CERTIFICATE-----\n`;
    const more = autoridadesAlemDoNode({ icpBrasil: Buffer.concat([file, Buffer.from(block)]) });
    assert.deepEqual(more, autoridadesAlemDoNode());
    assert.throws(() => raizesDaIcpBrasil(Buffer.from(block)), AutoridadesInvalidas);
  });
});
