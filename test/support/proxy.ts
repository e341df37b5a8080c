import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

type TestProxy = {
  readonly url: string;
  /** The requests for tunnels, and all others, that arrived. */
  readonly requests: readonly { readonly target: string; readonly headers: IncomingHttpHeaders }[];
  /** The number of open connections of clients. */
  readonly connections: () => number;
};

/**
 * Starts an HTTP proxy for the running test. Its tunnels lead to a port of this machine, whatever
 * their target; without a port it is `silent`, or refuses with the status.
 */
export async function serveProxy(
  route: number | 'silent' | { status: number },
): Promise<TestProxy> {
  const requests: { target: string; headers: IncomingHttpHeaders }[] = [];
  const sockets = new Set<Socket>();
  const note = ({ url = '', headers }: IncomingMessage) => requests.push({ target: url, headers });
  const server = createServer((message, response) => {
    note(message);
    response.writeHead(502).end();
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('connect', (message: IncomingMessage, client: Socket) => {
    note(message);
    if (route === 'silent') {
      client.resume().on('end', () => client.end());
      return;
    }
    if (typeof route === 'object') {
      client.end(`HTTP/1.1 ${route.status} Refused\r\n\r\n`);
      return;
    }
    const upstream = connect(route, '127.0.0.1');
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, connections: () => sockets.size };
}
