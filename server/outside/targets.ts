import { hash, randomUUID } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { asUsage, type Problem, problem } from '../base/errors.ts';
import { type AddressRules, parseAddress } from '../web/address.ts';
import { request, WebFailure, type WebReply, type WebRequest } from '../web/request.ts';
import { callOutside, type OutsideOptions } from './outside-files.ts';

/** A file as it was found. */
export type Found = {
  readonly bytes: Uint8Array;
  /** The entity tag or the stamp, if the target has one that a condition can name. */
  readonly tag?: string | undefined;
};

/** The target of a file. Every failure is a problem. */
export type Target = {
  /** Returns the file as it is; undefined if there is none. */
  read(): Promise<Found | undefined>;
  /**
   * Replaces a file that was found, or creates one; whole or not at all. Returns the stamp of the
   * new file, if the target has stamps.
   */
  write(bytes: Uint8Array, found: Found | undefined): Promise<string | null>;
};

export function digestOfBytes(bytes: Uint8Array): string {
  return hash('sha256', bytes);
}

/** The largest file that is read, in bytes: more than the program writes. */
const maxLength = 60_000_000;

/**
 * Creates the target of a file in a folder of this computer. `real` is the folder without links when
 * a person chose it.
 */
export function createFolderTarget(
  path: string,
  real: string | null,
  { umask = 0o022, ...options }: OutsideOptions & { readonly umask?: number | undefined },
): Target {
  const entry = { folder: dirname(path), name: basename(path), real: real ?? undefined };
  return {
    async read() {
      const file = await callOutside(options, 'read', entry, maxLength);
      return file && { bytes: Buffer.from(file.bytes, 'base64'), tag: file.found.stamp };
    },
    async write(bytes, found) {
      const text = Buffer.from(bytes).toString('base64');
      return (await callOutside(options, 'write', entry, text, found?.tag ?? '', umask)).stamp;
    },
  };
}

const webRules: AddressRules = {
  field: 'url',
  // On this computer, nobody else reads the password on the way.
  http: 'this computer',
  invalid: 'publish_url_invalid',
  credentials: 'publish_url_credentials',
  query: 'publish_url_invalid',
  insecure: 'publish_url_insecure',
};

/**
 * Returns the address of a file in a web space. Throws `publish_url_invalid`, `_credentials` or
 * `_insecure`.
 */
export function parseWebAddress(text: string): URL {
  const url = parseAddress(text, webRules);
  if (url.pathname.endsWith('/')) throw asUsage(problem('publish_url_invalid', { field: 'url' }));
  return url;
}

type WebTargetOptions = {
  readonly url: string;
  readonly account: string;
  readonly password: string;
  readonly onStep?: OutsideOptions['onStep'];
};

/** Creates the target of a file in a web space, by WebDAV (RFC 4918). */
export function createWebTarget(options: WebTargetOptions): Target & { remove(): Promise<void> } {
  const { account, password, onStep } = options;
  const url = parseWebAddress(options.url);
  const { host } = url;
  const authorization = `Basic ${Buffer.from(`${account}:${password}`).toString('base64')}`;
  async function send(
    method: NonNullable<WebRequest['method']>,
    headers: WebRequest['headers'] = {},
    body?: Uint8Array,
  ): Promise<WebReply> {
    // Most servers then compress nothing.
    const all = { authorization, 'accept-encoding': 'identity', ...headers };
    try {
      return await request(url, { method, headers: all, body, onStep });
    } catch (error) {
      if (!(error instanceof WebFailure)) throw error;
      const isUntrusted = error.code === 'not_trusted';
      throw problem(isUntrusted ? 'publish_not_trusted' : 'publish_unreachable', { host }, error);
    }
  }

  async function read(): Promise<Found | undefined> {
    const { status, headers, body } = await send('GET');
    if (status === 404) return undefined;
    if (status !== 200) throw statusProblem(status, host);
    const { etag = '', 'content-encoding': encoding = 'identity' } = headers;
    // A weak tag never matches a condition (RFC 9110 section 13.1.1), nor does that of a compressed file.
    const tag = etag.startsWith('"') && encoding === 'identity' ? etag : undefined;
    return { bytes: body, tag };
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
      const stored = written?.bytes ?? bytes.subarray(0, 0);
      if (digestOfBytes(stored) === digestOfBytes(bytes)) return null;
      const isPart = Buffer.compare(bytes.subarray(0, stored.length), stored) === 0;
      throw problem(isPart ? 'publish_not_whole' : 'publish_content_changed', { host });
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
  if (status >= 300 && status < 400) return problem('publish_elsewhere', { host });
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
