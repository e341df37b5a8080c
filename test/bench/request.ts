import { Agent, get, type IncomingMessage } from 'node:http';

export type Answer = {
  readonly status: number;
  /** Names and values in turn, as received. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** Bytes of the head and the body, without the framing of chunks. */
  readonly length: number;
  /** Milliseconds from the request to the end of the answer. */
  readonly ms: number;
};

/** Opens a new connection for each request. */
const noAgent = new Agent();
/** Keeps connections open. */
export const keepAlive = new Agent({ keepAlive: true });

function headLength({ statusMessage = '', rawHeaders }: IncomingMessage): number {
  // A colon and a blank follow each name, and a line end follows each value.
  const fields = rawHeaders.reduce((length, text) => length + Buffer.byteLength(text) + 2, 0);
  return `HTTP/1.1 200 ${statusMessage}\r\n\r\n`.length + fields;
}

export function request(
  url: string,
  headers: Readonly<Record<string, string>>,
  agent: Agent = noAgent,
): Promise<Answer> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status = 0, rawHeaders } = response;
        const ms = performance.now() - start;
        const body = Buffer.concat(chunks);
        const length = headLength(response) + body.length;
        resolve({ status, headers: rawHeaders, body, length, ms });
      });
    }).on('error', reject);
  });
}

export function authorize(key: string): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${key}` };
}
