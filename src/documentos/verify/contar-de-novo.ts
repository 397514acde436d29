import type { TabelaContagem } from '../../banco/tabelas.ts';
import { diaDe } from '../../fiscal/dia.ts';
import { STATUS_EM_CODIGO, TIPO_EM_CODIGO } from '../lean/codigos.ts';
import type { Leitor } from '../queries-leitura.ts';
import { somar } from '../store/contagens.ts';
import { countPorHora } from './queries-verificar.ts';

/** The daily counts of a client as they follow from its listing rows. A code without a word stands for itself. */
export async function contarDeNovo(db: Leitor, clienteId: number): Promise<TabelaContagem[]> {
  const rows = await countPorHora(db, clienteId);
  return somar(
    rows.map(({ quantidade, instante, tipo, status, ...row }) => ({
      linha: {
        ...row,
        cliente_id: clienteId,
        dia: diaDe(instante),
        tipo: TIPO_EM_CODIGO.mostrar(tipo),
        status: STATUS_EM_CODIGO.mostrar(status),
      },
      quantidade,
    })),
  );
}
