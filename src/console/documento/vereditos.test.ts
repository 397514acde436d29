/** What was found of a version, in words, wherever its texts are kept. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  AGORA,
  type Cofre,
  collect,
  EMITENTE,
  nota,
  type OpcoesDaNota,
  openCofre,
} from '../../documentos/cofre-testing.ts';
import { deleteDocumentos } from '../../documentos/delete/excluir.ts';
import type { PecaLida } from '../../documentos/tipos.ts';
import { verifyCofre } from '../../documentos/verify/verificar.ts';
import { findVersoes } from './queries-documento.ts';
import { vereditosDe } from './vereditos.ts';

const CERTIFICADO = 'MIIG'.repeat(200);

let cofre: Cofre;
beforeEach(async () => {
  cofre = await openCofre();
  await cofre.registrar(EMITENTE);
});
afterEach(() => cofre.db.close());

/** A note whose signer and schema are told. */
function julgada(
  input: { titular: string | null; esquema?: string | null } & OpcoesDaNota,
): Extract<PecaLida, { kind: 'registro' }> {
  const { titular, esquema = 'procNFe_v4.00.xsd (PL_010b)', ...opcoes } = input;
  const peca = nota(opcoes);
  assert.ok(peca.kind === 'registro');
  return {
    ...peca,
    assinatura: { ...peca.assinatura, titular },
    esquema: { ...peca.esquema, esquema },
  };
}

/** Signer and schema of every version, in the order of their documents. */
async function detalhes(): Promise<(string | null)[][]> {
  const ids = await cofre.db.read.selectFrom('documento').select('id').orderBy('id').execute();
  const found: (string | null)[][] = [];
  for (const { id } of ids) {
    for (const versao of await findVersoes(cofre.db.read, id)) {
      const { assinatura, esquema } = vereditosDe(versao);
      found.push([assinatura.detalhe, esquema.detalhe]);
    }
  }
  return found;
}

describe('the verdicts of a version', () => {
  it('name signer and schema as they were read, though these are kept once for all', async () => {
    const versoes: (Parameters<typeof julgada>[0] & { diz: (string | null)[] })[] = [
      { titular: null, certificado: CERTIFICADO, diz: [null, 'procNFe_v4.00.xsd (PL_010b)'] },
      { titular: 'ANA', certificado: CERTIFICADO, diz: ['Certificado: ANA', 'procNFe_v4.00.xsd (PL_010b)'] },
      { titular: 'ANA', diz: ['Certificado: ANA', 'procNFe_v4.00.xsd (PL_010b)'] },
      {
        titular: 'BIA',
        certificado: CERTIFICADO,
        esquema: 'outro.xsd',
        diz: ['Certificado: BIA', 'outro.xsd'],
      },
      { titular: '', certificado: CERTIFICADO, esquema: null, diz: [null, null] },
    ];
    for (const together of [true, false]) {
      const pecas = versoes.map((versao, i) => julgada({ ...versao, numero: i + (together ? 1 : 100) }));
      if (together) await cofre.gravar(...pecas);
      else for (const peca of pecas) await cofre.gravar(peca);
    }
    const said = versoes.map(({ diz }) => diz);
    assert.deepEqual(await detalhes(), [...said, ...said]);
    const nomes = await cofre.db.read.selectFrom('nome_de_esquema').select('nome').orderBy('nome').execute();
    assert.deepEqual(
      nomes.map(({ nome }) => nome),
      ['outro.xsd', 'procNFe_v4.00.xsd (PL_010b)'],
    );
    const titulares = await cofre.db.read
      .selectFrom('versao')
      .select(['assinatura_titular', 'esquema_nome'])
      .where('assinatura_titular', 'is not', null)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      titulares.map((row) => row.assinatura_titular),
      ['', 'ANA', 'BIA', '', 'ANA', 'BIA'],
      'a name that the certificate has is not repeated',
    );
    assert.ok(titulares.every(({ esquema_nome }) => esquema_nome === null));
  });

  it('read what earlier versions wrote', async () => {
    await cofre.gravar(julgada({ titular: 'ANA', certificado: CERTIFICADO }));
    await cofre.db.write
      .updateTable('versao')
      .set({ assinatura_titular: 'EVA', esquema_nome: 'antigo.xsd', esquema_nome_id: null })
      .execute();
    await cofre.db.write.updateTable('certificado_de_documento').set({ titular: null }).execute();
    assert.deepEqual(await detalhes(), [['Certificado: EVA', 'antigo.xsd']]);
    await cofre.gravar(julgada({ titular: 'EVA', certificado: CERTIFICADO, numero: 2 }));
    assert.deepEqual((await detalhes())[1], ['Certificado: EVA', 'procNFe_v4.00.xsd (PL_010b)']);
  });

  it('forget whom the certificate names with the last document that carries it', async () => {
    await cofre.gravar(
      julgada({ titular: 'ANA', certificado: CERTIFICADO }),
      julgada({ titular: 'ANA', certificado: CERTIFICADO, numero: 2 }),
    );
    const ids = (await cofre.db.read.selectFrom('documento').select('id').orderBy('id').execute()).map(
      ({ id }) => id,
    );
    const excluir = (id: number | undefined) =>
      cofre.db.write
        .transaction()
        .execute((trx) =>
          deleteDocumentos(trx, { contadorId: cofre.contadorId, ids: [id ?? 0], agora: AGORA }),
        );
    await excluir(ids[0]);
    assert.deepEqual(
      (await detalhes()).map(([titular]) => titular),
      [null, 'Certificado: ANA'],
    );
    await excluir(ids[1]);
    assert.deepEqual(await cofre.db.read.selectFrom('certificado_de_documento').selectAll().execute(), []);
    assert.deepEqual(await collect(verifyCofre(cofre.db.read)), []);
  });
});
