import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type BancoAberto, openBanco } from '../../../test/support/bancos.ts';
import { openVault } from '../../platform/crypto/cofre.ts';
import { prepareTotp, type TotpDeps, tryCodigo } from './totp.ts';

const T0 = Date.UTC(2026, 10, 21);
const DIA_MS = 24 * 3_600_000;
/** More than the free ones. */
const WRONG = 8;

describe('tries of a one-time code', () => {
  let banco: BancoAberto;
  let agora = T0;
  let deps: TotpDeps;
  let usuarioId: number;
  beforeEach(async () => {
    agora = T0;
    banco = await openBanco();
    deps = {
      db: banco.db,
      clock: { now: () => agora },
      vault: openVault({ chaveMestra: randomBytes(32).toString('base64'), dataFolder: '' }),
    };
    const { id: contadorId } = await banco.db.write
      .insertInto('contador')
      .values({ codigo_crm: '000001', nome: 'n', email: 'e', criado_em: T0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    ({ id: usuarioId } = await banco.db.write
      .insertInto('usuario')
      .values({
        contador_id: contadorId,
        nome: 'n',
        email: 'e',
        email_chave: 'e',
        papel: 'administrador',
        criado_em: T0,
      })
      .returning('id')
      .executeTakeFirstOrThrow());
    await prepareTotp(deps, { contadorId, usuarioId, email: 'e' });
  });
  afterEach(() => banco.close());

  const tryWrong = () =>
    banco.db.write.transaction().execute((trx) => tryCodigo(trx, deps, { usuarioId, codigo: '000000' }));

  it('are held up after some, and not for days when the clock was wrong then', async () => {
    agora += 3 * DIA_MS;
    for (let times = 0; times < WRONG; times++) await tryWrong();
    assert.notEqual(await tryWrong(), 'errado', 'held up');
    agora -= 3 * DIA_MS;
    assert.equal(await tryWrong(), 'errado', 'judged again');
    assert.notEqual(await tryWrong(), 'errado', 'held up by the right clock');
  });
});
