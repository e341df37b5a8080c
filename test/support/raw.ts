import { connect, type Socket } from 'node:net';
import { settleNode } from './service.ts';

export type RawAnswer = {
  readonly status: number;
  /** The status line and the headers, unchanged. */
  readonly head: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
};

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const head = end === -1 ? text : text.slice(0, end);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = end === -1 ? '' : text.slice(end + 4);
  return { status: Number(statusLine.split(' ')[1]), head, headers, body };
}

/** Opens a connection and collects the answer until the other side ends it. */
export function openRaw(port: number): { socket: Socket; received: Promise<string> } {
  const socket = connect({ port, host: '127.0.0.1' });
  const chunks: Buffer[] = [];
  const received = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => chunks.push(chunk));
    // An aborted connection counts as ended; the caller gets the bytes before.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
  return { socket, received };
}

/** Sends bytes unchanged and reads until the connection ends. */
export async function sendRaw(port: number, bytes: string): Promise<string> {
  await settleNode(port);
  const { socket, received } = openRaw(port);
  socket.write(bytes, 'latin1');
  return await received;
}

/**
 * Sends one request with these header lines, `Connection: close` added, and reads the answer.
 * Header lines are written as they are: `Host: …` is up to the caller.
 */
export async function requestRaw(
  port: number,
  requestLine: string,
  lines: readonly string[],
  body = '',
): Promise<RawAnswer> {
  const head = [`${requestLine} HTTP/1.1`, ...lines, 'Connection: close'].join('\r\n');
  return parseAnswer(await sendRaw(port, `${head}\r\n\r\n${body}`));
}
