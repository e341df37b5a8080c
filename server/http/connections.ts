import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type ConnectionLimits = {
  readonly maxConnections: number;
  /** Milliseconds without progress of a response after which its connection is closed. */
  readonly stallTimeout: number;
};

/**
 * Closes the longest idle connection when a new one exceeds the limit, or the new one if all others
 * are busy. Returns a function that checks if a connection has pending requests.
 */
function limitConnections(server: Server, maxConnections: number): (socket: Socket) => boolean {
  /** The number of pending requests of each open connection. */
  const pending = new Map<Socket, number>();
  // Longest idle first. Node's `closeIdleConnections` skips those that never sent a request.
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
    const [longestIdle = socket] = idle;
    forget(longestIdle);
    longestIdle.destroy();
  });
  return (socket) => (pending.get(socket) ?? 0) > 0;
}

/**
 * Closes connections whose response makes no progress. Node's socket timeout notices progress of a
 * write only from one check to the next, so there are four checks in `stallTimeout`. Each period is
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
    // If timeouts are not consecutive, there was progress in between.
    const since = last && now - last.seen < period * 1.5 ? last.since : now - period;
    if (!isBusy(socket) || now - since > stallTimeout - period / 2) {
      socket.destroy();
      return;
    }
    stalls.set(socket, { since, seen: now });
    socket.setTimeout(period);
  });
}

/** Closes idle and stalled connections, so that they cannot lock out others. */
export function boundConnections(server: Server, limits: ConnectionLimits): void {
  const isBusy = limitConnections(server, limits.maxConnections);
  endStalledAnswers(server, limits.stallTimeout, isBusy);
}
