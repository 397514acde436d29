/** The client against the simulated services behind TLS: what is shown, what is verified, and what is left of it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { raizesDaIcpBrasil } from '../../contas/certificado/autoridades-tls.ts';
import type { CertificadoEmUso } from '../../contas/certificado/guardar.ts';
import { certificadoDoCliente, raizEmPem } from '../../simulador/certificados.ts';
import { MundoSimulado } from '../../simulador/pedidos-de-teste.ts';
import { type SimuladorNoAr, serveSimulador } from '../../simulador/servidor.ts';
import type { ClienteDaCaptura } from './cliente.ts';
import { distNsu } from './distribuicao.ts';
import { TransporteHttps } from './transporte.ts';

const mundo = new MundoSimulado();
const { certificado } = certificadoDoCliente(mundo.cliente, new Date(mundo.relogio.now()));
let noAr: SimuladorNoAr;
let aberturas: CertificadoEmUso[] = [];

before(async () => {
  noAr = await serveSimulador({ simulador: mundo.simulador, relogio: mundo.relogio });
});
after(() => noAr[Symbol.asyncDispose]());

function clienteCom(mais: { autoridades?: string[] } = {}) {
  const { autoridades = [raizEmPem()], ...rest } = mais;
  const transporte = new TransporteHttps({ autoridades: () => autoridades, agente: 'teste', ...rest });
  const cliente: ClienteDaCaptura = { transporte, ambiente: 1, endereco: (nome) => noAr.enderecos[nome] };
  return { transporte, cliente };
}

const quem = (impressao = 'um') => ({
  cpfCnpj: mundo.cliente.id as never,
  uf: 'SP',
  certificado: {
    impressao,
    open: async () => {
      const opened = {
        chave: certificado.chavePrivada.export({ format: 'der', type: 'pkcs8' }),
        cadeia: [Buffer.from(certificado.der)],
      };
      aberturas.push(opened);
      return opened;
    },
  },
});

const perguntar = (cliente: ClienteDaCaptura, ultNsu: number, impressao?: string) =>
  distNsu(cliente, 'nfe', { ...quem(impressao), ultNsu });

describe('a call over TLS', () => {
  it('shows the certificate, opens the key once for a connection, overwrites it, and keeps nothing when closed', async () => {
    aberturas = [];
    const { transporte, cliente } = clienteCom();
    const first = await perguntar(cliente, 0);
    assert.deepEqual([first.codigo, first.ultNsu], ['137', 0]);
    mundo.relogio.advance(61 * 60_000);
    mundo.publishNota();
    const second = await perguntar(cliente, 0);
    assert.deepEqual([second.codigo, second.ultNsu, second.documentos], ['138', 1, 1]);
    assert.equal(aberturas.length, 1);
    assert.ok(aberturas[0]?.chave.every((byte) => byte === 0));
    await perguntar(cliente, 1, 'dois');
    assert.equal(transporte.abertos, 2, 'another certificate has a connection of its own');
    transporte.close(new Set(['um']));
    assert.equal(transporte.abertos, 1, 'one that is not among those that are wanted is gone');
    transporte.close();
    assert.equal(transporte.abertos, 0);
  });

  it('that begins while another opens the same certificate goes over its connection, and both are closed with it', async () => {
    aberturas = [];
    const { transporte, cliente } = clienteCom();
    const asks = () =>
      (['nfe', 'cte'] as const).map((servico) => distNsu(cliente, servico, { ...quem('tres'), ultNsu: 0 }));
    await Promise.all(asks());
    assert.deepEqual([aberturas.length, transporte.abertos], [1, 1]);
    transporte.close();
    const fault = Object.assign(new Error('no key'), { code: 'EIO' });
    const broken = { ...quem('tres'), certificado: { impressao: 'tres', open: () => Promise.reject(fault) } };
    await assert.rejects(distNsu(cliente, 'cte', { ...broken, ultNsu: 0 }), { code: 'EIO' });
    await Promise.all(asks());
    assert.deepEqual(
      [aberturas.length, transporte.abertos],
      [2, 1],
      'what could not be opened is opened anew',
    );
    transporte.close();
  });

  it('is not made to a server of an authority that nobody knows, and never got there', async () => {
    const { transporte, cliente } = clienteCom({ autoridades: [] });
    const calls = mundo.simulador.relatorio.de('teste').chamadas;
    await assert.rejects(perguntar(cliente, 1), { codigo: 'servidor_desconhecido', enviado: false });
    assert.equal(mundo.simulador.relatorio.de('teste').chamadas, calls);
    transporte.close();
  });

  it('is made to a server whom Node trusts, whoever is trusted besides', async () => {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, raizEmPem()]);
    try {
      const { transporte, cliente } = clienteCom({ autoridades: raizesDaIcpBrasil() });
      assert.equal((await distNsu(cliente, 'cte', { ...quem(), ultNsu: 0 })).status, 200);
      transporte.close();
    } finally {
      setDefaultCACertificates(before);
    }
  });

  it('is given up by its deadline, cut or sent elsewhere, and says that the service may have got it', async (t) => {
    const { transporte, cliente } = clienteCom();
    const calls = () => mundo.simulador.relatorio.de('teste').chamadas;
    for (const [tipo, codigo] of [
      ['timeout_depois', 'prazo_de_resposta'],
      ['reset_antes', 'interrompida'],
      ['redirecionamento', 'redirecionamento'],
    ] as const) {
      mundo.simulador.falhas.add({ tipo });
      // Its deadline comes when the service has got it, however long that takes.
      if (tipo === 'timeout_depois') t.mock.timers.enable({ apis: ['setTimeout'] });
      const before = calls();
      const refused = assert.rejects(perguntar(cliente, 1), { codigo, enviado: true }, tipo);
      if (tipo === 'timeout_depois') {
        while (calls() === before) await new Promise((resolve) => setImmediate(resolve));
        t.mock.timers.tick(60_000);
      }
      await refused;
      t.mock.timers.reset();
    }
    transporte.close();
  });

  it('to nobody who listens says so', async () => {
    const { transporte, cliente } = clienteCom();
    const nowhere = { ...cliente, endereco: () => 'https://127.0.0.1:9/x' };
    await assert.rejects(perguntar(nowhere, 1), { codigo: 'sem_conexao', enviado: false });
    transporte.close();
  });
});
