import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { esperado, evento } from '../documentos/cofre-testing.ts';
import { storeLotes } from '../documentos/store/store.ts';
import type { Chave, CpfCnpj } from '../fiscal/tipos.ts';
import type { Empresa } from '../gerador/empresas.ts';
import { FAILPOINTS_DA_CAPTURA, onFailpoint } from '../platform/failpoint.ts';
import { askForChave } from './chaves.ts';
import { captureNow } from './ligar.ts';
import { AGENTE, MundoDaCaptura } from './mundo-de-teste.ts';
import { porQueNadaVeio } from './situacao/porque.ts';
import type { Situacao } from './situacao/situacao.ts';
import { situacoesDe } from './situacao/situacoes.ts';

const HORA = 3_600_000;

let mundo: MundoDaCaptura;
let contadorId: number;
let cliente: { id: number; cpfCnpj: string };
beforeEach(async () => {
  mundo = await MundoDaCaptura.open();
  contadorId = await mundo.openEscritorio('000001');
  cliente = await mundo.addCliente(contadorId, mundo.cliente);
  await mundo.keepA1(contadorId, cliente.id, mundo.cliente);
});
afterEach(async () => {
  onFailpoint(null);
  await mundo.close();
});

const chamadas = () => mundo.transporte.pedidos.length;
const semViolacoes = () => assert.deepEqual(mundo.simulador.relatorio.violacoes, []);

describe('a client that an office has turned on', () => {
  it('is asked about once an hour, and what came is an upload with its cursor', async () => {
    await mundo.ligar(contadorId, cliente, 'nfe');
    await mundo.pass(60_000);
    assert.equal(chamadas(), 1);
    for (let n = 0; n < 60; n++) mundo.publishNota();
    await mundo.pass(HORA - 60_000);
    assert.equal(chamadas(), 1, 'not within the hour');
    await mundo.pass(10 * 60_000);
    assert.equal(chamadas(), 3, 'two pages');
    const estado = await mundo.estado(cliente.cpfCnpj, 'nfe');
    assert.deepEqual([estado.ult_nsu, estado.max_nsu, estado.documentos], [60, 60, 60]);
    assert.deepEqual(
      await mundo.nsusGuardados(),
      Array.from({ length: 60 }, (_, at) => at + 1),
    );
    const arquivos = await mundo.banco.db.read.selectFrom('arquivo').selectAll().execute();
    assert.deepEqual(
      arquivos.map(({ fonte, origem, status }) => [fonte, origem, status]),
      Array.from({ length: 2 }, () => ['sefaz', 'sistema', 'Em Processamento']),
    );
    const { n } = await mundo.banco.db.read
      .selectFrom('job')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    assert.equal(Number(n), 2);
    semViolacoes();
  });

  it('and no other: a client without consent is never asked about', async () => {
    const outro = await mundo.addCliente(contadorId, mundo.outro);
    await mundo.keepA1(contadorId, outro.id, mundo.outro);
    mundo.simulador.consentimentos = new Set([`nfe/${cliente.cpfCnpj}`]);
    await mundo.ligar(contadorId, cliente, 'nfe');
    await mundo.pass(3 * HORA);
    await mundo.ligar(contadorId, cliente, 'nfe', { ligada: false });
    mundo.simulador.consentimentos = new Set();
    await mundo.pass(3 * HORA);
    assert.ok(chamadas() >= 3);
    semViolacoes();
  });

  it('is asked again for whoever turns it off and on, or wants it now, when the hour is over and not before', async () => {
    await mundo.ligar(contadorId, cliente, 'nfe');
    await mundo.pass(60_000);
    await mundo.ligar(contadorId, cliente, 'nfe', { ligada: false });
    await mundo.ligar(contadorId, cliente, 'nfe');
    const { agora, estado } = await captureNow(mundo.deps, {
      contadorId,
      cliente,
      servico: 'nfe',
      autor: 'usuario:1',
    });
    assert.equal(agora, false);
    assert.ok((estado.proximaEm ?? 0) > mundo.relogio.now() + 50 * 60_000);
    await mundo.pass(30 * 60_000);
    assert.equal(chamadas(), 1);
    await mundo.pass(45 * 60_000);
    assert.equal(chamadas(), 2);
    semViolacoes();
  });

  it('of two offices is asked about once for both, and each gets what came', async () => {
    const segundo = await mundo.openEscritorio('000002');
    const dela = await mundo.addCliente(segundo, mundo.cliente);
    await mundo.keepA1(segundo, dela.id, mundo.cliente);
    const sem = await mundo.openEscritorio('000003');
    const semA1 = await mundo.addCliente(sem, mundo.cliente);
    for (const [office, who] of [
      [contadorId, cliente],
      [segundo, dela],
      [sem, semA1],
    ] as const)
      await mundo.ligar(office, who, 'nfe');
    await mundo.pass(60_000);
    mundo.publishNota();
    await mundo.pass(70 * 60_000);
    assert.equal(chamadas(), 2);
    const rows = await mundo.banco.db.read.selectFrom('arquivo').select('contador_id').execute();
    assert.deepEqual(rows.map((row) => row.contador_id).sort(), [contadorId, segundo].sort());
    semViolacoes();
  });

  it('has its city asked for once a day, and an hour later where no answer came', async () => {
    const convenios = () => mundo.simulador.relatorio.de(AGENTE).por_servico.convenio ?? 0;
    mundo.simulador.falhas.add({ tipo: 'http_503', servico: 'convenio' });
    await mundo.ligar(contadorId, cliente, 'nfse');
    await mundo.pass(30 * 60_000);
    assert.equal(convenios(), 1);
    await mundo.pass(HORA);
    assert.equal(convenios(), 2);
    await mundo.pass(3 * HORA);
    assert.equal(convenios(), 2);
    semViolacoes();
  });

  it('is asked about at all four services', async () => {
    for (const servico of ['nfe', 'cte', 'nfse', 'nfce'] as const)
      await mundo.ligar(contadorId, cliente, servico);
    await mundo.pass(60_000);
    mundo.publishNota();
    mundo.publishNota({ modelo: '65', emitente: mundo.cliente, destinatario: null });
    mundo.publishNota({ modelo: '65', emitente: mundo.cliente, destinatario: null });
    await mundo.pass(3 * HORA);
    const rows = await mundo.banco.db.read.selectFrom('arquivo').select(['fonte', 'nome']).execute();
    assert.deepEqual(rows.map(({ fonte }) => fonte).sort(), ['sae', 'sae', 'sefaz']);
    const chaves = await mundo.banco.db.read.selectFrom('captura_chave').select('estado').execute();
    assert.deepEqual(
      chaves.map(({ estado }) => estado),
      ['obtida', 'obtida'],
    );
    for (const servico of ['nfe', 'cte', 'nfse', 'nfce'] as const) {
      const estado = await mundo.estado(cliente.cpfCnpj, servico);
      assert.equal(estado.erros_seguidos, 0, `${servico}: ${estado.ultima_resposta} ${estado.ultimo_motivo}`);
    }
    semViolacoes();
  });
});

