import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type ConnectionLimits = {
  readonly maxConnections: number;
  /** Milliseconds after which an answer that makes no progress ends its connection. */
  readonly stallTimeout: number;
};

/** Closes the longest idle connection for a newcomer past the limit; busy ones are never closed. */
function limitConnections(server: Server, maxConnections: number): (socket: Socket) => boolean {
  /** The number of unanswered requests of each open connection. */
  const pending = new Map<Socket, number>();
  // The longest idle first. Node's `closeIdleConnections` spares those that never sent a request.
  const idle = new Set<Socket>();

  function forget(socket: Socket): void {
    pending.delete(socket);
    idle.delete(socket);
  }
  function countRequest({ socket }: IncomingMessage, response: ServerResponse): void {
    idle.delete(socket);
    pending.set(socket, (pending.get(socket) ?? 0) + 1);
    response.on('close', () => {
      const count = pending.get(socket);
      if (count === undefined) return;
      pending.set(socket, count - 1);
      if (count === 1) idle.add(socket);
    });
  }

  for (const name of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(name, countRequest);
  }
  server.on('connection', (socket) => {
    pending.set(socket, 0);
    idle.add(socket);
    socket.on('close', () => forget(socket));
    if (pending.size <= maxConnections) return;
    // The newcomer itself, where all others are busy.
    const [longest = socket] = idle;
    forget(longest);
    longest.destroy();
  });
  return (socket) => (pending.get(socket) ?? 0) > 0;
}

/**
 * Ends a connection whose answer makes no progress. Node's timeout of a socket sees the progress
 * of a write, but only from one of its checks to the next: there are four in `stallTimeout`, each
 * longer than the timeouts for headers and between requests.
 */
function endStalledAnswers(
  server: Server,
  stallTimeout: number,
  isBusy: (socket: Socket) => boolean,
): void {
  const period = stallTimeout / 4;
  const stalls = new WeakMap<Socket, { readonly since: number; readonly seen: number }>();
  server.timeout = period;
  server.on('timeout', (socket) => {
    const now = performance.now();
    const last = stalls.get(socket);
    // Timeouts that do not follow one another had progress in between.
    const since = last && now - last.seen < period * 1.5 ? last.since : now - period;
    if (!isBusy(socket) || now - since > stallTimeout - period / 2) {
      socket.destroy();
      return;
    }
    stalls.set(socket, { since, seen: now });
    socket.setTimeout(period);
  });
}

/** Keeps connections that wait for nothing, or do not read their answers, from shutting others out. */
export function boundConnections(server: Server, limits: ConnectionLimits): void {
  const isBusy = limitConnections(server, limits.maxConnections);
  endStalledAnswers(server, limits.stallTimeout, isBusy);
}
