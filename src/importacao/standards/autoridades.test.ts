import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type BancoAberto, openBanco } from '../../../test/support/bancos.ts';
import { type Emitido, emitir } from '../../fiscal/certificado/amostras-de-teste.ts';
import { RAIZES_DA_ICP_BRASIL } from '../../fiscal/certificado/raizes.ts';
import { zipDe } from '../../gerador/zip.ts';
import {
  AutoridadesEmUso,
  autoridadesDoProduto,
  desempacotar,
  empacotar,
  juntar,
  todasAsAutoridades,
} from './autoridades.ts';
import { certificadosDoArquivo, installAutoridades, listAutoridades } from './autoridades-instaladas.ts';

describe('the authorities that come with the product', () => {
  const doProduto = autoridadesDoProduto();

  it('are the ten roots that are known by their fingerprints, and authorities that lead to them', () => {
    const raizes = doProduto.filter(({ confianca }) => confianca === 'icp_brasil');
    assert.deepEqual(raizes.map(({ sha256 }) => sha256).sort(), [...RAIZES_DA_ICP_BRASIL].sort());
    const todas = juntar(doProduto);
    const outros = doProduto.filter(({ confianca }) => confianca === null);
    const lost = outros.filter(({ der }) => !todas.estabelece(new X509Certificate(der)));
    assert.equal(outros.length, 201);
    assert.deepEqual(lost, []);
  });

  it('establish nobody without their roots', () => {
    const semRaizes = juntar(doProduto.map((autoridade) => ({ ...autoridade, confianca: null })));
    const [any] = doProduto.filter(({ confianca }) => confianca === null);
    assert.equal(semRaizes.estabelece(new X509Certificate(any?.der ?? assert.fail())), false);
  });

  it('reach another thread whole, under a name that is theirs alone', () => {
    const pacote = empacotar(doProduto);
    assert.ok(pacote.bytes.buffer instanceof SharedArrayBuffer);
    const there = desempacotar(pacote);
    assert.ok(
      doProduto.every(({ der, confianca }) => confianca || there.estabelece(new X509Certificate(der))),
    );
    assert.equal(empacotar(doProduto.toReversed()).id, pacote.id);
    assert.notEqual(empacotar(doProduto.slice(1)).id, pacote.id);
  });
});

