/** A client's A1, kept as the product keeps it, for tests. */
import type { Deps } from '../../deps.ts';
import type { MasterVault } from '../../platform/crypto/cofre.ts';
import { type GuardarInput, keepCertificado } from './guardar.ts';
import { type CertificadoAberto, readPfx } from './ler-pfx.ts';

/** What a PFX holds that a test has made. */
export function openPfx(pfx: Uint8Array, senha: string): CertificadoAberto {
  const lido = readPfx(pfx, senha);
  if ('falha' in lido) throw new Error(lido.falha);
  return lido.certificado;
}

/** @param input.uf SP unless it is another */
export function keepA1(
  db: Pick<Deps['db'], 'write'>,
  vault: MasterVault,
  input: Omit<GuardarInput, 'uf' | 'autor'> & { uf?: string },
): Promise<void> {
  return db.write
    .transaction()
    .execute((trx) => keepCertificado(trx, vault, { uf: 'SP', ...input, autor: 'cli' }));
}
