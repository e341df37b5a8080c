import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import type { FailureCode } from '../../db/mirror-model.ts';
import type { StoredEvent } from '../../db/model.ts';
import { type CopyHead, readCopyBytes } from '../base/club-copy.ts';
import { serviceName, version } from '../base/version.ts';
import { pathOfFile } from '../outside/outside-files.ts';
import { hasProposalsName } from '../proposals/proposals-file.ts';
import { fail, readEvent } from './answers.ts';
import type { Answer, Request, Timing, UpstreamVersion } from './planner/state.ts';
import {
  codeOf,
  createConnections,
  readBody,
  type Transport,
  TransportFailure,
} from './transport.ts';
import { isSafeUrl } from './upstream-address.ts';

type FileTransportOptions = {
  /** The URL of the file, also with the scheme `file:`. */
  readonly url: string;
  /** Called with the facts of the file when it was read. */
  readonly onRead?: (head: CopyHead) => void;
  /** The variables `HTTPS_PROXY` and `NO_PROXY`. */
  readonly env?: NodeJS.ProcessEnv;
  /** The longest time for a whole response, in ms. */
  readonly timeout?: number;
};

const limits = { events: 25_000, bytes: 50_000_000, redirects: 5 };

/** Events of a page; a list of so many is cut, as that of a service. */
const pageLength = 200;

type Content = {
  readonly head: CopyHead;
  /** In the order of a list: descending creation time, ties by descending id. */
  readonly events: readonly StoredEvent[];
  readonly byId: ReadonlyMap<number, StoredEvent>;
};

/**
 * Creates a transport that answers as the online service of a file would: a copy of a club, which
 * another computer keeps up to date. It reads the file once, so that all answers have one state.
 */
export function createFileTransport(options: FileTransportOptions): Transport {
  const { url } = options;
  const closing = new AbortController();
  let content: Promise<Content> | undefined;

  return {
    async send(request, signal) {
      const aborts = signal ? [signal, closing.signal] : [closing.signal];
      try {
        content ??= load(options, closing.signal);
        return answerFrom(await content, request, url);
      } catch (error) {
        for (const abort of aborts) abort.throwIfAborted();
        if (error instanceof TransportFailure) {
          return fail(request, error.code === 'too_large' ? 'file_too_large' : error.code);
        }
        throw error;
      }
    },
    async close() {
      closing.abort();
    },
  };
}

async function load(options: FileTransportOptions, closing: AbortSignal): Promise<Content> {
  const path = pathOfFile(options.url);
  const bytes = path === undefined ? await fetchFile(options, closing) : readLocal(path);
  const content = readContent(bytes);
  options.onRead?.(content.head);
  return content;
}

/** Reads the name of the club in a file that can be read. */
export async function readClubName(url: string): Promise<string> {
  return (await load({ url }, new AbortController().signal)).head.club;
}

function answerFrom({ head, events, byId }: Content, request: Request, url: string): Answer {
  const asOf = Date.parse(head.asOf);
  const timing: Timing = { date: null, age: 0, asOf };
  if (request.operation === 'byId') {
    const event = byId.get(request.id);
    return event === undefined
      ? { kind: 'not_found', request, timing, shape: 'file' }
      : { kind: 'event', request, timing, event, unknownMembers: [] };
  }
  if (request.operation === 'changes') return { kind: 'gone', request, timing };
  const start = request.operation === 'page' ? Number(new URL(request.url).hash.slice(1)) : 0;
  const isLast = start + pageLength > events.length;
  const upstream: UpstreamVersion = {
    revision: head.revision,
    digest: head.digest,
    club: head.uidBase,
  };
  return {
    kind: 'page',
    request,
    timing,
    page: {
      events: events.slice(start, start + pageLength),
      unreadable: [],
      unknownMembers: [],
      next: isLast ? null : `${url}#${start + pageLength}`,
      etag: null,
      version: upstream,
      ...(head.confirmations && { confirmations: timesOf(head.confirmations) }),
    },
  };
}

function timesOf(confirmations: Readonly<Record<string, string>>): ReadonlyMap<number, number> {
  return new Map(Object.entries(confirmations).map(([id, time]) => [Number(id), Date.parse(time)]));
}