describe('authorities that are installed', () => {
  const RAIZ = emitir('Raiz Nova');
  const AC = emitir('AC Nova', { por: RAIZ });
  const AC_DOIS = emitir('AC Dois', { por: AC });
  const TITULAR = emitir('PADARIA:12345678000195', { por: AC_DOIS, ca: false });
  const ALHEIA = emitir('AC Alheia', { por: emitir('Raiz Alheia') });

  let banco: BancoAberto;
  let em = 1_000;
  beforeEach(async () => {
    banco = await openBanco();
  });
  afterEach(() => banco.close());

  const sha256 = ({ der }: Emitido) =>
    new X509Certificate(der).fingerprint256.replaceAll(':', '').toLowerCase();
  const instalar = (these: Emitido[], opcoes: { aceitarRaizes?: string[]; sat?: boolean } = {}) =>
    installAutoridades(
      { db: banco.db, clock: { now: () => em++ } },
      {
        certificados: these.map(({ der }) => new X509Certificate(der)),
        aceitarRaizes: [],
        sat: false,
        autor: 'cli',
        ...opcoes,
      },
    );
  const cadeia = async ({ der }: Emitido) =>
    juntar(await todasAsAutoridades(banco.db.read)).cadeiaDe(new X509Certificate(der)).cadeia;
  const nomes = (list: readonly { nome: string }[]) => list.map(({ nome }) => nome);

  it('count once they lead to a root, in whatever order a file has them', async () => {
    const { novas } = await instalar([TITULAR, AC_DOIS, AC, RAIZ], { aceitarRaizes: [sha256(RAIZ)] });
    assert.deepEqual(nomes(novas), ['AC Dois', 'AC Nova', 'Raiz Nova']);
    assert.equal(await cadeia(TITULAR), 'icp_brasil');
    const again = await instalar([RAIZ, AC, AC_DOIS]);
    assert.deepEqual({ ...again }, { novas: [], conhecidas: 3, recusadas: [] });
  });

  it('say of each that is not taken why', async () => {
    await instalar([RAIZ], { aceitarRaizes: [sha256(RAIZ)] });
    const { novas, recusadas } = await instalar([emitir('Raiz Alheia'), ALHEIA, TITULAR, AC]);
    assert.deepEqual(nomes(novas), ['AC Nova']);
    assert.deepEqual(
      recusadas.map(({ nome, motivo }) => [nome, motivo]),
      [
        ['Raiz Alheia', 'raiz_nao_confirmada'],
        ['AC Alheia', 'sem_raiz'],
        ['PADARIA:12345678000195', 'nao_e_autoridade'],
      ],
    );
  });

  it('never have a root that was not confirmed by its fingerprint, written in whatever way', async () => {
    await instalar([RAIZ, AC, AC_DOIS]);
    assert.equal(await cadeia(TITULAR), 'desconhecida');
    const { fingerprint256 } = new X509Certificate(RAIZ.der);
    await instalar([RAIZ, AC, AC_DOIS], { aceitarRaizes: [fingerprint256] });
    assert.equal(await cadeia(TITULAR), 'icp_brasil');
  });

  it('refuse to trust what is no root, or is not in the file', async () => {
    const codigo = 'icp_raiz_invalida';
    await assert.rejects(instalar([AC, RAIZ], { aceitarRaizes: [sha256(AC)] }), { codigo });
    await assert.rejects(instalar([AC], { aceitarRaizes: [sha256(RAIZ)] }), { codigo });
    await assert.rejects(instalar([AC], { aceitarRaizes: ['tudo'] }), { codigo });
    assert.equal((await listAutoridades(banco.db.read)).length, 211);
  });

  it('of SAT devices count for these alone', async () => {
    await instalar([RAIZ, AC, AC_DOIS], { aceitarRaizes: [sha256(RAIZ)], sat: true });
    assert.equal(await cadeia(TITULAR), 'sat');
  });

  it('are listed with those of the product, and written down', async () => {
    await instalar([RAIZ, AC], { aceitarRaizes: [sha256(RAIZ)] });
    const all = await listAutoridades(banco.db.read);
    const nova = all.find(({ nome }) => nome === 'Raiz Nova');
    assert.equal(nova?.confianca, 'icp_brasil');
    assert.equal(typeof nova?.instaladaEm, 'number');
    const primeira = all[0];
    assert.deepEqual(
      [primeira?.nome, primeira?.instaladaEm],
      ['Autoridade Certificadora Raiz Brasileira v1', null],
    );
    const rows = await banco.db.read.selectFrom('auditoria').select(['acao', 'detalhe']).execute();
    assert.deepEqual(
      rows.map(({ acao, detalhe }) => [acao, JSON.parse(detalhe ?? '').autoridades]),
      [['autoridades.instaladas', 2]],
    );
  });

  it('are in use in a process that is running, once it has looked', async () => {
    const emUso = new AutoridadesEmUso(banco.db.read);
    const before = emUso.atual();
    await emUso.olhar();
    assert.equal(emUso.atual(), before);
    await instalar([RAIZ, AC], { aceitarRaizes: [sha256(RAIZ)] });
    await emUso.olhar();
    const after = emUso.atual();
    assert.notEqual(after.id, before.id);
    assert.equal(desempacotar(after).estabelece(new X509Certificate(AC.der)), true);
  });

  it('come out of a zip, PEM or DER, and of a file that has none comes a reason', async () => {
    const pem = [RAIZ, AC].map(({ der }) => new X509Certificate(der).toString()).join('# nota\n');
    const zip = await zipDe([
      { nome: 'a/AC.crt', bytes: Buffer.from(AC.der) },
      { nome: 'Raiz.crt', bytes: Buffer.from(new X509Certificate(RAIZ.der).toString()) },
      { nome: 'leia.txt', bytes: Buffer.from('nada') },
    ]);
    const subjects = async (nome: string, bytes: Uint8Array) =>
      (await certificadosDoArquivo({ nome, bytes })).map(({ subject }) => subject);
    assert.deepEqual(await subjects('a.pem', Buffer.from(pem)), ['CN=Raiz Nova', 'CN=AC Nova']);
    assert.deepEqual(await subjects('a.cer', AC.der), ['CN=AC Nova']);
    assert.deepEqual((await subjects('a.zip', zip)).sort(), ['CN=AC Nova', 'CN=Raiz Nova']);
    const codigo = 'icp_arquivo_invalido';
    await assert.rejects(subjects('a.txt', Buffer.from('nada')), { codigo });
    await assert.rejects(subjects('a.zip', zip.subarray(0, zip.length - 40)), { codigo });
  });
});
