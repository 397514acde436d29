/**
 * Most of the real servers ask for the client's certificate after they have read the request, by renegotiating (TLS 1.2). A
 * server of Node cannot do so: this one is OpenSSL's, steered by what it prints.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { generateEmpresa } from '../../gerador/empresas.ts';
import {
  autoridadesEmPem,
  certificadoDoCliente,
  certificadoDoServidor,
  raizEmPem,
} from '../../simulador/certificados.ts';
import { FalhaDeTransporte, type PedidoHttp } from './tipos.ts';
import { TransporteHttps } from './transporte.ts';

const ANSWER =
  'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 11\r\nConnection: close\r\n\r\nrenegociado';
const FINISHED = /<<< TLS 1\.2, Handshake \[length [0-9a-f]+\], Finished/g;
const ACCEPTS = /^ACCEPT .*:(\d+)$/m;
const installed = spawnSync('openssl', ['version']).status === 0;

/** An `openssl s_server` that renegotiates once the request line is there, and answers after that. */
class ServidorQueRenegocia {
  readonly #process: ChildProcess;
  /** All that it has printed. */
  log = '';

  private constructor(folder: string) {
    // Without -verify, the first handshake asks for no certificate.
    const args = [
      's_server',
      ...['-accept', '127.0.0.1:0', '-cert', 'srv.pem', '-key', 'srv.key', '-cert_chain', 'srv.pem'],
      ...['-CAfile', 'ca.pem', '-tls1_2', '-msg', '-verify_return_error'],
      ...['-no_resumption_on_reneg', '-no_ticket', '-naccept', '1'],
    ];
    this.#process = spawn('openssl', args, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  }

  static async start(folder: string): Promise<ServidorQueRenegocia> {
    const server = new ServidorQueRenegocia(folder);
    server.#steer();
    await server.#printed(ACCEPTS);
    return server;
  }

  get port(): number {
    return Number(ACCEPTS.exec(this.log)?.[1]);
  }

  #steer(): void {
    const { stdin, stdout, stderr } = this.#process;
    let step: 'request' | 'handshake' | 'over' = 'request';
    stdin?.on('error', () => undefined);
    const read = (part: Buffer) => {
      this.log += part.toString('latin1');
      if (step === 'request' && /^POST \//m.test(this.log)) {
        step = 'handshake';
        stdin?.write('R\n');
      }
      if (step === 'handshake' && (this.log.match(FINISHED)?.length ?? 0) >= 2) {
        step = 'over';
        stdin?.write(ANSWER);
      }
    };
    stdout?.on('data', read);
    stderr?.on('data', read);
  }

  async #printed(what: RegExp): Promise<void> {
    while (!what.test(this.log)) {
      assert.equal(this.#process.exitCode, null, this.log);
      await once(this.#process.stdout ?? assert.fail(), 'data');
    }
  }

  /** What came after the server had asked to renegotiate. */
  get afterwards(): string {
    return this.log.split('HelloRequest').slice(1).join('');
  }

  stop(): void {
    this.#process.kill();
  }
}

describe('a server that asks for the certificate after the request', {
  skip: installed ? false : 'openssl is not installed',
}, () => {
  const empresa = generateEmpresa('renegociacao');
  let folder: string;
  let server: ServidorQueRenegocia;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'malote-renegociacao-'));
    const { key, cert } = certificadoDoServidor('localhost', new Date());
    writeFileSync(join(folder, 'srv.key'), key);
    writeFileSync(join(folder, 'srv.pem'), cert);
    writeFileSync(join(folder, 'ca.pem'), autoridadesEmPem().join(''));
    server = await ServidorQueRenegocia.start(folder);
  });
  after(() => {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gets it, with the proof that its key is there, and its answer is read', async () => {
    const transporte = new TransporteHttps({
      autoridades: () => [raizEmPem()],
      agente: 'teste',
      answerWithinMs: 120_000,
    });
    const { certificado } = certificadoDoCliente(empresa, new Date());
    const pedido: PedidoHttp = {
      endereco: 'nfe',
      url: `https://localhost:${server.port}/NFeDistribuicaoDFe.asmx`,
      method: 'POST',
      headers: { 'content-type': 'application/soap+xml' },
      body: Buffer.from('<a/>\n'),
      certificado: {
        impressao: hash('sha256', certificado.der),
        open: async () => ({
          chave: certificado.chavePrivada.export({ format: 'der', type: 'pkcs8' }),
          cadeia: [certificado.der],
        }),
      },
      maxBytes: 1_000,
    };
    const resposta = await transporte.pedir(pedido).catch((error: unknown) => {
      const why = error instanceof FalhaDeTransporte ? error.message : String(error);
      return assert.fail(`${why}\n${server.log}`);
    });
    transporte.close();
    assert.deepEqual([resposta.status, resposta.bytes.toString()], [200, 'renegociado']);
    assert.match(server.afterwards, /<<< TLS 1\.2, Handshake \[length [0-9a-f]+\], Certificate$/m);
    assert.match(server.afterwards, /<<< TLS 1\.2, Handshake \[length [0-9a-f]+\], CertificateVerify$/m);
    assert.match(server.afterwards, new RegExp(empresa.id));
  });
});
