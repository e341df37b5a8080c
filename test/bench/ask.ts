import { Agent, get, type IncomingMessage } from 'node:http';

export type Answer = {
  readonly status: number;
  /** Names and values in turn, as they came. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** Bytes of the whole answer over the wire; those of chunks are not counted. */
  readonly length: number;
  /** Milliseconds from the request to its whole answer. */
  readonly ms: number;
};

/** A new connection for each request. */
const noAgent = new Agent();
/** For requests on connections that stay open. */
export const keepAlive = new Agent({ keepAlive: true });

function headLength({ statusMessage = '', rawHeaders }: IncomingMessage): number {
  // Each name is followed by a colon and a blank, each value by the end of the line.
  const fields = rawHeaders.reduce((length, text) => length + Buffer.byteLength(text) + 2, 0);
  return `HTTP/1.1 200 ${statusMessage}\r\n\r\n`.length + fields;
}

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
        const { statusCode: status = 0, rawHeaders: told } = response;
        const ms = performance.now() - start;
        const body = Buffer.concat(pieces);
        resolve({ status, headers: told, body, length: headLength(response) + body.length, ms });
      });
    }).on('error', reject);
  });
}
