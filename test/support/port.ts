import { createServer } from 'node:net';

/** Returns true if nothing listens on a port of 127.0.0.1. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (listens) await new Promise((resolve) => server.close(resolve));
  return listens;
}

/**
 * Returns the first of consecutive free ports of 127.0.0.1. They stay free: they are below the range
 * (from 32768 on Linux) in which the system chooses ports for port 0 and for outgoing connections, and
 * other tests hardly ever choose the same ones.
 */
export async function findFreePort(count = 1): Promise<number> {
  for (;;) {
    const first = 10_000 + Math.floor(Math.random() * 20_000);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const free = await Promise.all(ports.map(isFree));
    if (!free.includes(false)) return first;
  }
}
