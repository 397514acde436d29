/**
 * Which clients take part in documents that a batch brings. Of a document whose rows have just been inserted this follows
 * from the rows, without asking for them again: what `findParticipacoesEmFalta` would answer.
 */
import type { Flag } from '../../banco/tabelas.ts';
import type { Papel } from '../../fiscal/tipos.ts';
import type { RegistroSemItens, Trx } from '../tipos.ts';
import { idDe } from './candidatos.ts';
import { participantesDe } from './identidade.ts';
import type { Novo } from './inserir.ts';
import { findClientesEntre, type PapelDeCliente } from './queries-entradas.ts';

const SEM_CARTA: Flag = 0;

/**
 * Clients among the parties of these records, by CPF or CNPJ. With the office locked nobody becomes one until the
 * transaction ends (`registerCliente`).
 */
export async function clientesEntre(
  trx: Trx,
  input: { contadorId: number; registros: readonly RegistroSemItens[] },
): Promise<ReadonlyMap<string, number>> {
  const cpfCnpjs = new Set<string>();
  for (const registro of input.registros)
    for (const { cpfCnpj } of participantesDe(registro)) cpfCnpjs.add(cpfCnpj);
  return findClientesEntre(trx, { contadorId: input.contadorId, cpfCnpjs: [...cpfCnpjs] });
}

/**
 * @param novos whose rows are there, as they were inserted
 * @param clientes from {@link clientesEntre}
 */
export function papeisDosNovos(
  novos: readonly Novo[],
  clientes: ReadonlyMap<string, number>,
): PapelDeCliente[] {
  const papeis: PapelDeCliente[] = [];
  for (const novo of novos) {
    for (const { papel, cpfCnpj } of novo.participantes) {
      const clienteId = clientes.get(cpfCnpj);
      if (clienteId !== undefined) papeis.push(papelDe(novo, { clienteId, papel }));
    }
  }
  return papeis;
}

function papelDe(
  { candidato, linha }: Novo,
  { clienteId, papel }: { clienteId: number; papel: Papel },
): PapelDeCliente {
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
}
