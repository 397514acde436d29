/** PFX files of test certificates, as today's programs export them. */
import { Buffer } from 'node:buffer';
import forge from 'node-forge';
import type { Certificado } from './certificado.ts';

/** @param autoridades DER of the authorities that come along */
export function generatePfx(
  { chavePrivada, der }: Certificado,
  senha: string,
  autoridades: readonly Buffer[] = [],
): Buffer {
  const key = forge.pki.privateKeyFromPem(chavePrivada.export({ format: 'pem', type: 'pkcs1' }).toString());
  const chain = [der, ...autoridades].map((bytes) =>
    forge.pki.certificateFromAsn1(forge.asn1.fromDer(bytes.toString('binary'))),
  );
  const pfx = forge.pkcs12.toPkcs12Asn1(key, chain, senha, { algorithm: '3des', generateLocalKeyId: true });
  return Buffer.from(forge.asn1.toDer(pfx).getBytes(), 'binary');
}
