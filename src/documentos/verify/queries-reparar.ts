/** Statements of the repair (`reparar.ts`): what follows from other rows is made from them again. */
import { idChunks } from '../bytes/chunks.ts';
import { comHash, writeHash } from '../bytes/hash-guardado.ts';
import { CLASSE_EM_CODIGO, STATUS_EM_CODIGO } from '../lean/codigos.ts';
import { COLUNAS_GUARDADAS } from '../queries-leitura.ts';
import type { Trx } from '../tipos.ts';

/** Offices of these documents. */
export async function findContadores(trx: Trx, documentoIds: readonly number[]): Promise<number[]> {
  const found = new Set<number>();
  for (const part of idChunks(documentoIds)) {
    const rows = await trx
      .selectFrom('documento')
      .select('contador_id')
      .distinct()
      .where('id', 'in', part)
      .execute();
    for (const row of rows) found.add(row.contador_id);
  }
  return [...found];
}

/** Office of a client; undefined when there is no such client. */
export async function findContadorDoCliente(trx: Trx, clienteId: number): Promise<number | undefined> {
  const row = await trx
    .selectFrom('cliente')
    .select('contador_id')
    .where('id', '=', clienteId)
    .executeTakeFirst();
  return row?.contador_id;
}

/** The daily counts of a client go, to be counted anew. */
export async function deleteContagens(trx: Trx, clienteId: number): Promise<void> {
  await trx.deleteFrom('contagem').where('cliente_id', '=', clienteId).execute();
}

/** What was prepared or remembered of a client does not stand any more. */
export async function touchCliente(trx: Trx, clienteId: number): Promise<void> {
  await trx
    .updateTable('cliente')
    .set((eb) => ({ revisao: eb('revisao', '+', 1) }))
    .where('id', '=', clienteId)
    .execute();
}

/** The listing rows of a document repeat it again. @returns the clients that have one */
export async function copyToParticipacoes(trx: Trx, documentoId: number): Promise<number[]> {
  const doc = await trx
    .selectFrom('documento')
    .select(['classe', 'modelo', 'emitido_em', 'status', 'carta_correcao'])
    .where('id', '=', documentoId)
    .executeTakeFirst();
  if (!doc) return [];
  const rows = await trx
    .updateTable('participacao')
    .set({
      ...doc,
      classe: CLASSE_EM_CODIGO.escrever(doc.classe),
      status: STATUS_EM_CODIGO.escrever(doc.status),
    })
    .where('documento_id', '=', documentoId)
    .returning('cliente_id')
    .execute();
  return rows.map((row) => row.cliente_id);
}

/** Newest NSU of a document in a client's feed; null when there is none. The feed of one client is read. */
export async function findNsuMaisNovo(
  trx: Trx,
  input: { clienteId: number; documentoId: number },
): Promise<number | null> {
  const row = await trx
    .selectFrom('entrada')
    .select(({ fn }) => fn.max('nsu').as('nsu'))
    .where('cliente_id', '=', input.clienteId)
    .where('documento_id', '=', input.documentoId)
    .executeTakeFirst();
  return row?.nsu ?? null;
}

/** The NSU that a listing row shows; primary key. */
export async function updateNsuListado(
  trx: Trx,
  input: { clienteId: number; documentoId: number; nsu: number },
): Promise<void> {
  await trx
    .updateTable('participacao')
    .set({ nsu: input.nsu })
    .where('cliente_id', '=', input.clienteId)
    .where('documento_id', '=', input.documentoId)
    .execute();
}

/** All versions of a document, the oldest first. */
export async function findVersoes(trx: Trx, documentoId: number) {
  return trx
    .selectFrom('versao')
    .select(['id', 'protocolado', 'assinatura', 'servida'])
    .where('documento_id', '=', documentoId)
    .orderBy('id')
    .execute();
}

/** Takes the mark from all before it gives it to one, since two may never have it. */
export async function serveVersao(trx: Trx, input: { documentoId: number; versaoId: number }): Promise<void> {
  await trx.updateTable('versao').set({ servida: 0 }).where('documento_id', '=', input.documentoId).execute();
  await trx.updateTable('versao').set({ servida: 1 }).where('id', '=', input.versaoId).execute();
}

/** What a damaged version should be, and where it came from. */
export async function findVersaoDanificada(trx: Trx, versaoId: number) {
  const row = await versoesComOrigem(trx).where('versao.id', '=', versaoId).executeTakeFirst();
  return row && comHash(row);
}

