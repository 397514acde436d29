/** What a document's row and its parties become when another of its versions is served, and who is told of it. */
import type { Julgamento } from '../../fiscal/tipos.ts';
import type { Motivo } from '../lean/motivos.ts';
import * as queries from '../queries.ts';
import type { RegistroAGuardar, Trx } from '../tipos.ts';
import { noteEmpresas } from './empresas.ts';
import { comPapelMaisForte, type NovaParticipacao } from './entregar.ts';
import { linhaDeDocumento, participantesDe } from './identidade.ts';
import { linhasDeParticipantes, partesDe } from './inserir.ts';
import * as entradas from './queries-entradas.ts';

export interface VersaoLida {
  registro: RegistroAGuardar;
  prova: Julgamento;
}

/**
 * The row takes the fields and the parties of the version that is served now. Parties that the former version alone named stay
 * if they are clients who have the document: an entry is never taken away.
 */
export async function servirLida(
  trx: Trx,
  input: { id: number; contadorId: number; agora: number; alegado: string | null; lida: VersaoLida },
): Promise<void> {
  const { id, contadorId, lida } = input;
  const participantes = participantesDe(lida.registro);
  const novos = linhasDeParticipantes(participantes, { contadorId, id });
  await queries.deleteParticipantesAntigos(trx, { documentoId: id, novos: novos.map((p) => p.cpf_cnpj) });
  // Who stays keeps the name that the former version has for it.
  await queries.writeNomesDosParticipantes(trx, id);
  await queries.replaceDocumento(trx, id, linhaDeDocumento(lida, input));
  await queries.addParticipantes(trx, novos);
  await noteEmpresas(trx, { contadorId, partes: partesDe(participantes) });
}

/**
 * A document that shows something else is announced again to all who have it.
 * @param porque why, by document
 */
export async function outraEntrada(
  trx: Trx,
  porque: ReadonlyMap<number, Motivo>,
): Promise<NovaParticipacao[]> {
  if (porque.size === 0) return [];
  const ids = [...porque.keys()];
  const listadas = await entradas.findParticipacoes(trx, ids);
  const anteriores = new Map(listadas.map(({ nsu: _nsu, ...linha }) => [chaveDeListagem(linha), linha]));
  const agora = comPapelMaisForte(await entradas.findPapeisListados(trx, ids));
  return agora.map((nova) => ({
    ...nova,
    anterior: anteriores.get(chaveDeListagem(nova)) ?? null,
    motivo: porque.get(nova.documento_id) ?? null,
  }));
}

function chaveDeListagem(linha: { cliente_id: number; documento_id: number }): string {
  return `${linha.cliente_id}/${linha.documento_id}`;
}
