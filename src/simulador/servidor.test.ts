import assert from 'node:assert/strict';
import { request } from 'node:https';
import { after, before, describe, it } from 'node:test';
import { certificadoDoCliente, raizEmPem, toPem } from './certificados.ts';
import { type Exemplos, makeExemplos } from './exemplos.ts';
import { RelogioVirtual } from './relogio.ts';
import { type SimuladorNoAr, serveSimulador } from './servidor.ts';
import { Simulador } from './simulador.ts';

interface Answer {
  status: number;
  texto: string;
}

/** What the control port answers, as far as it is looked at. */
interface Controlled {
  mensagem: string;
  agentes: Record<string, { por_servico: Record<string, number> }>;
}

describe('the simulator on the air', () => {
  const relogio = RelogioVirtual.going();
  const simulador = new Simulador({ relogio });
  let noAr: SimuladorNoAr;
  let exemplos: Exemplos;
  before(async () => {
    exemplos = makeExemplos(simulador, 'servidor', 1);
    noAr = await serveSimulador({ simulador, relogio, addExemplos: (n) => exemplos.add(n) });
  });
  after(() => noAr[Symbol.asyncDispose]());

  const cliente = () => exemplos.clientes[0] ?? assert.fail();

  function get(url: string, mais: { certificado?: boolean; ca?: string } = {}): Promise<Answer> {
    const { certificado: own } = certificadoDoCliente(cliente(), new Date());
    const identity = {
      key: own.chavePrivada.export({ format: 'pem', type: 'pkcs8' }),
      cert: toPem(own.der),
    };
    const { certificado = true, ca = raizEmPem() } = mais;
    return new Promise((resolve, reject) => {
      const options = {
        ca,
        agent: false,
        headers: { 'user-agent': 'teste' },
        ...(certificado ? identity : {}),
      };
      request(url, options, (res) => {
        let texto = '';
        res.setEncoding('utf8');
        res.on('data', (part) => {
          texto += part;
        });
        res.on('end', () => resolve({ status: res.statusCode ?? 0, texto }));
      })
        .on('error', reject)
        .end();
    });
  }

  async function control(metodo: string, caminho: string, corpo?: unknown) {
    const text = typeof corpo === 'string' ? corpo : JSON.stringify(corpo);
    const answer = await fetch(noAr.controle + caminho, {
      method: metodo,
      ...(corpo === undefined ? {} : { body: text }),
    });
    return { status: answer.status, json: (await answer.json()) as Controlled };
  }

  const dfe = () => `${noAr.enderecos.adn}/DFe/0?cnpjConsulta=${cliente().id}`;

  it('knows its caller by the certificate of the handshake, and nobody without', async () => {
    const { status, texto } = await get(dfe());
    assert.deepEqual([status, JSON.parse(texto).StatusProcessamento], [404, 'NENHUM_DOCUMENTO_LOCALIZADO']);
    assert.equal((await get(dfe(), { certificado: false })).status, 403);
  });

  it('is trusted by who trusts the laboratory only', async () => {
    const other = toPem(certificadoDoCliente(cliente(), new Date()).certificado.der);
    await assert.rejects(get(dfe(), { ca: other }), /certificate/);
  });

  it('is steered by its control port', async () => {
    const given = await control('POST', '/exemplos', { quantidade: 5 });
    assert.equal(given.status, 200);
    assert.equal(JSON.parse((await get(dfe())).texto).LoteDFe.length, 1);
    const before = relogio.now();
    await control('POST', '/relogio', { avancar_ms: 3_600_000 });
    assert.ok(relogio.now() >= before + 3_600_000);
    await control('POST', '/falhas', { tipo: 'reset_antes', servico: 'adn' });
    await assert.rejects(get(dfe()), /socket hang up|ECONNRESET/);
    assert.equal((await get(dfe())).status, 200);
    const { json } = await control('GET', '/relatorio');
    assert.equal(json.agentes.teste?.por_servico.adn, 5);
  });

  it('says what it did not understand', async () => {
    assert.equal((await control('POST', '/falhas', { tipo: 'nada' })).status, 400);
    assert.match((await control('POST', '/documentos', '<nada/>')).json.mensagem, /raiz "nada"/);
    assert.equal((await control('POST', '/relogio', 'x')).status, 400);
    assert.equal((await control('GET', '/nada')).status, 404);
  });
});
