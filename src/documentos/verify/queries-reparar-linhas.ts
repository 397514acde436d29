/** Statements that write rows again from what they follow from (`reparar-linhas.ts`). */
import type { Updateable } from 'kysely';
import type { TabelaDocumento, TabelaParticipante, TabelaVersao } from '../../banco/tabelas.ts';
import { comHash, writeHash } from '../bytes/hash-guardado.ts';
import { addParticipantes } from '../queries.ts';
import { COLUNAS_GUARDADAS } from '../queries-leitura.ts';
import { insertPalavras } from '../store/queries-empresas.ts';
import type { Trx } from '../tipos.ts';

export async function writeVersao(trx: Trx, id: number, set: Updateable<TabelaVersao>): Promise<void> {
  await trx.updateTable('versao').set(set).where('id', '=', id).execute();
}

/** What was prepared of it does not stand any more. */
export async function writeDocumento(trx: Trx, id: number, set: Updateable<TabelaDocumento>): Promise<void> {
  await trx
    .updateTable('documento')
    .set((eb) => ({ ...set, revisao: eb('revisao', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** A party that is there gets its name again. */
export async function writeParte(trx: Trx, parte: TabelaParticipante): Promise<void> {
  await addParticipantes(trx, [parte]);
  await trx
    .updateTable('participante')
    .set({ nome: parte.nome })
    .where('documento_id', '=', parte.documento_id)
    .where('papel', '=', parte.papel)
    .where('cpf_cnpj', '=', parte.cpf_cnpj)
    .execute();
}

/**
 * When a document came, by its own row, by its first version, and by the entries that listing rows show.
 * @returns undefined where it has no version
 */
export async function findChegada(trx: Trx, documentoId: number) {
  const primeira = await trx
    .selectFrom('versao')
    .innerJoin('documento', 'documento.id', 'versao.documento_id')
    .select([
      'versao.id as versaoId',
      'versao.importado_em as daVersao',
      'documento.importado_em as doDocumento',
    ])
    .where('documento_id', '=', documentoId)
    .orderBy('versao.id')
    .limit(1)
    .executeTakeFirst();
  if (!primeira) return undefined;
  const entradas = await trx
    .selectFrom('participacao')
    .innerJoin('entrada', (join) =>
      join
        .onRef('entrada.cliente_id', '=', 'participacao.cliente_id')
        .onRef('entrada.nsu', '=', 'participacao.nsu'),
    )
    .select('entrada.importado_em')
    .where('participacao.documento_id', '=', documentoId)
    .execute();
  return { ...primeira, entradas: entradas.map(({ importado_em }) => importado_em) };
}

/** @returns whether there is such an entry; primary key */
export async function writeDocumentoDaEntrada(
  trx: Trx,
  input: { clienteId: number; nsu: number; documentoId: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('entrada')
    .set({ documento_id: input.documentoId })
    .where('cliente_id', '=', input.clienteId)
    .where('nsu', '=', input.nsu)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Primary key. */
export async function writeInstanteDaEntrada(
  trx: Trx,
  input: { clienteId: number; nsu: number; importadoEm: number },
): Promise<void> {
  await trx
    .updateTable('entrada')
    .set({ importado_em: input.importadoEm })
    .where('cliente_id', '=', input.clienteId)
    .where('nsu', '=', input.nsu)
    .execute();
}

/** A company's name becomes what it was; primary key. */
export async function writeNome(
  trx: Trx,
  input: { contadorId: number; cpfCnpj: string; nome: string; era: string },
): Promise<void> {
  await trx
    .updateTable('empresa')
    .set({ nome: input.era })
    .where('contador_id', '=', input.contadorId)
    .where('cpf_cnpj', '=', input.cpfCnpj)
    .where('nome', '=', input.nome)
    .execute();
}

export async function findTextoDoCertificado(trx: Trx, id: number): Promise<string | null> {
  const row = await trx
    .selectFrom('certificado_de_documento')
    .select('texto')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.texto ?? null;
}

/** Some documents that are stored without a certificate; all contents are read. */
export async function findUsosDoCertificado(trx: Trx, id: number) {
  const rows = await trx
    .selectFrom('conteudo')
    .innerJoin('versao', 'versao.id', 'conteudo.versao_id')
    .leftJoin('bloco', 'bloco.id', 'conteudo.bloco_id')
    .leftJoin('certificado_de_documento', 'certificado_de_documento.id', 'conteudo.certificado_id')
    .select(['versao.sha256', ...COLUNAS_GUARDADAS])
    .where('conteudo.certificado_id', '=', id)
    .limit(5)
    .execute();
  return rows.map(comHash);
}

export async function writeHashDoCertificado(trx: Trx, id: number, sha256: string): Promise<void> {
  await trx
    .updateTable('certificado_de_documento')
    .set({ sha256: writeHash(sha256) })
    .where('id', '=', id)
    .execute();
}

/** Primary key. */
export async function writeTitularDoCertificado(
  trx: Trx,
  id: number,
  set: { titular: string | null; signatario: string | null },
): Promise<void> {
  await trx.updateTable('certificado_de_documento').set(set).where('id', '=', id).execute();
}

export async function replacePalavras(
  trx: Trx,
  input: { contadorId: number; cpfCnpj: string; palavras: readonly string[] },
): Promise<void> {
  const { contadorId: contador_id, cpfCnpj: cpf_cnpj } = input;
  await trx
    .deleteFrom('empresa_palavra')
    .where('contador_id', '=', contador_id)
    .where('cpf_cnpj', '=', cpf_cnpj)
    .execute();
  await insertPalavras(
    trx,
    input.palavras.map((palavra) => ({ contador_id, palavra, cpf_cnpj })),
  );
}
