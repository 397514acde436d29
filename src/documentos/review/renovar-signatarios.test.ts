import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { signatarioDoCertificado } from '../../fiscal/assinatura/signatario.ts';
import { type Emitido, emitir } from '../../fiscal/certificado/amostras-de-teste.ts';
import { Autoridades, SEM_AUTORIDADES } from '../../fiscal/certificado/autoridades.ts';
import type { Signatario } from '../../fiscal/tipos.ts';
import { AGORA, type Cofre, EMITENTE, nota, openCofre } from '../cofre-testing.ts';
import { deleteDocumentos } from '../delete/excluir.ts';
import { signatarioDaVersao } from '../lean/signatario-guardado.ts';
import type { Trx } from '../tipos.ts';
import { type DepsDaRenovacao, renewStep } from './renovar-signatarios.ts';

const RAIZ = emitir('Raiz');
const AC = emitir('AC', { por: RAIZ });
const UM = emitir('UM:12345678000195', { por: AC, ca: false });
const OUTRO = emitir('OUTRO:1', { por: emitir('AC Longe', { por: emitir('Raiz Longe') }), ca: false });

const texto = ({ der }: Emitido) => Buffer.from(der).toString('base64');
const COM_RAIZ = new Autoridades({
  raizes: [{ der: RAIZ.der, confianca: 'icp_brasil' }],
  intermediarias: [AC.der],
});
const NENHUMA = { id: 'nenhuma', abrir: () => SEM_AUTORIDADES };
const TODAS = { id: 'todas', abrir: () => COM_RAIZ };

function worth(emitido: Emitido, autoridades = SEM_AUTORIDADES): Signatario {
  return signatarioDoCertificado(texto(emitido), autoridades) ?? assert.fail('no certificate');
}
/** A note as it is read without authorities. */
const assinada = (numero: number, por = UM) =>
  nota({ numero, certificado: texto(por), signatario: worth(por) });
/** Its certificate cannot be cut out, because there are two. */
const comDois = (numero: number, por = UM) =>
  nota({
    numero,
    certificado: `${texto(por)}</X509Certificate><X509Certificate>${texto(OUTRO)}`,
    signatario: worth(por),
  });

