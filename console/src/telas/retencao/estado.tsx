import { Etiqueta } from '../../partes/etiquetas.tsx';

const ESTADOS: Readonly<Record<string, [cor: string, nome: string]>> = {
  preparando: ['blue', 'preparando a cópia'],
  preparada: ['yellow', 'à espera de confirmação'],
  confirmada: ['orange', 'excluindo'],
  concluida: ['teal', 'concluída'],
  cancelada: ['gray', 'cancelada'],
  vencida: ['gray', 'venceu sem confirmação'],
  falhou: ['red', 'falhou'],
};

/** How far a deletion has come, in words. */
export function Estado({ estado }: { estado: string }) {
  const [cor, nome] = ESTADOS[estado] ?? ['gray', estado];
  return <Etiqueta cor={cor}>{nome}</Etiqueta>;
}