describe('a service that lets a call wait', () => {
  it('holds up none of the others that are due', { timeout: 60_000 }, async () => {
    const outro = await mundo.addCliente(contadorId, mundo.outro);
    await mundo.keepA1(contadorId, outro.id, mundo.outro);
    for (const one of [cliente, outro])
      for (const servico of ['nfe', 'cte', 'nfse'] as const) await mundo.ligar(contadorId, one, servico);
    const { transporte } = mundo;
    const pedir = transporte.pedir.bind(transporte);
    const others = Promise.withResolvers<void>();
    const asked = new Set<string>();
    transporte.pedir = async (pedido) => {
      if (pedido.endereco !== 'convenio') asked.add(`${pedido.endereco} ${pedido.certificado.impressao}`);
      if (asked.size === 6) others.resolve();
      if (asked.size === 1) await others.promise;
      return pedir(pedido);
    };
    await mundo.captor.round();
    assert.equal(asked.size, 6);
    semViolacoes();
  });
});

describe('the SAE, which takes one call at a time from all', () => {
  const nfces = (emitente: Empresa, quantas: number) => {
    for (let n = 0; n < quantas; n++) mundo.publishNota({ modelo: '65', emitente, destinatario: null });
  };
  const obtidas = async () =>
    (await mundo.banco.db.read.selectFrom('captura_chave').select('estado').execute()).filter(
      ({ estado }) => estado === 'obtida',
    ).length;
  const addOutro = async () => {
    const outro = await mundo.addCliente(contadorId, mundo.outro);
    await mundo.keepA1(contadorId, outro.id, mundo.outro);
    return outro;
  };

  it('gives what it has listed, though it is so slow that a list is always due', async () => {
    const outro = await addOutro();
    for (const one of [cliente, outro]) await mundo.ligar(contadorId, one, 'nfce');
    nfces(mundo.cliente, 4);
    nfces(mundo.outro, 4);
    // Each call takes longer than the hour after which a list is due again.
    for (let call = 0; call < 18; call++) {
      await mundo.captor.round();
      mundo.relogio.set(mundo.relogio.now() + 2 * HORA);
    }
    assert.equal(await obtidas(), 8);
    semViolacoes();
  });

  it('gives all the documents of a list within the pace that it allows', async () => {
    await mundo.ligar(contadorId, cliente, 'nfce');
    nfces(mundo.cliente, 60);
    await mundo.pass(61 * 2_000);
    assert.equal(await obtidas(), 60);
    semViolacoes();
  });

  it('holds up no other service, however many wait for it', async () => {
    for (const servico of ['nfce', 'nfe', 'cte', 'nfse'] as const)
      await mundo.ligar(contadorId, cliente, servico);
    const antes = mundo.relogio.now() - 2 * HORA;
    const row = await mundo.estado(cliente.cpfCnpj, 'nfce');
    for (let n = 0; n < 6; n++)
      await mundo.banco.db.write
        .insertInto('captura_estado')
        .values({ ...row, cpf_cnpj: `1122233300${n}181`, proxima_em: antes, chaves_em: antes })
        .execute();
    await mundo.banco.db.write
      .updateTable('captura_estado')
      .set({ locada_ate: mundo.relogio.now() + HORA })
      .where('cpf_cnpj', '=', '11222333000181')
      .where('servico', '=', 'nfce')
      .execute();
    await mundo.captor.round();
    assert.deepEqual(mundo.transporte.pedidos.map(({ endereco }) => endereco).sort(), [
      'adn',
      'convenio',
      'cte',
      'nfe',
    ]);
  });

  it('is left alone by all when it has refused one, for the hour', async () => {
    const outro = await addOutro();
    for (const one of [cliente, outro]) await mundo.ligar(contadorId, one, 'nfce');
    mundo.simulador.falhas.add({ tipo: 'cstat', servico: 'sae_chaves', cStat: '656' });
    await mundo.pass(HORA / 2);
    const clientes = [cliente, outro];
    const todas = await situacoesDe(mundo.deps, { contadorId, clientes });
    const causas = todas.map(({ situacoes }) => porQueNadaVeio(situacoes[3] as Situacao)[0].causa).sort();
    assert.deepEqual(causas, ['bloqueada', 'servico_descansa']);
    const espera = clientes[(await mundo.estado(cliente.cpfCnpj, 'nfce')).bloqueada_ate === null ? 0 : 1];
    const pedido = { contadorId, cliente: espera as typeof cliente, servico: 'nfce', autor: 'cli' } as const;
    const { agora, estado } = await captureNow(mundo.deps, pedido);
    assert.deepEqual([agora, estado.espera], [false, 'servico_descansa']);
    assert.equal(estado.proximaEm, Math.max(...todas.map(({ situacoes }) => situacoes[3]?.descansoAte ?? 0)));
    await mundo.pass(HORA / 2);
    assert.equal(chamadas(), 1);
    await mundo.pass(10 * 60_000);
    assert.equal(chamadas(), 3);
  });
});

