/** Who has read up to N never misses anything at or below N, however many send and read at once. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { until } from '../support/espera.ts';
import { createEscritorio, imported, makeDataFolder, startMalote, upload } from '../support/malote.ts';
import { Acompanhante, checkFeed } from '../support/observador.ts';
import { generateRemessa } from '../support/remessa.ts';

const ENVIADORES = 8;
const ACOMPANHANTES_POR_CLIENTE = 2;

test('two pollers and eight uploaders at once: no NSU is missed and none comes twice', async () => {
  const dataFolder = makeDataFolder();
  const remessa = await generateRemessa({
    semente: 'concorrencia',
    clientes: 2,
    documentos: 480,
    porArquivo: 12,
  });
  const { token, codigoCrm } = await createEscritorio(dataFolder, {
    crm: '000778',
    clientes: remessa.clientes,
  });
  const malote = await startMalote({ dataFolder, env: { MALOTE_LIMITE_MINUTO: '0', MALOTE_LEITORES: '2' } });
  const acompanhantes = remessa.clientes.flatMap((cpfCnpj) =>
    Array.from(
      { length: ACOMPANHANTES_POR_CLIENTE },
      () => new Acompanhante(malote, { codigoCrm, token, cpfCnpj }),
    ),
  );
  try {
    const pendentes = [...remessa.arquivos];
    const enviar = async () => {
      for (let arquivo = pendentes.shift(); arquivo; arquivo = pendentes.shift()) {
        const record = await imported(malote, { token, id: await upload(malote, { token, ...arquivo }) });
        assert.equal(record.status, 'Uploaded', record.log);
      }
    };
    await Promise.all(Array.from({ length: ENVIADORES }, enviar));
    for (const { feed, vistas } of acompanhantes) {
      const esperadas = remessa.esperadas.get(feed.cpfCnpj) ?? new Map();
      await until('the poller has seen all', () => vistas.length >= esperadas.size);
      await checkFeed(malote, { feed, vistas, esperadas });
    }
  } finally {
    for (const acompanhante of acompanhantes) await acompanhante.stop();
    await malote.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
