import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { AGORA, type Cofre, DESTINATARIO, nota, openCofre } from '../../documentos/cofre-testing.ts';
import { signAddress, verifyAddress } from '../../platform/crypto/assinar-endereco.ts';
import { AppError } from '../../platform/errors.ts';
import { checkAddress, ENTREGA_SECONDS, signedAddress, VALID_SECONDS } from '../enderecos.ts';
import { Preparador } from './preparador.ts';
import { paginaPronta } from './responder.ts';

const CHAVE = { kid: 'MLTA', secret: new Uint8Array(32) };
const folder = mkdtempSync(join(tmpdir(), 'malote-preparador-'));
let cofre: Cofre;
let preparador: Preparador;
let clienteId: number;
let agora = AGORA;
const clock = { now: () => agora };
const enderecos = {
  current: () => CHAVE,
  sign: (address: Parameters<typeof signAddress>[1]) => ({
    kid: CHAVE.kid,
    signature: signAddress(CHAVE.secret, address),
  }),
  verify: ({ signature, ...address }: Parameters<typeof signAddress>[1] & { signature: string }) =>
    verifyAddress(CHAVE.secret, address, signature),
};
const ctx = { enderecos, deps: { clock } } as never;

before(async () => {
  const sqlitePath = join(folder, 'malote.sqlite');
  cofre = await openCofre(sqlitePath);
  clienteId = await cofre.registrar(DESTINATARIO);
  await cofre.gravar(nota({ numero: 1 }), nota({ numero: 2 }));
  const config = { databaseUrl: '', sqlitePath, conexoes: 1 };
  preparador = new Preparador({ config, clock, enderecos, log: { error: () => {} } } as never);
});
after(async () => {
  await preparador.close();
  await cofre.db.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A page as a caller gets it now, its addresses, and for how long it may be given to others. */
async function pagina() {
  const feed = { ultimoNsu: 2, revisao: 0 };
  const variante = { origin: 'http://x', comFinalidade: true };
  const pronta = await paginaPronta(preparador, {
    intervalo: { contadorId: cofre.contadorId, clienteId, variante, feed, de: 1, ate: 2, comGrupos: false },
    paginacao: { total: 2, tamanho: 50, pagina: 1 },
    comXml: false,
    codificacao: 'identity',
  });
  assert.ok(pronta);
  const { documentos } = JSON.parse(pronta.body.toString());
  const urls: string[] = documentos.flatMap(({ url_download, url_finalidade }: Record<string, string>) => [
    url_download,
    url_finalidade,
  ]);
  return { urls, entregaSegundos: pronta.untilSeconds - agora / 1_000 };
}

/** What is said to who comes with an address now: `ok`, or the code of why not. */
function dito(url: string): string {
  const { pathname, search } = new URL(url);
  const [, kind = '', first = '', second = ''] = pathname.split('/');
  const alvo =
    kind === 'download'
      ? { kind: 'download' as const, versaoId: first }
      : { kind: 'finalidade' as const, clienteId: first, documentoId: second };
  try {
    checkAddress(ctx, { request: { raw: { url: pathname + search } } as never, alvo });
    return 'ok';
  } catch (error) {
    assert.ok(error instanceof AppError);
    return error.codigo;
  }
}

function depois(segundos: number, act: () => void): void {
  agora += segundos * 1_000;
  act();
  agora -= segundos * 1_000;
}

describe('addresses in pages that are prepared', () => {
  test('work for fifteen minutes from when they are handed out, whenever the page was made', async () => {
    for (const segundos of [0, 1, 20, 98, 180, 1, 60, 500]) {
      agora += segundos * 1_000;
      const { urls, entregaSegundos } = await pagina();
      assert.equal(urls.length, 4);
      // Somebody else may be given the same page, up to its last second.
      depois(Math.max(0, entregaSegundos) + VALID_SECONDS, () => {
        for (const url of urls) assert.equal(dito(url), 'ok', `${segundos} ${url}`);
      });
      depois(VALID_SECONDS + ENTREGA_SECONDS + 1, () => {
        for (const url of urls) assert.equal(dito(url), 'endereco_expirado');
      });
    }
  });

  test('are the same for a while: nothing is made anew for who asks again', async () => {
    const { urls } = await pagina();
    agora += 100_000;
    assert.deepEqual((await pagina()).urls, urls);
  });

  test('say when they were signed for, and nobody can change that', async () => {
    agora += 3_600_000;
    const { urls } = await pagina();
    for (const url of urls) {
      const expires = Number(new URL(url).searchParams.get('Expires'));
      assert.equal(expires, agora / 1_000 + VALID_SECONDS);
      for (const other of [expires - ENTREGA_SECONDS, expires - 1, expires + 1, expires + ENTREGA_SECONDS]) {
        assert.equal(dito(url.replace(String(expires), String(other))), 'endereco_invalido');
      }
    }
  });
});

describe('an address that is signed for who asks', () => {
  test('works to the second until when it says', () => {
    const url = signedAddress(ctx, { origin: 'http://x', alvo: { kind: 'download', versaoId: 7 } });
    depois(VALID_SECONDS, () => assert.equal(dito(url), 'ok'));
    depois(VALID_SECONDS + 1, () => assert.equal(dito(url), 'endereco_expirado'));
    assert.equal(dito(url.replace('/download/7', '/download/8')), 'endereco_invalido');
  });
});
