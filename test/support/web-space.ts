import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { certificatePath } from './upstream.ts';

/**
 * A fault of one request: a status in place of an answer, or a cut of the connection before the file
 * arrives, in the middle of it (a server that writes in place keeps the part), or after the file was
 * stored.
 */
export type WebFault = 308 | 401 | 403 | 404 | 423 | 412 | 500 | 507 | 'early' | 'middle' | 'late';

export type WebSpace = {
  readonly url: string;
  readonly account: string;
  readonly password: string;
  /** The files by path. */
  readonly files: Map<string, Buffer>;
  /** The methods and conditions of all requests. */
  readonly requests: { readonly method: string; readonly condition: string | undefined }[];
  /** Chooses the fault of a request; undefined for none. */
  fault: (method: string) => WebFault | undefined;
  /** True for entity tags that no condition matches. */
  hasWeakTags: boolean;
  /** The end of the tags of files that are read, which no condition matches. */
  tagEnd: string;
  /** True for a server that writes a file while it arrives; Apache replaces it at the end. */
  writesInPlace: boolean;
  /** Called after what a fault leaves was stored, before the connection is cut. */
  onCut: () => void;
  /** True for files that everybody may read, without a password. */
  isPublic: boolean;
  /** Changes a file on its way to a reader. */
  alter: (file: Buffer) => Buffer;
  /** More headers of a file. */
  headers: Readonly<Record<string, string>>;
  /** Another address for each path, to which requests are redirected. */
  readonly moved: Map<string, string>;
};

const tagOf = (bytes: Buffer) => `"${createHash('sha1').update(bytes).digest('hex').slice(0, 12)}"`;

/** Reads a request; of a request that is cut in the middle, half of its body. */
async function readBody(request: IncomingMessage, isCut: boolean): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const whole = Buffer.concat(chunks);
  return isCut ? whole.subarray(0, Math.floor(whole.length / 2)) : whole;
}

/** Returns true if a request may replace the present file (RFC 9110 section 13.1). */
function isAllowed({ headers }: IncomingMessage, file: Buffer | undefined, isWeak: boolean) {
  if (headers['if-none-match'] === '*') return file === undefined;
  const expected = headers['if-match'];
  return expected === undefined || (file !== undefined && !isWeak && expected === tagOf(file));
}

/** A listener for the requests of a server. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts a server of this computer for the running test, with TLS if it has a certificate; returns its port. */
export async function listen(
  listener: Listener,
  certificate?: Parameters<typeof certificatePath>[0],
): Promise<number> {
  const server =
    certificate === undefined
      ? http.createServer(listener)
      : https.createServer(
          {
            cert: readFileSync(certificatePath(certificate)),
            key: readFileSync(certificatePath('key')),
          },
          listener,
        );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Starts a web space with WebDAV for the running test: one file at `/club/dates.ics` and others. */
export async function serveWebSpace({
  certificate,
}: {
  certificate?: 'valid' | 'self-signed';
} = {}) {
  const space: WebSpace & { url: string } = {
    url: '',
    account: 'maria',
    password: 'pass-that-nobody-shows',
    files: new Map(),
    requests: [],
    fault: () => undefined,
    hasWeakTags: false,
    tagEnd: '',
    writesInPlace: false,
    onCut: () => undefined,
    isPublic: false,
    moved: new Map(),
    alter: (file) => file,
    headers: {},
  };
  const expected = Buffer.from(`${space.account}:${space.password}`).toString('base64');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const condition = headers['if-match'] ?? headers['if-none-match'];
    space.requests.push({ method, condition });
    const fault = space.fault(method);
    const cut = () => {
      space.onCut();
      request.socket.destroy();
    };
    if (fault === 'early') return cut();
    if (typeof fault === 'number') return void response.writeHead(fault).end();
    const location = space.moved.get(url);
    if (location !== undefined) return void response.writeHead(302, { location }).end();
    const mayRead = space.isPublic && method === 'GET';
    if (!mayRead && headers.authorization !== `Basic ${expected}`) {
      return void response.writeHead(401).end();
    }
    const file = space.files.get(url);
    if (method === 'GET') {
      if (fault !== undefined) return cut();
      if (file === undefined) return void response.writeHead(404).end();
      const strong = tagOf(file).replace(/"$/, `${space.tagEnd}"`);
      const etag = `${space.hasWeakTags ? 'W/' : ''}${strong}`;
      return void response.writeHead(200, { etag, ...space.headers }).end(space.alter(file));
    }
    if (method === 'DELETE') {
      return void response.writeHead(space.files.delete(url) ? 204 : 404).end();
    }
    const body = await readBody(request, fault === 'middle');
    if (!isAllowed(request, file, space.hasWeakTags)) return void response.writeHead(412).end();
    if (fault !== 'middle' || space.writesInPlace) space.files.set(url, body);
    if (fault !== undefined) return cut();
    response.writeHead(file === undefined ? 201 : 204).end();
  }

  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void answer(request, response);
  const port = await listen(listener, certificate);
  const origin =
    certificate === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
  space.url = `${origin}/club/dates.ics`;
  return space;
}
