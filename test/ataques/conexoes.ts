/** Connections as ill-willed as they can be: some never read their answer, some send a byte now and then. */
import { connect, type Socket } from 'node:net';

/** A request whose answer nobody reads: what the server has of it waits there. */
export class SemLer {
  readonly #socket: Socket;
  aberta = true;

  /** @param input.headers lines without line ends */
  constructor(input: { url: string; path: string; headers?: readonly string[] }) {
    const { hostname, port, host } = new URL(input.url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.pause();
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.aberta = false;
    });
    const lines = [`GET ${input.path} HTTP/1.1`, `Host: ${host}`, ...(input.headers ?? []), '', ''];
    this.#socket.write(lines.join('\r\n'));
  }

  soltar(): void {
    this.#socket.destroy();
  }
}

/** An upload that takes as long as it may. */
export class EnvioLento {
  readonly #socket: Socket;
  readonly #timer: NodeJS.Timeout;
  aberto = true;

  /** @param input.url as the ticket gives it; `bytesPorSegundo` of the `tamanho` that is announced */
  constructor(input: { url: string; tamanho: number; bytesPorSegundo: number }) {
    const { hostname, port, host, pathname, search } = new URL(input.url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.aberto = false;
    });
    this.#socket.resume();
    const lines = [`PUT ${pathname}${search} HTTP/1.1`, `Host: ${host}`, `Content-Length: ${input.tamanho}`];
    this.#socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const piece = Buffer.alloc(input.bytesPorSegundo, 0x20);
    this.#timer = setInterval(() => {
      if (this.aberto) this.#socket.write(piece);
    }, 1_000);
  }

  soltar(): void {
    clearInterval(this.#timer);
    this.#socket.destroy();
  }
}
