import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** So many connections in a row are taken while requests wait, within some milliseconds; a flood of them stops nobody. */
export const IN_A_ROW = 64;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Puts a handler in the place of the server's own, which it is given. */
export function replaceHandler(server: Server, make: (ordinary: Answer) => Answer): void {
  const own = server.listeners('request') as Answer[];
  const ordinary: Answer = (request, response) => {
    for (const handle of own) handle.call(server, request, response);
  };
  server.removeAllListeners('request');
  server.on('request', make(ordinary));
}

/**
 * Requests wait while new connections come in. Node takes one of these each time that it looks for what has come, and
 * answers everything else in between: of 32 programs that connect at once and ask again as soon as they are answered,
 * the last would be taken after 500 answers to the others. With nothing to answer, the next look is there at once.
 */
export function acceptFirst(server: Server): void {
  const waiting: (() => void)[] = [];
  let [looking, came, inARow] = [false, false, 0];
  const lookAgain = () => {
    looking = true;
    setImmediate(looked);
  };
  // Runs behind each look while connections come in, and once more.
  const looked = () => {
    if (came && inARow < IN_A_ROW) {
      came = false;
      inARow++;
      lookAgain();
      return;
    }
    [looking, came, inARow] = [false, false, 0];
    for (const answer of waiting.splice(0)) answer();
  };
  server.on('connection', () => {
    came = true;
    if (!looking) lookAgain();
  });
  replaceHandler(server, (ordinary) => (request, response) => {
    if (looking) waiting.push(() => ordinary(request, response));
    else ordinary(request, response);
  });
}
