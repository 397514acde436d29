/** One task of the thread in which documents are read and drawn: their bytes are anybody's, and may be made to hurt. */
import type { Codificacao } from '../../fiscal/tipos.ts';
import { type Diferenca, diferencas } from './comparar.ts';
import type { ContextoDoPdf } from './folha.ts';
import { type Grupo, gruposDe, type ItemLegivel, itensDe } from './leitura.ts';
import { desenhar } from './pdf.ts';

export type Tarefa =
  | { kind: 'ler'; bytes: Uint8Array; codificacao: Codificacao }
  | { kind: 'itens'; bytes: Uint8Array; pagina: number; tamanho: number }
  | { kind: 'comparar'; bytes: Uint8Array; outra: Uint8Array }
  | { kind: 'pdf'; bytes: Uint8Array; codificacao: Codificacao; contexto: ContextoDoPdf };

export interface Resultados {
  ler: { grupos: Grupo[]; itens: { total: number; itens: ItemLegivel[] } };
  itens: { total: number; itens: ItemLegivel[] };
  comparar: Diferenca[];
  pdf: Uint8Array;
}

/** Items that come with the view itself; the others by pages. */
const ITENS_NA_VISTA = 200;

export default async function executar(tarefa: Tarefa): Promise<Resultados[Tarefa['kind']]> {
  switch (tarefa.kind) {
    case 'ler':
      return {
        grupos: gruposDe(tarefa.bytes, tarefa.codificacao),
        itens: itensDe(tarefa.bytes, { pagina: 1, tamanho: ITENS_NA_VISTA }),
      };
    case 'itens':
      return itensDe(tarefa.bytes, tarefa);
    case 'comparar':
      return diferencas(tarefa.bytes, tarefa.outra);
    case 'pdf':
      return desenhar(tarefa);
  }
}