/** The uploads that damaged versions came in, of those that name one; primary keys. */
export async function findOrigens(
  trx: Trx,
  versaoIds: readonly number[],
): Promise<{ id: number; sha256: string; arquivo_id: string; blob: string | null }[]> {
  const found = [];
  for (const part of idChunks(versaoIds)) {
    const rows = await trx
      .selectFrom('versao')
      .innerJoin('arquivo', 'arquivo.numero', 'versao.arquivo_numero')
      .select(['versao.id', 'versao.sha256', 'arquivo.id as arquivo_id', 'arquivo.blob'])
      .where('versao.id', 'in', part)
      .execute();
    found.push(...rows.map(comHash));
  }
  return found;
}

/** What the bytes of a version are. */
export async function writeSoma(
  trx: Trx,
  { id, sha256, tamanho }: { id: number; sha256: string; tamanho: number },
): Promise<void> {
  await trx
    .updateTable('versao')
    .set({ sha256: writeHash(sha256), tamanho })
    .where('id', '=', id)
    .execute();
}

/** The other versions of the same content, the oldest first; index `versao_documento`. */
export async function findIrmas(trx: Trx, versaoId: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('versao')
    .innerJoin('versao as sua', 'sua.documento_id', 'versao.documento_id')
    .select('versao.id')
    .whereRef('sua.digest', '=', 'versao.digest')
    .where('sua.id', '=', versaoId)
    .where('versao.id', '<>', versaoId)
    .orderBy('versao.id')
    .execute();
  return rows.map(({ id }) => id);
}

function versoesComOrigem(trx: Trx) {
  return trx
    .selectFrom('versao')
    .innerJoin('documento', 'documento.id', 'versao.documento_id')
    .leftJoin('conteudo', 'conteudo.versao_id', 'versao.id')
    .leftJoin('bloco', 'bloco.id', 'conteudo.bloco_id')
    .leftJoin('certificado_de_documento', 'certificado_de_documento.id', 'conteudo.certificado_id')
    .leftJoin('arquivo', 'arquivo.numero', 'versao.arquivo_numero')
    .select([
      'versao.id',
      'versao.sha256',
      'versao.tamanho',
      'versao.codificacao',
      ...COLUNAS_GUARDADAS,
      'documento.contador_id',
      'documento.chave',
      'arquivo.id as arquivo_id',
      'arquivo.blob',
    ]);
}

/** @returns the certificate that its bytes needed and the block that they stood in; undefined when there were none */
export async function deleteConteudo(trx: Trx, versaoId: number) {
  return trx
    .deleteFrom('conteudo')
    .where('versao_id', '=', versaoId)
    .returning(['certificado_id', 'bloco_id'])
    .executeTakeFirst();
}

/** Stored bytes, with the block and the certificate that they need; primary keys. */
export async function findConteudo(trx: Trx, versaoId: number) {
  return trx
    .selectFrom('conteudo')
    .leftJoin('bloco', 'bloco.id', 'conteudo.bloco_id')
    .leftJoin('certificado_de_documento', 'certificado_de_documento.id', 'conteudo.certificado_id')
    .select(COLUNAS_GUARDADAS)
    .where('conteudo.versao_id', '=', versaoId)
    .executeTakeFirst();
}

/** Versions with these hashes, with their bytes. All versions are read: whoever asks so is to delete what should not be there. */
export async function findComSoma(trx: Trx, sha256s: readonly string[]) {
  const rows = await versoesComOrigem(trx)
    .where('versao.sha256', 'in', sha256s.map(writeHash))
    .limit(10)
    .execute();
  return rows.map(comHash);
}

/** Certificates that documents of an office are stored without; unique index, a few rows. */
export async function findTextosDeCertificados(trx: Trx, contadorId: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('certificado_de_documento')
    .select('texto')
    .where('contador_id', '=', contadorId)
    .execute();
  return rows.map(({ texto }) => texto);
}

/** Office of the block in which the bytes of a version stand; undefined when they stand in none. Primary keys. */
export async function findContadorDoBloco(trx: Trx, versaoId: number): Promise<number | undefined> {
  const row = await trx
    .selectFrom('conteudo')
    .innerJoin('bloco', 'bloco.id', 'conteudo.bloco_id')
    .select('bloco.contador_id')
    .where('conteudo.versao_id', '=', versaoId)
    .executeTakeFirst();
  return row?.contador_id;
}

/** One that was awaited though it is there; primary key. */
export async function deleteEsperado(trx: Trx, input: { contadorId: number; chave: string }): Promise<void> {
  await trx
    .deleteFrom('esperado')
    .where('contador_id', '=', input.contadorId)
    .where('chave', '=', input.chave)
    .execute();
}
