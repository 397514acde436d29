/**
 * Which clients take part in documents that a batch brings. Of a document whose rows have just been inserted this follows
 * from the rows, without asking for them again: what `findParticipacoesEmFalta` would answer.
 */
import type { Flag } from '../banco/tabelas.ts';
import type { Participante } from '../fiscal/tipos.ts';
import { idDe } from './candidatos.ts';
import type { Novo } from './inserir.ts';
import { findClientesEntre, type PapelDeCliente } from './queries-entradas.ts';
import type { Trx } from './tipos.ts';

const SEM_CARTA: Flag = 0;

/**
 * Clients among the parties of these documents, by CPF or CNPJ. With the office locked nobody becomes one until the
 * transaction ends (`registerCliente`).
 */
export async function clientesEntre(
  trx: Trx,
  input: { contadorId: number; documentos: readonly (readonly Participante[])[] },
): Promise<ReadonlyMap<string, number>> {
  const { contadorId, documentos } = input;
  const cpfCnpjs = [...new Set(documentos.flatMap((partes) => partes.map(({ cpfCnpj }) => cpfCnpj)))];
  return findClientesEntre(trx, { contadorId, cpfCnpjs });
}

/**
 * @param novos whose rows are there, as they were inserted
 * @param clientes from {@link clientesEntre}
 */
export function papeisDosNovos(
  novos: readonly Novo[],
  clientes: ReadonlyMap<string, number>,
): PapelDeCliente[] {
  return novos.flatMap(({ candidato, linha, participantes }) =>
    participantes.flatMap(({ papel, cpfCnpj }) => {
      const clienteId = clientes.get(cpfCnpj);
      if (clienteId === undefined) return [];
      return {
        cliente_id: clienteId,
        documento_id: idDe(candidato),
        papel,
        ambiente: linha.ambiente,
        classe: linha.classe,
        modelo: linha.modelo,
        emitido_em: linha.emitido_em,
        dia: linha.dia,
        status: linha.status,
        carta_correcao: SEM_CARTA,
      };
    }),
  );
}
