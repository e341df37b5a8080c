import net from 'node:net';
import process from 'node:process';

/**
 * Returns a port of 127.0.0.1 that stays free: below the range (from 32768 on Linux) in which the
 * system chooses ports for other tests, for port 0 and for outgoing connections.
 */
export async function findFreePort(): Promise<number> {
  const server = net.createServer();
  for (let port = 10_000 + (process.pid % 10_000); ; port++) {
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