describe('a process that dies within a call', () => {
  for (const ponto of FAILPOINTS_DA_CAPTURA) {
    it(`at ${ponto} has lost and doubled nothing, and nobody calls within the hour`, async () => {
      await mundo.ligar(contadorId, cliente, 'nfe');
      await mundo.pass(60_000);
      for (let n = 0; n < 12; n++) mundo.publishNota();
      await mundo.pass(HORA);
      let died = 0;
      onFailpoint((name) => {
        if (name !== ponto || died > 0) return;
        died++;
        throw new Error('dies here');
      });
      await mundo.pass(5 * 60_000);
      assert.equal(died, 1);
      mundo.restart();
      const { ult_nsu } = await mundo.estado(cliente.cpfCnpj, 'nfe');
      assert.equal((await mundo.nsusGuardados()).length, ult_nsu, 'the cursor stands where the files end');
      await mundo.pass(3 * HORA);
      assert.deepEqual(
        await mundo.nsusGuardados(),
        Array.from({ length: 12 }, (_, at) => at + 1),
      );
      assert.equal(mundo.contas.bloqueios, 0);
      semViolacoes();
    });
  }
});

describe('another program that calls for the same client', () => {
  it('is found out by the number that is answered, and what it took is asked for one by one', async () => {
    await mundo.ligar(contadorId, cliente, 'nfe');
    await mundo.pass(60_000);
    mundo.publishNota();
    await mundo.pass(70 * 60_000);
    for (let n = 0; n < 30; n++) mundo.publishNota();
    const alheio = (ult: number) =>
      mundo.simulador.call(
        mundo.pedido('nfe', {
          agente: 'outro',
          cabecalhos: cabecalhosDeDistribuicao('outro'),
          corpo: distNsu(cliente.cpfCnpj, ult),
        }),
      );
    const { ultima_em } = await mundo.estado(cliente.cpfCnpj, 'nfe');
    mundo.relogio.set((ultima_em ?? 0) + HORA + 30_000);
    await alheio(1);
    await mundo.pass(40 * HORA);
    const estado = await mundo.estado(cliente.cpfCnpj, 'nfe');
    assert.ok((estado.outro_programa_em ?? 0) > 0);
    assert.equal(estado.lacunas, '[]');
    assert.deepEqual(
      [...new Set(await mundo.nsusGuardados())].sort((a, b) => a - b),
      Array.from({ length: 31 }, (_, at) => at + 1),
    );
    assert.equal(mundo.contas.bloqueios, 0, 'none of our making');
    semViolacoes();
  });

  it('may be left to work alone: passive, no page is asked for', async () => {
    await mundo.ligar(contadorId, cliente, 'nfe', { passiva: true });
    await mundo.pass(5 * HORA);
    assert.equal(chamadas(), 0);
  });
});

