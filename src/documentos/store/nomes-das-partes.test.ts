/** Names of the parties: wherever they stand, they are read as they were written in their document. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  type Cofre,
  chaveDe,
  DESTINATARIO,
  EMITENTE,
  evento,
  nota,
  openCofre,
  TERCEIRO,
  TRANSPORTADOR,
} from '../cofre-testing.ts';
import { PAPEL_EM_CODIGO } from '../lean/codigos.ts';
import { findParticipantes } from '../queries.ts';
import { nomesGuardados } from './identidade.ts';

let cofre: Cofre;
beforeEach(async () => {
  cofre = await openCofre();
});
afterEach(() => cofre.db.close());

/** `papel cpfCnpj nome` of the parties of each document. */
async function nomes(): Promise<string[][]> {
  const { db } = cofre;
  const ids = await db.read.selectFrom('documento').select('id').orderBy('id').execute();
  return db.write.transaction().execute(async (trx) => {
    const found: string[][] = [];
    for (const { id } of ids) {
      const rows = await findParticipantes(trx, [id]);
      found.push(
        rows.map(({ papel, cpf_cnpj, nome }) => `${PAPEL_EM_CODIGO.ler(papel)} ${cpf_cnpj} ${nome}`).sort(),
      );
    }
    return found;
  });
}

const escritos = async () =>
  (await cofre.db.read.selectFrom('participante').select(['papel', 'nome']).orderBy('papel').execute()).map(
    ({ papel, nome }) => [PAPEL_EM_CODIGO.ler(papel), nome],
  );

const nomeDe = (papel: string, cpfCnpj: string) => `${papel} ${cpfCnpj} Empresa ${cpfCnpj}`;

describe('names of parties', () => {
  it('that the row of the document has are not written again, and read all the same', async () => {
    await cofre.gravar(nota({ outros: [['transportador', TRANSPORTADOR]] }));
    assert.deepEqual(await nomes(), [
      [
        nomeDe('destinatario', DESTINATARIO),
        nomeDe('emitente', EMITENTE),
        nomeDe('transportador', TRANSPORTADOR),
      ],
    ]);
    assert.deepEqual(await escritos(), [
      ['emitente', ''],
      ['destinatario', ''],
      ['transportador', `Empresa ${TRANSPORTADOR}`],
    ]);
  });

  it('stay with who stays when another version brings other names', async () => {
    await cofre.registrar(DESTINATARIO);
    await cofre.gravar(nota({ cStat: null }));
    await cofre.gravar(nota({ conteudo: 'b', destinatario: TERCEIRO }));
    assert.deepEqual(await nomes(), [
      [
        nomeDe('destinatario', DESTINATARIO),
        nomeDe('destinatario', TERCEIRO),
        nomeDe('emitente', EMITENTE),
      ].sort(),
    ]);
  });

  it('go to the events of their document', async () => {
    await cofre.gravar(nota());
    await cofre.gravar(evento(chaveDe({})));
    const [, doEvento] = await nomes();
    assert.ok(doEvento?.includes(nomeDe('destinatario', DESTINATARIO)), String(doEvento));
  });

  it('of a document of an earlier version are read from where they stand', async () => {
    await cofre.gravar(nota());
    await cofre.db.write
      .updateTable('participante')
      .set({ nome: 'Como estava' })
      .where('papel', '=', PAPEL_EM_CODIGO.escrever('emitente'))
      .execute();
    await cofre.db.write
      .updateTable('participante')
      .set({ nome: null })
      .where('papel', '=', PAPEL_EM_CODIGO.escrever('destinatario'))
      .execute();
    assert.deepEqual(await nomes(), [
      [`destinatario ${DESTINATARIO} null`, `emitente ${EMITENTE} Como estava`],
    ]);
  });

  it('are written where several play one part, or a name is another one', () => {
    const parte = (papel: 'emitente' | 'tomador' | 'destinatario' | 'autorizado', nome: string | null) => ({
      papel,
      cpfCnpj: EMITENTE,
      nome,
    });
    assert.deepEqual(
      nomesGuardados([
        parte('emitente', 'ANA'),
        parte('emitente', 'BIA'),
        parte('tomador', 'CAI'),
        parte('destinatario', 'DAN'),
        parte('destinatario', 'CAI'),
        parte('autorizado', 'ANA'),
        parte('autorizado', null),
        parte('tomador', ''),
      ]),
      ['', 'BIA', '', 'DAN', '', 'ANA', null, null],
    );
  });
});
