/**
 * The vault's only way out: bytes and personal data of documents are deleted, a tombstone stays. Entries keep their
 * NSU and answer without content, for whoever counts on dense numbers; a document that comes again afterwards is
 * stored anew and announced again.
 */
import { enxugarBlocos } from '../bytes/blocos.ts';
import { releaseCertificados } from '../bytes/certificados.ts';
import { esquecerNomes } from '../store/empresas.ts';
import { findPartes } from '../store/queries-empresas.ts';
import type { Trx } from '../tipos.ts';
import * as queries from './queries-exclusao.ts';

/**
 * Deletes documents of one office. Who may delete what is decided by `retencao/`.
 * @returns how many were not deleted before
 */
export async function deleteDocumentos(
  trx: Trx,
  input: { contadorId: number; ids: readonly number[]; agora: number },
): Promise<number> {
  const buried = await queries.buryDocumentos(trx, input);
  const apagados = await queries.deleteConteudosDe(trx, input.ids);
  await releaseCertificados(
    trx,
    apagados.map(({ certificado_id }) => certificado_id),
  );
  await enxugarBlocos(
    trx,
    apagados.map(({ bloco_id }) => bloco_id),
  );
  await queries.deleteVersoesGuardadas(trx, input.ids);
  await queries.emptyVersoesServidas(trx, input.ids);
  await queries.deleteFinalidadesDe(trx, input.ids);
  const nomeados = await findPartes(trx, input.ids);
  await queries.deleteParticipantesEstranhos(trx, input.ids);
  await queries.anonymizeParticipantes(trx, input.ids);
  await esquecerNomes(trx, { contadorId: input.contadorId, cpfCnpjs: nomeados });
  return buried;
}
