import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { type BancoAberto, openBanco } from '../../../test/support/bancos.ts';
import type { Logger } from '../../deps.ts';
import { guardar, keepAEnsinar } from '../../documentos/leiautes/a-ensinar.ts';
import { saveEnsinado } from '../../documentos/leiautes/ensinados.ts';
import { findNotas } from '../../documentos/leiautes/queries-leiautes.ts';
import { onFailpoint } from '../../platform/failpoint.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import { openDiskBlobStore } from '../../platform/storage/disk.ts';
import { Familias } from '../reading/familias.ts';
import { LeiautesEmUso } from '../reading/leiautes-em-uso.ts';
import { readContent } from '../reading/leitor.ts';
import type { Leitor } from '../reading/leitores.ts';
import { entradasDe } from '../unpack/entradas.ts';
import { type DepsDoReleitor, relerEnsinadas } from './reler-ensinadas.ts';

const PRESTADOR = '30201040000162';
const AGORA = Date.UTC(2026, 5, 1);
const LEIAUTE = {
  id: 'serra-nova',
  nome: 'Serra Nova',
  fonte: 'teste',
  nota: { elemento: ['Folha'], tem: ['./Ordem'] },
  numero: ['./Ordem'],
  data: { campos: ['./Dia'] },
  prestador: { cpfCnpj: ['./Prestador'] },
  valor: ['./Servico'],
};
const nota = (numero: number, elemento = 'Folha') =>
  Buffer.from(
    `<${elemento}><Ordem>${numero}</Ordem><Dia>10/03/2026</Dia><Prestador>${PRESTADOR}</Prestador><Servico>1,00</Servico></${elemento}>`,
  );

describe('what waited for a layout, once it is taught', () => {
  const folder = mkdtempSync(join(tmpdir(), 'malote-reler-'));
  const clock = { now: () => AGORA };
  let banco: BancoAberto;
  let storage: BlobStore;
  let leiautes: LeiautesEmUso;
  let deps: DepsDoReleitor;

  /** As a reader thread does, with the office's layouts. */
  const leitor: Pick<Leitor, 'read'> = {
    async read(entradas, dono = 0) {
      const familias = new Familias().de({ dono, leiautes: leiautes.atual(dono) });
      const validador = {
        validar: () => ({ resultado: 'nao_verificado' as const, esquema: null, motivo: null }),
      };
      const pecas = entradas.map((one) =>
        'bytes' in one ? readContent(one, { validador, ...(familias && { familias }) }) : [],
      );
      return { pecas, memorias: [], segundos: 0 };
    },
  };

  beforeEach(async () => {
    banco = await openBanco();
    const { db } = banco;
    storage = await openDiskBlobStore(mkdtempSync(join(folder, 'arquivos-')));
    await db.write
      .insertInto('contador')
      .values({ codigo_crm: '000001', nome: 'n', email: 'e', criado_em: AGORA })
      .execute();
    leiautes = new LeiautesEmUso(db.read);
    deps = { db, storage, clock, leitor, leiautes, log: {} as Logger };
    await esperar([nota(2), nota(1), nota(3, 'Outra')]);
    await saveEnsinado(deps, { contadorId: 1, autor: 'teste', valor: LEIAUTE, origem: 'ensinado' });
    await leiautes.olhar();
  });
  afterEach(async () => {
    onFailpoint(null);
    await banco.close();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const esperar = (notas: readonly Buffer[]) =>
    banco.db.write.transaction().execute((trx) =>
      keepAEnsinar(trx, {
        contadorId: 1,
        agora: AGORA,
        chegadas: notas.map((bytes, at) => ({
          guardado: guardar({ forma: 'f', bytes }, 0),
          arquivoNumero: 1,
          itemOrdem: at + 1,
          caminho: `n${at}.xml`,
        })),
      }),
    );
  const arquivos = () => banco.db.read.selectFrom('arquivo').selectAll().execute();
  const esperam = async () =>
    (await findNotas(banco.db.read, { contadorId: 1, depoisDe: 0, limite: 9 })).map(({ caminho }) => caminho);

  it('becomes one upload in the order of arrival; what is still not read goes on waiting', async () => {
    await relerEnsinadas(deps, 1);
    const [arquivo, outro] = await arquivos();
    assert.ok(arquivo?.blob && !outro);
    assert.deepEqual([arquivo.origem, arquivo.status], ['sistema', 'Em Processamento']);
    const numeros: string[] = [];
    for await (const entrada of entradasDe({ bytes: await storage.get(arquivo.blob), prontas: 0 }))
      if ('bytes' in entrada)
        numeros.push(/<Ordem>(\d)/.exec(Buffer.from(entrada.bytes).toString())?.[1] ?? '');
    assert.deepEqual(numeros, ['2', '1']);
    assert.deepEqual(await esperam(), ['n2.xml']);
    // It was tried, and is not tried again before another layout is taught.
    await relerEnsinadas(deps, 1);
    assert.equal((await arquivos()).length, 1);
  });

  it('is not lost, nor taken in twice, where the process dies before the commit', async () => {
    onFailpoint((name) => {
      if (name === 'ensinadas_antes_do_commit') throw new Error('died here');
    });
    await assert.rejects(relerEnsinadas(deps, 1), /died here/);
    assert.deepEqual([await arquivos(), await esperam()], [[], ['n0.xml', 'n1.xml', 'n2.xml']]);
    onFailpoint(null);
    await relerEnsinadas(deps, 1);
    assert.deepEqual([(await arquivos()).length, await esperam()], [1, ['n2.xml']]);
  });

  it('waits until what came before it is imported, so that the order stays', async () => {
    await relerEnsinadas(deps, 1);
    await esperar([nota(7)]);
    await relerEnsinadas(deps, 1);
    assert.equal((await arquivos()).length, 1);
    await banco.db.write.updateTable('arquivo').set({ status: 'Uploaded' }).execute();
    await relerEnsinadas(deps, 1);
    assert.equal((await arquivos()).length, 2);
  });

  it('is taken by one of two processes that look at once, and the other leaves nothing behind', async () => {
    const kept = new Set<string>();
    const counted: BlobStore = Object.assign(Object.create(storage) as BlobStore, {
      put: (...args: Parameters<BlobStore['put']>) => {
        kept.add(args[0]);
        return storage.put(...args);
      },
      delete: async (key: string) => {
        kept.delete(key);
        await storage.delete(key);
      },
    });
    const other = { ...deps, storage: counted };
    const slow: Pick<Leitor, 'read'> = {
      async read(entradas, dono) {
        // The other one is done meanwhile.
        if (kept.size === 0) await relerEnsinadas(other, 1);
        return leitor.read(entradas, dono);
      },
    };
    await relerEnsinadas({ ...other, leitor: slow }, 1);
    const [arquivo, outro] = await arquivos();
    assert.equal(outro, undefined);
    assert.deepEqual([...kept], [arquivo?.blob]);
  });
});
