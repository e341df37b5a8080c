import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

type StallingRelay = {
  readonly port: number;
  /** Lets each connection stand still that brings so many more bytes to its client. */
  stallAfter(bytes: number): void;
  /** Lets all other connections pass again. */
  heal(): void;
  /** The number of connections that have stood still. */
  readonly stalled: () => number;
};

/**
 * Relays connections to a port of this machine for the running test, as a network does that loses
 * what one connection sends: nobody closes it, and new connections pass.
 */
export async function serveStallingRelay(target: number): Promise<StallingRelay> {
  const sockets = new Set<Socket>();
  const connections = new Set<{ brought: number }>();
  let limit = Number.POSITIVE_INFINITY;
  let stalled = 0;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    const connection = { brought: 0 };
    connections.add(connection);
    let isStalled = false;
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => from.destroy());
      from.on('close', () => {
        sockets.delete(from);
        connections.delete(connection);
        if (!isStalled) to.destroy();
      });
      from.on('data', (piece) => {
        if (isStalled) return;
        to.write(piece);
        if (from === client) return;
        connection.brought += piece.length;
        if (connection.brought < limit) return;
        isStalled = true;
        stalled += 1;
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return {
    port: (server.address() as AddressInfo).port,
    stallAfter(bytes) {
      limit = bytes;
      for (const connection of connections) connection.brought = 0;
    },
    heal() {
      limit = Number.POSITIVE_INFINITY;
    },
    stalled: () => stalled,
  };
}