/** Returns the content of a file. Throws `TransportFailure` unless it is a whole copy of all events. */
function readContent(bytes: Uint8Array): Content {
  const copy = readCopyBytes(bytes);
  if (copy === undefined) throw new TransportFailure('file_damaged');
  const { head, events: values } = copy;
  if (!head.complete) throw new TransportFailure('file_filtered');
  if (values.length > limits.events) throw new TransportFailure('file_too_large');
  const events = values.map(readEvent).filter((event) => event !== null);
  const byId = new Map(events.map((event) => [event.id, event]));
  // A later version of the program may write what this one cannot read.
  if (byId.size !== values.length) throw new TransportFailure('file_damaged');
  const inOrder = events.toSorted((a, b) =>
    a.createdAt === b.createdAt ? b.id - a.id : a.createdAt < b.createdAt ? 1 : -1,
  );
  return { head, events: inOrder, byId };
}

/** Reads a file of this computer. Throws `TransportFailure`. */
function readLocal(path: string): Uint8Array {
  try {
    const stats = statSync(path);
    // Opening a device or a pipe may wait forever.
    if (!stats.isFile()) throw new TransportFailure('file_unreadable');
    if (stats.size > limits.bytes) throw new TransportFailure('file_too_large');
    return readFileSync(path);
  } catch (error) {
    if (error instanceof TransportFailure) throw error;
    const { code = '' } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    if (!isMissing) throw new TransportFailure('file_unreadable', error);
    // A person looks elsewhere for a disk than for a file.
    const isFolderThere = existsSync(dirname(path));
    throw new TransportFailure(isFolderThere ? 'file_missing' : 'file_folder_missing', error);
  }
}

/** Fetches a file without any key. Addresses for sharing redirect, so redirects are followed. */
async function fetchFile(
  { url, env = process.env, timeout = 30_000 }: FileTransportOptions,
  closing: AbortSignal,
): Promise<Uint8Array> {
  const late = AbortSignal.timeout(timeout);
  const signal = AbortSignal.any([closing, late]);
  const headers = {
    accept: 'application/json, text/html',
    'accept-encoding': 'gzip, br',
    'cache-control': 'no-cache',
    'user-agent': `${serviceName}/${version}`,
  };
  let next = new URL(url);
  for (let redirects = 0; redirects <= limits.redirects; redirects += 1) {
    const connections = createConnections(next, timeout, env);
    try {
      const response = await connections.open(next, headers, signal);
      const { statusCode: status = 0 } = response;
      if (status === 200) return Buffer.concat(await readBody(response, limits.bytes));
      response.destroy();
      const target = URL.parse(response.headers.location ?? '', next.href);
      if (status < 300 || status >= 400 || target === null)
        throw new TransportFailure(codeOfStatus(status));
      if (!isSafeUrl(target)) throw new TransportFailure('file_unreadable');
      next = target;
    } catch (error) {
      closing.throwIfAborted();
      throw new TransportFailure(late.aborted ? 'timeout' : codeOf(error, next), error);
    } finally {
      connections.close();
    }
  }
  throw new TransportFailure('file_unreadable');
}

function codeOfStatus(status: number): FailureCode {
  if (status === 404 || status === 410) return 'file_missing';
  if (status === 429) return 'too_many_requests';
  if (status >= 500) return 'server_failed';
  return 'file_unreadable';
}

/** Words that sync programs put into the name of a second version of a file, in their languages. */
const conflictMarks = /conflict|konflikt|conflit/i;

/**
 * Lists the names of files beside a file that a sync program made of two versions of it, as
 * `season (conflicted copy 2026-11-19).json` and `season.sync-conflict-20261119.json`.
 */
export function findConflictCopies(url: string): readonly string[] {
  const path = pathOfFile(url);
  if (path === undefined) return [];
  const name = basename(path);
  const stem = name.slice(0, name.length - extname(name).length);
  try {
    return (
      readdirSync(dirname(path))
        .filter((other) => other !== name && other.startsWith(stem))
        .filter((other) => extname(other) === extname(name))
        // Those of proposals are read by the first computer.
        .filter((other) => !hasProposalsName(other))
        .filter((other) => conflictMarks.test(other.slice(stem.length)))
        .sort()
        .slice(0, 20)
    );
  } catch {
    // The file itself cannot be read either, which the sync reports.
    return [];
  }
}
