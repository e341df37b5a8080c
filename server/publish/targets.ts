import { hash, randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import { dirname } from 'node:path';
import { fileError, type Problem, problem } from '../base/errors.ts';
import { http } from '../base/node-http.ts';
import { certificateError, outwardOptions } from '../base/outward.ts';
import { isLoopback } from '../base/settings.ts';
import { serviceName, version } from '../base/version.ts';
import { writeWholeFile } from '../base/write-file.ts';

/** A file as it lies at its place. */
export type Found = {
  readonly digest: string;
  readonly length: number;
  /** The entity tag, if the place has one that a condition can name. */
  readonly tag?: string | undefined;
};

/** The place of a file. Every failure is a problem. */
export type Target = {
  /** Returns the file as it is; undefined if there is none. */
  read(): Promise<Found | undefined>;
  /** Replaces a file that was found, or creates one; whole or not at all. */
  write(bytes: Uint8Array, found: Found | undefined): Promise<void>;
};

export function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes);
}

function requireFolder(path: string): void {
  const folder = dirname(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw problem('publish_folder_gone', { folder });
}

/** Creates the place of a file in a folder of this computer. */
export function createFolderTarget(path: string, umask: number | undefined): Target {
  return {
    async read() {
      requireFolder(path);
      try {
        const bytes = readFileSync(path);
        return { digest: digestOf(bytes), length: bytes.length };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw fileError(error, path);
      }
    },
    async write(bytes) {
      requireFolder(path);
      writeWholeFile(path, [bytes], { umask: umask ?? 0o022 });
    },
  };
}

/**
 * Returns the address of a file in a web space. Throws `publish_url_invalid`, `_credentials` or
 * `_insecure`.
 */
export function parseWebAddress(text: string): URL {
  const url = URL.parse(text.trim());
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isWeb || /[?#]|\/$/.test(url.href)) throw problem('publish_url_invalid');
  // No message repeats an address with a password.
  if (url.username !== '' || url.password !== '') throw problem('publish_url_credentials');
  // On this computer, nobody else reads the password on the way.
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw problem('publish_url_insecure', { host: url.host });
  }
  return url;
}

type Reply = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Uint8Array;
};

/** The maximum length of a file that is read, in bytes. */
const maxLength = 50_000_000;

export type WebTargetOptions = {
  readonly url: string;
  readonly account: string;
  readonly password: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The longest time for a request with its answer, in ms. */
  readonly timeout?: number;
};

/** Creates the place of a file in a web space, by WebDAV (RFC 4918). */
export function createWebTarget(options: WebTargetOptions): Target & { remove(): Promise<void> } {
  const { account, password, env = process.env, timeout = 30_000 } = options;
  const url = parseWebAddress(options.url);
  const { host } = url;
  const { Agent, request } = url.protocol === 'https:' ? https : http;
  const common = {
    authorization: `Basic ${Buffer.from(`${account}:${password}`).toString('base64')}`,
    'user-agent': `${serviceName}/${version}`,
    // A server that compresses an answer gives it another entity tag, which no condition matches.
    'accept-encoding': 'identity',
    'cache-control': 'no-cache',
  };

  function send(
    method: 'GET' | 'PUT' | 'DELETE',
    headers: Readonly<Record<string, string>> = {},
    bytes?: Uint8Array,
  ): Promise<Reply> {
    const signal = AbortSignal.timeout(timeout);
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const failed = (error: unknown) => reject(connectionProblem(error, host));
    let sent: ClientRequest;
    try {
      const agent = new Agent({ ...outwardOptions(url, env), timeout });
      sent = request(url, { method, agent, headers: { ...common, ...headers }, signal });
    } catch (error) {
      // The address of the proxy is not valid, or the user name cannot be sent.
      return Promise.reject(connectionProblem(error, host));
    }
    sent.on('error', failed);
    sent.on('response', (response) => {
      const chunks: Uint8Array[] = [];
      let length = 0;
      response.on('data', (chunk: Uint8Array) => {
        length += chunk.length;
        if (length > maxLength) sent.destroy();
        else chunks.push(chunk);
      });
      response.on('error', failed);
      response.on('end', () => {
        const { statusCode: status = 0, headers: received } = response;
        resolve({ status, headers: received, body: Buffer.concat(chunks) });
      });
      response.on('close', () => failed(new Error('closed')));
    });
    sent.end(bytes);
    return promise;
  }

  async function read(): Promise<Found | undefined> {
    const { status, headers, body } = await send('GET');
    if (status === 404) return undefined;
    if (status !== 200) throw statusProblem(status, host);
    const { etag = '' } = headers;
    // A weak tag never matches a condition (RFC 9110 section 13.1.1).
    const tag = etag.startsWith('"') ? etag : undefined;
    return { digest: digestOf(body), length: body.length, tag };
  }

  return {
    read,
    async write(bytes, found) {
      const condition: Record<string, string> =
        found === undefined
          ? { 'if-none-match': '*' }
          : found.tag === undefined
            ? {}
            : { 'if-match': found.tag };
      const type = url.pathname.endsWith('.html') ? 'text/html' : 'application/octet-stream';
      const headers = {
        ...condition,
        'content-type': url.pathname.endsWith('.ics') ? 'text/calendar; charset=utf-8' : type,
        'content-length': String(bytes.length),
      };
      const { status } = await send('PUT', headers, bytes);
      if (![200, 201, 204].includes(status)) throw statusProblem(status, host);
      // Some servers accept a file for which they have no room.
      const written = await read();
      if (written?.digest !== digestOf(bytes)) throw problem('publish_not_whole', { host });
    },
    async remove() {
      const { status } = await send('DELETE');
      if (![200, 204, 404].includes(status)) throw statusProblem(status, host);
    },
  };
}

/** Writes, reads and removes a small file beside that of an address. Throws the first failure. */
export async function testWebSpace(options: WebTargetOptions): Promise<void> {
  const { href: url } = new URL(`club-events-${randomUUID()}.txt`, parseWebAddress(options.url));
  const target = createWebTarget({ ...options, url });
  await target.write(Buffer.from('A test of Club Events, which may be deleted.\n'), undefined);
  await target.remove();
}

/** Returns the problem of an answer. */
function statusProblem(status: number, host: string): Problem {
  switch (status) {
    case 401:
      return problem('publish_password_refused', { host });
    case 403:
      return problem('publish_not_allowed', { host });
    case 404:
    case 409:
      return problem('publish_web_folder_gone', { host });
    case 413:
    case 507:
      return problem('publish_no_room', { host });
    case 412:
    case 423:
      return problem('publish_file_in_use', { host });
    default:
      return problem('publish_server_failed', { host, status });
  }
}

/** Returns the problem of a request without an answer. */
function connectionProblem(error: unknown, host: string): Problem {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { code = '' } = (first ?? {}) as NodeJS.ErrnoException;
  const isUntrusted = certificateError.test(code);
  return problem(isUntrusted ? 'publish_not_trusted' : 'publish_unreachable', { host }, error);
}
