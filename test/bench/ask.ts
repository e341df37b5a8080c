import { Agent, get } from 'node:http';

export type Answer = {
  readonly status: number;
  /** Names and values in turn, as they came. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** Milliseconds from the request to its whole answer. */
  readonly ms: number;
};

/** A new connection for each request. */
const noAgent = new Agent();
/** For requests on connections that stay open. */
export const keepAlive = new Agent({ keepAlive: true });

export function ask(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  agent: Agent = noAgent,
): Promise<Answer> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => {
        const { statusCode: status = 0, rawHeaders } = response;
        const ms = performance.now() - start;
        resolve({ status, headers: rawHeaders, body: Buffer.concat(pieces), ms });
      });
    }).on('error', reject);
  });
}
