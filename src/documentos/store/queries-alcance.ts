/** Statements of what somebody who is limited to some clients may bring in. One function is one statement. */
import { idChunks } from '../bytes/chunks.ts';
import type { Trx } from '../tipos.ts';

/** CPF/CNPJ of some clients of an office; primary key. */
export async function findCpfCnpjs(
  trx: Trx,
  input: { contadorId: number; clienteIds: readonly number[] },
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const part of idChunks(input.clienteIds)) {
    const rows = await trx
      .selectFrom('cliente')
      .select('cpf_cnpj')
      .where('contador_id', '=', input.contadorId)
      .where('id', 'in', part)
      .execute();
    for (const { cpf_cnpj } of rows) found.add(cpf_cnpj);
  }
  return found;
}

/** Which of these keys are of documents that one of some clients takes part in; index `documento_chave`, then `participacao_documento`. */
export async function findChavesDosClientes(
  trx: Trx,
  input: { contadorId: number; clienteIds: readonly number[]; chaves: readonly string[] },
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const part of idChunks(input.chaves)) {
    const rows = await trx
      .selectFrom('documento')
      .innerJoin('participacao', 'participacao.documento_id', 'documento.id')
      .select('documento.chave')
      .where('documento.contador_id', '=', input.contadorId)
      .where('documento.chave', 'in', part)
      .where('documento.classe', '<>', 'evento')
      .where('participacao.cliente_id', 'in', input.clienteIds)
      .execute();
    for (const { chave } of rows) found.add(chave);
  }
  return found;
}