describe('signers of stored documents', () => {
  let cofre: Cofre;
  let mudadas: number[];
  let relidas: number;
  let agora: number;
  let deps: DepsDaRenovacao;
  beforeEach(async () => {
    cofre = await openCofre();
    await cofre.registrar(EMITENTE);
    [mudadas, relidas, agora] = [[], 0, AGORA + 60_000];
    deps = {
      db: cofre.db,
      clock: { now: () => agora },
      async reler(bytes) {
        relidas += 1;
        const first = /<X509Certificate>([^<]+)/.exec(Buffer.from(bytes).toString())?.[1] ?? '';
        return signatarioDoCertificado(first, COM_RAIZ);
      },
      async aoMudar(_trx: Trx, versaoIds) {
        mudadas.push(...versaoIds);
      },
    };
  });
  afterEach(() => cofre.db.close());

  async function renovar(conjunto = TODAS, most = 100): Promise<number> {
    let steps = 0;
    while (await renewStep(deps, conjunto)) if (++steps === most) break;
    return steps;
  }

  /** By note. */
  async function cadeias(): Promise<Record<string, string | undefined>> {
    const rows = await cofre.db.read
      .selectFrom('versao')
      .innerJoin('documento', 'documento.id', 'versao.documento_id')
      .leftJoin('conteudo', 'conteudo.versao_id', 'versao.id')
      .leftJoin('certificado_de_documento', 'certificado_de_documento.id', 'conteudo.certificado_id')
      .select(['documento.numero', 'versao.signatario', 'versao.assinatura_titular'])
      .select('certificado_de_documento.signatario as certificado_signatario')
      .orderBy('versao.id')
      .execute();
    return Object.fromEntries(rows.map((row) => [row.numero, signatarioDaVersao(row)?.cadeia]));
  }
  const idsDe = async (...numeros: string[]) =>
    (
      await cofre.db.read
        .selectFrom('versao')
        .innerJoin('documento', 'documento.id', 'versao.documento_id')
        .select('versao.id')
        .where('documento.numero', 'in', numeros)
        .orderBy('versao.id')
        .execute()
    ).map(({ id }) => id);

  it('are judged anew once an authority of theirs is there, and whoever shows them is told which', async () => {
    await cofre.gravar(assinada(1), assinada(2, OUTRO), comDois(3), comDois(4, OUTRO), nota({ numero: 5 }));
    const before = { 1: 'desconhecida', 2: 'desconhecida', 3: 'desconhecida', 4: 'desconhecida' };
    assert.deepEqual(await cadeias(), { ...before, 5: undefined });
    await renovar();
    assert.deepEqual(await cadeias(), { ...before, 1: 'icp_brasil', 3: 'icp_brasil', 5: undefined });
    assert.deepEqual(mudadas, await idsDe('1', '3'));
  });

  it('are not looked at again until there are others', async () => {
    await cofre.gravar(assinada(1), assinada(2, OUTRO), comDois(3, OUTRO));
    await renovar();
    [mudadas, relidas] = [[], 0];
    assert.equal(await renovar(), 0);
    assert.deepEqual([mudadas, relidas], [[], 0]);
  });

  it('stay proven when an authority is not there any more', async () => {
    await cofre.gravar(assinada(1), comDois(2));
    await renovar();
    mudadas = [];
    await renovar(NENHUMA);
    assert.deepEqual(await cadeias(), { 1: 'icp_brasil', 2: 'icp_brasil' });
    assert.deepEqual(mudadas, []);
  });

  it('are judged where nobody had looked so far', async () => {
    await cofre.gravar(assinada(1), comDois(2));
    await cofre.danificar('update versao set signatario = null');
    await cofre.danificar("update certificado_de_documento set signatario = null, autoridades = ''");
    await renovar();
    assert.deepEqual(await cadeias(), { 1: 'icp_brasil', 2: 'icp_brasil' });
    assert.deepEqual(mudadas, await idsDe('1', '2'));
  });

  it('name nobody for a version whose certificate could not be read, though another shows it', async () => {
    const semTitular = assinada(1);
    assert.ok(semTitular.kind === 'registro');
    Object.assign(semTitular.assinatura, { titular: null, signatario: null });
    await cofre.gravar(semTitular);
    await cofre.gravar(assinada(2));
    await renovar();
    assert.deepEqual(await cadeias(), { 1: undefined, 2: 'icp_brasil' });
    assert.deepEqual(mudadas, await idsDe('2'));
  });

  it('are judged of documents that were read before the authorities came, and stored after', async () => {
    await cofre.gravar(assinada(1));
    await renovar();
    mudadas = [];
    cofre.agora = agora;
    await cofre.gravar(assinada(2), comDois(3));
    await renovar();
    assert.deepEqual(await cadeias(), { 1: 'icp_brasil', 2: 'desconhecida', 3: 'desconhecida' });
    agora += 60_000;
    await renovar();
    assert.deepEqual(await cadeias(), { 1: 'icp_brasil', 2: 'icp_brasil', 3: 'icp_brasil' });
    assert.deepEqual(mudadas, await idsDe('2', '3'));
  });

  it('of new documents are not told as changed where they were stored as they are', async () => {
    await cofre.gravar(assinada(1));
    await renovar();
    mudadas = [];
    await cofre.gravar(nota({ numero: 2, certificado: texto(UM), signatario: worth(UM, COM_RAIZ) }));
    agora += 60_000;
    await renovar();
    assert.deepEqual([await cadeias(), mudadas], [{ 1: 'icp_brasil', 2: 'icp_brasil' }, []]);
  });

  it('are judged in steps that are small and kept, so that who is killed goes on', async () => {
    for (let n = 0; n < 5; n++)
      await cofre.gravar(...Array.from({ length: 50 }, (_, i) => assinada(1 + n * 50 + i)));
    await cofre.gravar(...Array.from({ length: 30 }, (_, i) => comDois(1001 + i)));
    const { aoMudar } = deps;
    deps.aoMudar = async (trx, versaoIds) => {
      await aoMudar?.(trx, versaoIds);
      if (mudadas.length > 100) throw new Error('killed');
    };
    await assert.rejects(renovar(), /killed/);
    assert.ok(mudadas.length <= 200, `one step hands on ${mudadas.length - 100} versions`);
    mudadas.length = 100;
    deps.aoMudar = aoMudar as NonNullable<typeof aoMudar>;
    await renovar();
    assert.equal(mudadas.length, 280);
    assert.equal(new Set(mudadas).size, 280);
    assert.deepEqual([...new Set(Object.values(await cadeias()))], ['icp_brasil']);
    assert.equal(relidas, 30);
  });

  it('go with the documents that are deleted', async () => {
    await cofre.gravar(comDois(1));
    const [documento] = await cofre.db.read.selectFrom('documento').select('id').execute();
    await cofre.db.write
      .transaction()
      .execute((trx) =>
        deleteDocumentos(trx, { contadorId: cofre.contadorId, ids: [documento?.id ?? 0], agora }),
      );
    const rows = await cofre.db.read.selectFrom('versao').select('signatario').execute();
    assert.deepEqual(
      rows.map(({ signatario }) => signatario),
      [null],
    );
    await renovar();
    assert.deepEqual([mudadas, relidas], [[], 0]);
  });

  it('are kept with their certificate once, and by the version only where that says another', async () => {
    const proven = { certificado: texto(UM), signatario: worth(UM, COM_RAIZ) };
    await cofre.gravar(nota({ numero: 1, ...proven }), nota({ numero: 2, ...proven }), assinada(3));
    const rows = await cofre.db.read.selectFrom('versao').select('signatario').orderBy('id').execute();
    const letters = rows.map(({ signatario }) => signatario?.[0] ?? null);
    assert.deepEqual(letters, [null, null, 'd']);
    const { validFromDate } = new X509Certificate(UM.der);
    const [kept] = await cofre.db.read.selectFrom('certificado_de_documento').select('signatario').execute();
    assert.match(kept?.signatario ?? '', /^i 12345678000195 \w+ \w+ \w+ \w+$/);
    assert.equal(worth(UM).validade.de, validFromDate.getTime());
  });
});
