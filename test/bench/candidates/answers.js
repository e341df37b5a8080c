import { readFileSync } from 'node:fs';

/** @typedef {{ path: string, status: number, headers: string[], body: string }} SavedAnswer */

/**
 * Reads saved answers: those with a body by path, and the 304.
 * @param {string | undefined} file
 */
export function readAnswers(file) {
  /** @type {SavedAnswer[]} */
  const saved = JSON.parse(readFileSync(String(file), 'utf8'));
  const byPath = new Map(
    saved
      .filter(({ status }) => status === 200)
      .map(({ path, headers, body }) => [path, { headers, body: Buffer.from(body) }]),
  );
  const headers = saved.find(({ status }) => status === 304)?.headers ?? [];
  return { byPath, unchanged: { headers, body: Buffer.alloc(0) } };
}

/**
 * Listens on a free port and prints the URL.
 * @param {import('node:http').Server} server
 */
export function listenAndPrintUrl(server) {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') {
      process.stdout.write(`http://127.0.0.1:${address.port}\n`);
    }
  });
}
