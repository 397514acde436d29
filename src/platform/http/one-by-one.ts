import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may wait for the answer before them; programs that send ahead send a few. */
const AHEAD = 100;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Answers the requests of a connection one after the other, as the answers have to leave. Else all answers that are asked
 * for ahead would lie in memory until the first is taken. Node goes on reading while there is no answer, so a caller that
 * sends without end is cut off; a program that sends ahead has to reckon with that.
 * @fonte RFC 9112, 9.3.2
 */
export function oneByOne(answer: Answer): Answer {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    // What had come with the request that it was cut off for.
    if (socket.destroyed) return;
    const begin = () => {
      response.once('close', () => {
        const next = socket.destroyed ? undefined : waiting.get(socket)?.shift();
        if (next) next();
        else waiting.delete(socket);
      });
      answer(request, response);
    };
    const ahead = waiting.get(socket);
    if (!ahead) {
      waiting.set(socket, []);
      begin();
    } else if (ahead.push(begin) > AHEAD) socket.destroy();
  };
}
