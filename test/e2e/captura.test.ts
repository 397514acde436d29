/**
 * Capture in a real process against the simulated services over TLS: from "on" to the feed, and death in the middle of a call.
 * An hour passes by moving the simulator's clock and the start that the process knows of its machine, while it is down.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openDepsDaCaptura } from '../../src/captura/abrir.ts';
import { porQueNadaVeio } from '../../src/captura/situacao/porque.ts';
import { situacoesDe } from '../../src/captura/situacao/situacoes.ts';
import { keepA1, openPfx } from '../../src/contas/certificado/a1-de-teste.ts';
import { findCliente } from '../../src/contas/clientes.ts';
import { openVault } from '../../src/platform/crypto/cofre.ts';
import { certificadoDoCliente, raizEmPem } from '../../src/simulador/certificados.ts';
import { makeExemplos } from '../../src/simulador/exemplos.ts';
import { RelogioVirtual } from '../../src/simulador/relogio.ts';
import { type SimuladorNoAr, serveSimulador } from '../../src/simulador/servidor.ts';
import { Simulador } from '../../src/simulador/simulador.ts';
import { answerOnce, until } from '../support/espera.ts';
import {
  createEscritorio,
  type Escritorio,
  fetchJson,
  type Malote,
  makeDataFolder,
  startMalote,
  withDeps,
} from '../support/malote.ts';
import { ambienteDoBanco } from '../support/motor.ts';
import { runJson } from '../support/programa.ts';

const HORA = 3_600_000;
const SENHA = 'senha';

const relogio = RelogioVirtual.going();
// No city is in the national environment.
const simulador = new Simulador({ relogio, conveniados: new Set() });
const exemplos = makeExemplos(simulador, 'captura-e2e', 1);
const [cliente] = exemplos.clientes;
assert.ok(cliente);

let dataFolder: string;
let noAr: SimuladorNoAr;
let malote: Malote;
let escritorio: Escritorio;

const ambiente = (mais: Record<string, string> = {}) => ({
  MALOTE_CAPTURA_ENDERECOS: JSON.stringify(noAr.enderecos),
  MALOTE_CAPTURA_AUTORIDADES: join(dataFolder, 'raiz.pem'),
  MALOTE_ESPERA_AO_PARAR: '0',
  ...mais,
});
const start = async (mais: Record<string, string> = {}) => {
  malote = await startMalote({ dataFolder, umProcesso: true, env: ambiente(mais) });
};

before(async () => {
  dataFolder = makeDataFolder();
  noAr = await serveSimulador({ simulador, relogio });
  escritorio = await createEscritorio(dataFolder, { crm: '55', clientes: [cliente.id] });
  writeFileSync(join(dataFolder, 'raiz.pem'), raizEmPem());
  await start();
  await keepItsA1();
});
after(async () => {
  await malote[Symbol.asyncDispose]();
  await noAr[Symbol.asyncDispose]();
});

function keepItsA1(): Promise<void> {
  return withDeps(dataFolder, async ({ config, db, clock }) => {
    const { contadorId } = escritorio;
    const found = await findCliente(db.read, { contadorId, cpfCnpj: cliente?.id ?? '' });
    const certificado = openPfx(certificadoDoCliente(cliente as never, new Date()).pfx(SENHA), SENHA);
    assert.ok(found);
    const input = { contadorId, clienteId: found.id, certificado, agora: clock.now() };
    await keepA1(db, openVault(config, { selados: true }), input);
  });
}

/** While no process is up. */
async function passHours(hours: number): Promise<void> {
  relogio.advance(hours * HORA);
  await withDeps(dataFolder, ({ db }) =>
    db.write
      .updateTable('captura_relogio')
      .set((eb) => ({ inicio: eb('inicio', '+', hours * HORA) }))
      .execute(),
  );
}

const path = (rest: string) => `${malote.url}/api/v1/${escritorio.codigoCrm}/${cliente.id}${rest}`;
const ask = (rest: string, options: { method?: string; json?: unknown } = {}) =>
  fetchJson(path(rest), { token: escritorio.token, ...options });

const estadoDe = async (servico: string) =>
  (await ask('/captura')).body.servicos.find((one: { servico: string }) => one.servico === servico);
const chamada = (servico: string, quantas = 1) =>
  until(
    `${servico} was called`,
    () => (simulador.relatorio.de('Malote (captura)').por_servico[servico] ?? 0) >= quantas,
  );
const convenios = () => simulador.relatorio.de('Malote (captura)').por_servico.convenio ?? 0;
const semViolacoes = () => {
  assert.deepEqual(simulador.relatorio.violacoes, []);
  assert.equal(simulador.relatorio.de('Malote (captura)').bloqueios, 0);
};

