import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** @typedef {{ path: string, status: number, headers: string[], body: string }} Kept */

/**
 * The answers that a file keeps: those with a body by path, and the one without.
 * @param {string | undefined} file
 */
export function readKept(file) {
  /** @type {Kept[]} */
  const kept = JSON.parse(readFileSync(String(file), 'utf8'));
  const whole = new Map(
    kept
      .filter(({ status }) => status === 200)
      .map(({ path, headers, body }) => [path, { headers, body: Buffer.from(body) }]),
  );
  const headers = kept.find(({ status }) => status === 304)?.headers ?? [];
  return { whole, unchanged: { headers, body: Buffer.alloc(0) } };
}

/** @param {import('node:http').Server} server */
export function printUrl(server) {
  const address = server.address();
  if (address !== null && typeof address === 'object') {
    process.stdout.write(`http://127.0.0.1:${address.port}\n`);
  }
}

/**
 * Sends the answers that a file keeps, the same bytes and the same headers, from memory.
 * @param {string | undefined} file
 * @param {(request: import('node:http').IncomingMessage) => boolean} [mayRead]
 */
export function serveKept(file, mayRead) {
  const { whole, unchanged } = readKept(file);
  const server = createServer((request, response) => {
    if (mayRead !== undefined && !mayRead(request)) {
      response.writeHead(401);
      response.end();
    } else if (request.headers['if-none-match'] !== undefined) {
      response.writeHead(304, unchanged.headers);
      response.end();
    } else {
      const { headers, body } = whole.get(String(request.url)) ?? {};
      response.writeHead(200, headers);
      response.end(body);
    }
  });
  server.listen(0, '127.0.0.1', () => printUrl(server));
}
