import { notifications } from '@mantine/notifications';
import { comoFalha } from '../api/falha.ts';

export function avisar(mensagem: string): void {
  notifications.show({ color: 'teal', message: mensagem });
}

/** A failure of something the person asked for; stays longer, with what support needs. */
export function tellFalha(error: unknown, titulo = 'Não foi possível concluir'): void {
  const { message, codigo, requestId } = comoFalha(error);
  const pedido = requestId ? ` · requisição ${requestId.slice(0, 8)}` : '';
  notifications.show({
    color: 'red',
    title: titulo,
    message: `${message} (${codigo}${pedido})`,
    autoClose: 12_000,
  });
}