describe('keys', () => {
  it('are asked for within twenty an hour, five of them for people alone', async () => {
    await mundo.ligar(contadorId, cliente, 'nfe');
    await mundo.pass(60_000);
    const chaves = Array.from({ length: 30 }, () => mundo.publishNota().chave as Chave);
    for (const chave of chaves)
      await askForChave(mundo.deps, { contadorId, cliente, chave, autor: 'usuario:1' });
    const before = chamadas();
    await mundo.pass(30 * 60_000);
    assert.equal(chamadas() - before, 20);
    await mundo.pass(2 * HORA);
    const rows = await mundo.banco.db.read
      .selectFrom('captura_chave')
      .select(['estado', 'resposta'])
      .execute();
    assert.ok(rows.every(({ estado, resposta }) => estado === 'obtida' && resposta === '138'));
    semViolacoes();
  });

  it('of a note that the client issued are refused with the reason, and those that SEFAZ refuses keep its answer', async () => {
    await mundo.ligar(contadorId, cliente, 'nfe');
    await mundo.pass(60_000);
    const own = mundo.publishNota({ emitente: mundo.cliente, destinatario: mundo.outro }).chave as Chave;
    const ask = (chave: Chave) => askForChave(mundo.deps, { contadorId, cliente, chave, autor: 'usuario:1' });
    await assert.rejects(ask(own), { codigo: 'chave_de_outro_servico' });
    const foreign = mundo.publishNota({ destinatario: mundo.outro }).chave as Chave;
    await ask(foreign);
    await mundo.pass(60_000);
    const [row] = await mundo.banco.db.read.selectFrom('captura_chave').selectAll().execute();
    assert.deepEqual([row?.chave, row?.estado, row?.resposta], [foreign, 'impossivel', '640']);
  });
});

describe('missing documents', () => {
  it('are asked for by key where the client may have them, and of its own NF-e the reason is kept', async () => {
    await mundo.ligar(contadorId, cliente, 'nfe');
    await mundo.pass(60_000);
    const own = mundo.publishNota({ emitente: mundo.cliente, destinatario: mundo.outro }).chave;
    const { chave } = mundo.publishNota();
    const destinatario = cliente.cpfCnpj as CpfCnpj;
    const pecas = [esperado(own as Chave), evento(chave as Chave, { codigo: '110110', destinatario })];
    await mundo.banco.db.write.transaction().execute((trx) =>
      storeLotes(trx, {
        lotes: [{ arquivoNumero: 1, contadorId, pecas }],
        agora: mundo.relogio.now(),
        homologacao: false,
      }),
    );
    await mundo.pass(7 * HORA);
    const rows = await mundo.banco.db.read
      .selectFrom('captura_chave')
      .select(['chave', 'estado', 'resposta'])
      .execute();
    const byKey = new Map(rows.map((row) => [row.chave, [row.estado, row.resposta]]));
    assert.deepEqual(byKey.get(own), ['impossivel', '641']);
    assert.deepEqual(byKey.get(chave), ['obtida', '138']);
    semViolacoes();
  });
});

function cabecalhosDeDistribuicao(agente: string) {
  const action = 'http://www.portalfiscal.inf.br/nfe/wsdl/NFeDistribuicaoDFe/nfeDistDFeInteresse';
  return { 'user-agent': agente, 'content-type': `application/soap+xml; charset=utf-8; action="${action}"` };
}

function distNsu(cnpj: string, ult: number): string {
  const nsu = String(ult).padStart(15, '0');
  return `<soap12:Envelope xmlns:soap12="http://www.w3.org/2003/05/soap-envelope"><soap12:Body><nfeDistDFeInteresse xmlns="http://www.portalfiscal.inf.br/nfe/wsdl/NFeDistribuicaoDFe"><nfeDadosMsg><distDFeInt versao="1.01" xmlns="http://www.portalfiscal.inf.br/nfe"><tpAmb>1</tpAmb><cUFAutor>35</cUFAutor><CNPJ>${cnpj}</CNPJ><distNSU><ultNSU>${nsu}</ultNSU></distNSU></distDFeInt></nfeDadosMsg></nfeDistDFeInteresse></soap12:Body></soap12:Envelope>`;
}