describe('capture', () => {
  it('asks nobody until it is on; then each service once, and says when it may again', async () => {
    const { servicos } = (await ask('/captura')).body;
    for (const { ligada, certificado } of servicos)
      assert.deepEqual([ligada, certificado.situacao], [false, 'ok']);
    const refused = await ask('/captura/nfe/capturar', { method: 'POST' });
    assert.deepEqual([refused.status, refused.body.codigo], [409, 'captura_desligada']);
    assert.equal(simulador.relatorio.de('Malote (captura)').chamadas, 0);
    for (const servico of ['nfe', 'cte', 'nfse', 'nfce'])
      assert.equal((await ask(`/captura/${servico}`, { method: 'PUT', json: { ligada: true } })).status, 200);
    for (const servico of ['nfe', 'cte', 'adn', 'sae_chaves']) await chamada(servico);
    await answerOnce('the answer is kept', {
      ask: () => estadoDe('nfe'),
      is: (one) => one.ultima_resposta === '137',
    });
    const { body } = await ask('/captura/nfe/capturar', { method: 'POST' });
    assert.equal(body.agora, false);
    assert.ok(Date.parse(body.estado.proxima_em) > Date.now() + HORA - 60_000);
    semViolacoes();
  });

  it('has asked whether the city of the client is in the national environment, and tells that it is not', async () => {
    await until('the city was asked for', () => convenios() > 0);
    const porques = await answerOnce('what was answered is kept', {
      ask: () =>
        withDeps(dataFolder, async (deps) => {
          const found = await findCliente(deps.db.read, {
            contadorId: escritorio.contadorId,
            cpfCnpj: cliente.id,
          });
          const input = { contadorId: escritorio.contadorId, clientes: found ? [found] : [] };
          const [dele] = await situacoesDe(await openDepsDaCaptura(deps), input);
          return (dele?.situacoes ?? []).flatMap((situacao) => porQueNadaVeio(situacao));
        }),
      is: (all) => all.some(({ causa }) => causa === 'fora_do_nacional'),
    });
    const { diz, fazer } = porques.find(({ causa }) => causa === 'fora_do_nacional') ?? {};
    assert.ok(diz?.startsWith(`${cliente.municipio}/${cliente.uf} não está no ambiente nacional`), diz);
    assert.match(fazer ?? '', /Importe as notas do sistema da prefeitura/);
    semViolacoes();
  });

  it('brings what was distributed into the feed, proven by where it came from', async () => {
    exemplos.add(5);
    await malote.stop();
    await passHours(1.2);
    await start();
    const feed = await answerOnce('all is in the feed', {
      ask: async () => (await ask('/documentos/0/novos')).body,
      is: (page) => page.total >= 3,
    });
    const found = feed.documentos.map(
      ({ modelo, prova }: { modelo: string; prova: string }) => `${modelo} ${prova}`,
    );
    for (const one of ['57 sefaz', '65 sefaz', 'NFSe sefaz']) assert.ok(found.includes(one), found.join());
    assert.equal(convenios(), 1, 'the second call about NFS-e, an hour later, asks for no city');
    semViolacoes();
  });

  it('brings the summary of a note, of which is declared what a program asks, once', async () => {
    const [chave = ''] = simulador.acervo.notas.keys();
    const manifestacao = `/documentos/${chave}/manifestacao`;
    const manifestar = (json: object, rest = manifestacao) => ask(rest, { method: 'POST', json });
    const codigos = async (...respostas: Promise<{ status: number; body: { codigo: string } }>[]) =>
      (await Promise.all(respostas)).map(({ status, body }) => `${status} ${body.codigo}`);
    assert.deepEqual((await ask(manifestacao)).body, { chave, manifestacoes: [] });
    assert.deepEqual(
      await codigos(
        manifestar({ codigo: '110111' }),
        manifestar({ codigo: '210240' }),
        manifestar({ codigo: '210240', justificativa: 'curta' }),
        manifestar({ codigo: '610110', justificativa: 'Frete acima do combinado' }),
        manifestar({ codigo: '210210' }, `/documentos/${chave.slice(0, -2)}00/manifestacao`),
      ),
      [
        '400 dados_invalidos',
        '400 dados_invalidos',
        '400 dados_invalidos',
        '409 manifestacao_nao_se_aplica',
        '404 documento_nao_encontrado',
      ],
    );
    // The generator's authority answers some seconds after the issue; nothing is declared of a note before that.
    await until('the note is authorised', () => {
      const nota = simulador.acervo.notas.get(chave)?.nota;
      return nota !== undefined && nota.autorizadaEm < Date.now();
    });
    const pedida = await manifestar({ codigo: '210210' });
    assert.deepEqual([pedida.status, pedida.body.manifestacoes[0].codigo], [200, '210210']);
    const feita = await answerOnce('SEFAZ has registered it', {
      ask: async () => (await ask(manifestacao)).body.manifestacoes[0],
      is: ({ estado }) => estado === 'registrada',
    });
    assert.deepEqual([feita.resposta, feita.protocolo.length], ['135', 15]);
    assert.deepEqual(await codigos(manifestar({ codigo: '210210' })), ['409 manifestacao_ja_registrada']);
    await answerOnce('its event is in the feed, proven', {
      ask: async () => (await ask('/documentos/0/novos')).body,
      is: ({ documentos }) =>
        documentos.some(
          ({ evento }: { evento: { codigo: string; prova: string } | null }) =>
            evento?.codigo === '210210' && evento.prova === 'sefaz',
        ),
    });
    const metricas = await (await fetch(`${malote.url}/metrics`)).text();
    assert.match(metricas, /malote_capturas\{situacao="ligada"\} 4/);
    assert.match(metricas, /malote_capturas_que_pedem_atencao\{causa="fora_do_nacional"\} 1/);
    assert.match(metricas, /malote_manifestacoes_a_enviar 0/);
    semViolacoes();
  });

  it('that dies after an answer calls nobody within the hour when it is started again, and loses nothing', async () => {
    const before = (await estadoDe('cte')).ult_nsu as number;
    exemplos.add(5);
    await malote.stop();
    await passHours(1.2);
    await startToDie('captura_blob_duravel');
    const calls = simulador.relatorio.de('Malote (captura)').chamadas;
    await start();
    // It may have died over another service's answer before it came to this one: then it is called now, once.
    await answerOnce('the next call is to come', {
      ask: () => estadoDe('cte'),
      is: ({ proxima_em }) => Date.parse(proxima_em) > Date.now(),
    });
    const here = simulador.relatorio.de('Malote (captura)').chamadas - calls;
    assert.ok(here <= 6, 'only what had not been asked before');
    await malote.stop();
    await passHours(2.5);
    await start();
    await answerOnce('the sequence went on', {
      ask: () => estadoDe('cte'),
      is: (one) => one.ult_nsu > before,
    });
    semViolacoes();
  });

  it('is told and changed by commands', async () => {
    const env = { MALOTE_DATA: dataFolder, ...(await ambienteDoBanco(dataFolder)) };
    const alvo = ['--crm', '55', '--cpf-cnpj', cliente.id];
    const off = await runJson(env, 'captura', 'desligar', ...alvo, '--servico', 'nfce');
    assert.equal(off.value.servicos[0].ligada, false);
    const all = await runJson(env, 'captura', 'estado', '--crm', '55');
    assert.deepEqual(
      all.value.clientes[0].servicos.map(({ ligada }: { ligada: boolean }) => ligada),
      [true, true, true, false],
    );
  });

  it('declares by command only what was confirmed, and brings the whole note after the Ciência', async () => {
    const env = { MALOTE_DATA: dataFolder, ...(await ambienteDoBanco(dataFolder)) };
    const [chave = ''] = simulador.acervo.notas.keys();
    const alvo = ['--crm', '55', '--cpf-cnpj', cliente.id, '--codigo', '210200', '--chave', chave];
    const sem = await runJson(env, 'captura', 'manifestar', ...alvo);
    assert.deepEqual([sem.code, sem.value.erro.codigo], [1, 'sem_confirmacao']);
    const com = await runJson(env, 'captura', 'manifestar', ...alvo, '--confirmo');
    assert.deepEqual(com.value.pedidas, [{ chave, aceita: true }]);
    const { body } = await ask(`/documentos/${chave}/chave`);
    assert.deepEqual([body.modelo, body.papel, body.prova], ['55', 'destinatario', 'sefaz']);
    await until('SEFAZ has both', () =>
      ['210210', '210200'].every((codigo) =>
        simulador.acervo.notas.get(chave)?.manifestacoes.includes(codigo),
      ),
    );
    semViolacoes();
  });
});

/** Starts a process that kills itself at the first pass of a failpoint, and waits until it is dead. */
async function startToDie(ponto: string): Promise<void> {
  await start({ MALOTE_PONTO_DE_FALHA: ponto });
  await until('the process has died', () => malote.process.signalCode === 'SIGKILL');
}
