/** Authorities that an operator installs, over the real command line, and what a running server makes of them. */
import assert from 'node:assert/strict';
import { hash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { installLaboratorio } from '../../scripts/laboratorio.ts';
import { readSignatario } from '../../src/documentos/lean/signatario-guardado.ts';
import { type Emitido, emitir } from '../../src/fiscal/certificado/amostras-de-teste.ts';
import { zipDe } from '../../src/gerador/zip.ts';
import { answerOnce } from '../support/espera.ts';
import { createEscritorio, imported, startMalote, upload, withDeps } from '../support/malote.ts';
import { comBancoDe } from '../support/motor.ts';
import { generateRemessa } from '../support/remessa.ts';
import { Instalacao } from './linha-de-comando.ts';

const RAIZ = emitir('Raiz de Teste');
const AC = emitir('AC de Teste', { por: RAIZ });
const ALHEIA = emitir('Raiz Alheia');
const pem = ({ der }: Emitido) => new X509Certificate(der).toString();
const sha256 = ({ der }: Emitido) => new X509Certificate(der).fingerprint256;

interface Resultado {
  novas: { nome: string; confianca: string | null }[];
  conhecidas: number;
  recusadas: { nome: string; motivo: string }[];
}

describe('malote icp', () => {
  const casa = new Instalacao();
  const arquivo = (nome: string) => join(casa.pasta, nome);
  before(async () => {
    await casa.malote(
      'conta',
      'criar',
      '--crm',
      '123',
      '--nome',
      'Escritório',
      '--email',
      'a@exemplo.com.br',
    );
    writeFileSync(arquivo('acs.pem'), pem(RAIZ) + pem(AC) + pem(ALHEIA));
  });
  after(() => casa.remove());

  const instalar = async (...args: string[]) => {
    const { code, value } = await casa.json('icp', 'instalar', arquivo('acs.pem'), ...args);
    return { code, ...(value as unknown as Resultado) };
  };

  it('installs nothing that leads to no trusted root, says why, and fails', async () => {
    const { code, novas, recusadas } = await instalar();
    assert.deepEqual([code, novas], [1, []]);
    assert.deepEqual(
      recusadas.map(({ nome, motivo }) => [nome, motivo]),
      [
        ['Raiz de Teste', 'raiz_nao_confirmada'],
        ['AC de Teste', 'sem_raiz'],
        ['Raiz Alheia', 'raiz_nao_confirmada'],
      ],
    );
  });

  it('installs a root that is confirmed by its SHA-256, with what leads to it', async () => {
    const { code, novas, conhecidas, recusadas } = await instalar('--aceitar-raiz', sha256(RAIZ));
    assert.equal(code, 0);
    assert.deepEqual(
      novas.map(({ nome, confianca }) => [nome, confianca]),
      [
        ['Raiz de Teste', 'icp_brasil'],
        ['AC de Teste', null],
      ],
    );
    assert.deepEqual([conhecidas, recusadas.length], [0, 1]);
    const again = await instalar();
    assert.deepEqual([again.code, again.novas, again.conhecidas], [0, [], 2]);
  });

  it('lists all that count, roots first, and is understood without --json', async () => {
    const { stdout } = await casa.malote('icp', 'listar');
    assert.match(
      stdout,
      /^Autoridade Certificadora Raiz Brasileira v1 {2}2008-07-29 a 2021-07-29 {2}raiz, do produto/,
    );
    assert.match(
      stdout,
      /\nRaiz de Teste {2}2020-01-01 a 2030-01-01 {2}raiz, instalada em .* [0-9a-f]{64}\n/,
    );
    assert.equal(stdout.trimEnd().split('\n').length, 213);
  });

  it('says what is wrong with a call', async () => {
    for (const [args, codigo] of [
      [['instalar', arquivo('acs.pem'), '--aceitar-raiz', 'abc'], 'icp_raiz_invalida'],
      [['instalar', arquivo('data/malote.sqlite-nada')], 'enoent'],
    ] as const) {
      const { code, value } = await casa.json('icp', ...args);
      assert.deepEqual([code, (value.erro as { codigo: string }).codigo], [1, codigo]);
    }
  });
});

describe('malote icp atualizar', () => {
  const casa = new Instalacao();
  let zip: Buffer;
  let answer: RequestListener;
  const server = createServer((request, response) => answer(request, response));
  before(async () => {
    await casa.malote(
      'conta',
      'criar',
      '--crm',
      '123',
      '--nome',
      'Escritório',
      '--email',
      'a@exemplo.com.br',
    );
    zip = await zipDe([
      { nome: 'AC_de_Teste.crt', bytes: Buffer.from(AC.der) },
      { nome: 'Raiz.crt', bytes: Buffer.from(pem(RAIZ)) },
    ]);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.close();
    await casa.remove();
  });

  const origem = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** Publishes the zip with this digest beside it. */
  const publish =
    (digest: string, bytes = zip): RequestListener =>
    (request, response) => {
      if (request.url === '/acs/ACcompactado.zip') response.end(bytes);
      else if (request.url === '/acs/hashsha512.txt') response.end(digest);
      else response.writeHead(404).end();
    };
  const atualizar = async (...args: string[]) => {
    casa.ambiente = { MALOTE_URL_ICP: `${origem()}/acs/ACcompactado.zip` };
    return casa.json('icp', 'atualizar', ...args);
  };
  const codigoDe = async (...args: string[]) => {
    const { code, value } = await atualizar(...args);
    assert.equal(code, 1);
    return (value.erro as { codigo: string }).codigo;
  };
  const digest = () => hash('sha512', zip, 'hex');

  it('takes nothing whose published digest is another, or is not there', async () => {
    answer = publish(`${'0'.repeat(128)}  ACcompactado.zip\n`);
    assert.equal(await codigoDe(), 'icp_resumo_nao_confere');
    answer = publish(`${digest()}  Outro.zip\n`);
    assert.equal(await codigoDe(), 'icp_resumo_nao_confere');
    answer = (_request, response) => response.writeHead(404).end();
    assert.equal(await codigoDe(), 'icp_nao_baixou');
  });

  it('follows nobody to another server, and nobody for ever', async () => {
    answer = (_request, response) => response.writeHead(302, { location: 'http://localhost:1/a.zip' }).end();
    assert.equal(await codigoDe(), 'icp_redirecionado');
    answer = (request, response) => response.writeHead(302, { location: request.url ?? '' }).end();
    assert.equal(await codigoDe(), 'icp_redirecionado');
  });

  it('ends a transfer that is longer than such a file can be', async () => {
    answer = (request, response) => {
      if (request.url === '/acs/hashsha512.txt') return void response.end(digest());
      const part = Buffer.alloc(1_000_000);
      const write = () => {
        while (!response.destroyed && response.write(part));
        response.once('drain', write);
      };
      write();
    };
    assert.equal(await codigoDe(), 'icp_grande_demais');
  });

  it('says so where nobody answers', async () => {
    const address = origem();
    casa.ambiente = { MALOTE_URL_ICP: `${address.replace(/\d+$/, '1')}/ACcompactado.zip` };
    const { code, value } = await casa.json('icp', 'atualizar');
    assert.deepEqual([code, (value.erro as { codigo: string }).codigo], [1, 'icp_nao_baixou']);
  });

  it('installs what the official file brings, but no new root by itself', async () => {
    answer = (request, response) => {
      if (request.url?.startsWith('/novo/'))
        return publish(`${digest().toUpperCase()} *ACcompactado.zip`)(
          Object.assign(request, { url: request.url.replace('/novo', '') }),
          response,
        );
      response.writeHead(301, { location: `/novo${request.url}` }).end();
    };
    const first = await atualizar();
    assert.equal(first.code, 1);
    assert.deepEqual((first.value as unknown as Resultado).recusadas.map(({ motivo }) => motivo).sort(), [
      'raiz_nao_confirmada',
      'sem_raiz',
    ]);
    const second = await atualizar('--aceitar-raiz', sha256(RAIZ));
    assert.equal(second.code, 0);
    assert.equal((second.value as unknown as Resultado).novas.length, 2);
  });
});

describe('a server that is running', () => {
  const count = (rows: readonly { signatario: string | null }[]) => {
    const found: Record<string, number> = {};
    for (const { signatario } of rows) {
      const { cadeia } = readSignatario(signatario ?? assert.fail('a certificate was not looked at'));
      found[cadeia] = (found[cadeia] ?? 0) + 1;
    }
    return found;
  };
  /** How many certificates of documents have which chain. */
  const cadeias = (dataFolder: string) =>
    comBancoDe(dataFolder, async (db) =>
      count(await db.read.selectFrom('certificado_de_documento').select('signatario').execute()),
    );
  /** The same of versions that say it themselves. */
  const cadeiasDasVersoes = (dataFolder: string) =>
    comBancoDe(dataFolder, async (db) =>
      count(
        await db.read.selectFrom('versao').select('signatario').where('signatario', 'is not', null).execute(),
      ),
    );

  it('judges with authorities from the second on in which they were installed, and what is stored anew', async () => {
    await using malote = await startMalote();
    const { dataFolder } = malote;
    const remessa = await generateRemessa({
      semente: 'icp',
      clientes: 2,
      documentos: 12,
      porArquivo: 6,
      outras: 8,
    });
    const { token } = await createEscritorio(dataFolder, { crm: '7', clientes: remessa.clientes });
    const [primeiro, ...outros] = remessa.arquivos;
    const send = async ({ bytes, extension }: (typeof remessa.arquivos)[number]) =>
      imported(malote, { token, id: await upload(malote, { token, bytes, extension }) });
    await send(primeiro ?? assert.fail('no file'));
    const antes = await cadeias(dataFolder);
    assert.deepEqual(Object.keys(antes), ['desconhecida']);
    await withDeps(dataFolder, (deps) => installLaboratorio(deps));
    await withDeps(dataFolder, (deps) => installLaboratorio(deps, 'sat'));
    await answerOnce('stored signers are judged anew', {
      ask: () => cadeias(dataFolder),
      is: ({ desconhecida = 0 }) => desconhecida === 0,
    });
    for (const arquivo of outros) await send(arquivo);
    const depois = await cadeias(dataFolder);
    assert.deepEqual(Object.keys(depois).sort(), ['icp_brasil', 'sat']);
    // A national NFS-e brings two certificates, and says itself what its signer is worth.
    const proprios = await answerOnce('versions are judged anew', {
      ask: () => cadeiasDasVersoes(dataFolder),
      is: ({ desconhecida = 0 }) => desconhecida === 0,
    });
    assert.deepEqual(Object.keys(proprios), ['icp_brasil']);
  });
});
