/** The bytes of one file, to the signed address that was given for it. */
import { FalhaDeApi, readProblema, semConexao } from '../../api/falha.ts';

/** The signed address is one of this very server: sent to our own origin whatever public name stands in it. */
function daqui(url: string): string {
  const { pathname, search } = new URL(url, window.location.origin);
  return `${pathname.slice(pathname.lastIndexOf('/upload/'))}${search}`;
}

/**
 * `fetch` tells nothing of the bytes that have gone out; XMLHttpRequest does.
 * @throws FalhaDeApi when the server refuses, or cannot be reached
 */
export function subir(
  url: string,
  arquivo: File,
  { signal, aoAvancar }: { signal: AbortSignal; aoAvancar: (parte: number) => void },
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const pedido = new XMLHttpRequest();
    signal.addEventListener('abort', () => pedido.abort(), { once: true });
    pedido.onabort = () => reject(signal.reason);
    pedido.open('PUT', daqui(url));
    pedido.setRequestHeader('accept', 'application/json');
    pedido.upload.onprogress = ({ loaded, total }) => aoAvancar(total > 0 ? loaded / total : 0);
    pedido.onerror = () => reject(semConexao());
    pedido.onload = () => (pedido.status === 200 ? resolve() : reject(recusaDoServidor(pedido)));
    pedido.send(arquivo);
  });
}

function recusaDoServidor({ status, responseText }: XMLHttpRequest): FalhaDeApi {
  const { codigo, mensagem } = readProblema(responseText);
  return new FalhaDeApi({
    status,
    codigo: codigo ?? 'envio_recusado',
    mensagem: mensagem ?? `O servidor recusou o envio (${status}).`,
  });
}
