/**
 * Reliability, short form (trust R01): the power cord is pulled 30 times during imports. Nothing acknowledged is
 * lost, nothing is doubled, numbers are dense, and pollers that ran all the time have missed nothing.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { verificarCofre } from '../../src/documentos/verificar.ts';
import { Aleatorio } from '../../src/gerador/aleatorio.ts';
import {
  createEscritorio,
  imported,
  type Malote,
  makeDataFolder,
  startMalote,
  upload,
  withDeps,
} from '../support/malote.ts';
import { Acompanhante, conferirFeed, type Endereco } from '../support/observador.ts';
import { type Arquivo, gerarRemessa } from '../support/remessa.ts';

const QUEDAS = 30;
/** Imports of one round take a few hundred milliseconds; the cord is pulled anywhere from before to after. */
const MAX_DELAY_MS = 700;

test(`kill -9 at any moment, ${QUEDAS} times: nothing acknowledged is lost, doubled or missed`, async () => {
  const dataFolder = makeDataFolder();
  const remessa = await gerarRemessa({ semente: 'queda', clientes: 4, documentos: 900, porArquivo: 22 });
  const { token, codigoCrm } = await createEscritorio(dataFolder, {
    crm: '000777',
    clientes: remessa.clientes,
  });
  const sorte = new Aleatorio('quedas');
  const endereco: Endereco = { url: 'http://127.0.0.1:9' };
  const acompanhantes = remessa.clientes.map(
    (cpfCnpj) => new Acompanhante(endereco, { codigoCrm, token, cpfCnpj }),
  );
  const pendentes: Arquivo[] = [...remessa.arquivos];
  const confirmados: string[] = [];
  let malote: Malote | null = null;

  /** Sends until the server dies; what was not acknowledged is sent again, as any client does. */
  const enviar = async (running: Malote, quantos: number) => {
    for (let sent = 0; sent < quantos; sent++) {
      const arquivo = pendentes.shift();
      if (!arquivo) return;
      try {
        confirmados.push(await upload(running, { token, ...arquivo }));
      } catch {
        pendentes.push(arquivo);
        return;
      }
    }
  };

  try {
    for (let queda = 0; queda < QUEDAS; queda++) {
      malote = await startMalote({ dataFolder, env: { MALOTE_LIMITE_MINUTO: '0' } });
      endereco.url = malote.url;
      const perRound = Math.ceil(remessa.arquivos.length / QUEDAS) + 1;
      const sending = enviar(malote, perRound);
      await delay(sorte.integer(0, MAX_DELAY_MS));
      await malote.kill();
      await sending;
    }
    malote = await startMalote({ dataFolder, env: { MALOTE_LIMITE_MINUTO: '0' } });
    endereco.url = malote.url;
    await enviar(malote, pendentes.length);
    assert.equal(pendentes.length, 0);

    for (const id of confirmados) {
      const record = await imported(malote, { token, id });
      assert.equal(record.status, 'Uploaded', `I1: ${record.log}`);
    }
    await delay(200);
    for (const { feed, vistas } of acompanhantes) {
      const esperadas = remessa.esperadas.get(feed.cpfCnpj) ?? new Map();
      await conferirFeed(endereco, { feed, vistas, esperadas });
    }
    await withDeps(dataFolder, async ({ db }) => {
      for await (const achado of verificarCofre(db.read)) assert.fail(`I8: ${JSON.stringify(achado)}`);
    });
  } finally {
    for (const acompanhante of acompanhantes) await acompanhante.stop();
    await malote?.stop('SIGKILL');
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
