import { basename, dirname, extname } from 'node:path';
import type { FailureCode } from '../../db/mirror-model.ts';
import type { StoredEvent } from '../../db/model.ts';
import { Problem } from '../base/errors.ts';
import { startOf } from '../base/file-start.ts';
import { type CopyHead, readCopyBytes } from '../copy/club-copy.ts';
import { callOutside, type OutsideOptions, pathOfFile } from '../outside/outside-files.ts';
import { hasProposalsName } from '../proposals/proposals-file.ts';
import { follow } from '../web/follow.ts';
import { WebFailure } from '../web/request.ts';
import { fail, readEvent } from './answers.ts';
import type { Answer, Request, Timing, UpstreamVersion } from './planner/state.ts';
import { failureOf, type Transport } from './transport.ts';

const limits = { events: 25_000, bytes: 50_000_000 };

/** Events of a page; a list of so many is cut, as that of a service. */
const pageLength = 200;

type Content = {
  readonly head: CopyHead;
  /** In the order of a list: descending creation time, ties by descending id. */
  readonly events: readonly StoredEvent[];
  readonly byId: ReadonlyMap<number, StoredEvent>;
};

/** The reason why a followed file cannot be trusted. */
export class FileFailure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** One version of a followed file, or the reason why there is none to trust. */
export type FollowedFile = {
  readonly content: Content | FileFailure;
  /** The names of files beside it that a sync program made of two versions of it. */
  readonly conflictCopies: readonly string[];
};

/** Reads a file of another computer, by its URL. Throws only if it was cancelled. */
export async function readFollowedFile(
  url: string,
  options: OutsideOptions,
  closing: AbortSignal = new AbortController().signal,
): Promise<FollowedFile> {
  const path = pathOfFile(url);
  try {
    const bytes =
      path === undefined ? await fetchFile(url, options, closing) : await readLocal(path, options);
    const content = readContent(bytes);
    return { content, conflictCopies: await findConflictCopies(path, options) };
  } catch (error) {
    closing.throwIfAborted();
    if (error instanceof FileFailure) return { content: error, conflictCopies: [] };
    throw error;
  }
}

type FileTransportOptions = OutsideOptions & {
  /** The URL of the file, also with the scheme `file:`. */
  readonly url: string;
  /** The file, if it was read before. */
  readonly file?: FollowedFile | undefined;
  /** Called with the file when it was read. */
  readonly onRead?: (file: FollowedFile) => void;
};

/**
 * Creates a transport that answers as the online service of a file would: a copy of a club, which
 * another computer keeps up to date. It reads the file once, so that all answers have one state.
 */
export function createFileTransport({
  url,
  file,
  onRead,
  ...options
}: FileTransportOptions): Transport {
  const closing = new AbortController();
  let reading: Promise<FollowedFile> | undefined = file && Promise.resolve(file);

  async function read(): Promise<FollowedFile> {
    reading ??= readFollowedFile(url, options, closing.signal);
    const followed = await reading;
    onRead?.(followed);
    return followed;
  }

  return {
    async send(request, signal) {
      const { content } = await read();
      for (const abort of [signal, closing.signal]) abort?.throwIfAborted();
      if (!(content instanceof FileFailure)) return answerFrom(content, request, url);
      const { code } = content;
      return fail(request, code === 'too_large' ? 'file_too_large' : code);
    },
    async close() {
      closing.abort();
    },
  };
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
    events: events.length,
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

/** Returns the content of a file. Throws `FileFailure` unless it is a whole copy of all events. */
function readContent(bytes: Uint8Array): Content {
  const copy = readCopyBytes(bytes);
  if (copy === undefined) {
    throw new FileFailure(startOf(bytes) === 'calendar' ? 'file_calendar' : 'file_damaged');
  }
  const { head, events: values } = copy;
  if (head.farewell !== undefined) throw new FileFailure(`file_${head.farewell.kind}`);
  if (!head.complete) throw new FileFailure('file_filtered');
  if (values.length > limits.events) throw new FileFailure('file_too_large');
  const events = values.map(readEvent).filter((event) => event !== null);
  const byId = new Map(events.map((event) => [event.id, event]));
  // A later version of the program may write what this one cannot read.
  if (byId.size !== values.length) throw new FileFailure('file_damaged');
  const inOrder = events.toSorted((a, b) =>
    a.createdAt === b.createdAt ? b.id - a.id : a.createdAt < b.createdAt ? 1 : -1,
  );
  return { head, events: inOrder, byId };
}

/** Failures of a file of this computer, by the code of its problem; others make it unreadable. */
const localFailures: Readonly<Record<string, FailureCode>> = {
  // A person looks elsewhere for a disk than for a file.
  publish_folder_gone: 'file_folder_missing',
  place_silent: 'file_silent',
  place_too_large: 'file_too_large',
};

/** Reads a file of this computer; a link that a person chose is followed. Throws `FileFailure`. */
async function readLocal(path: string, options: OutsideOptions): Promise<Uint8Array> {
  const place = { folder: dirname(path), name: basename(path) };
  try {
    const { link } = await callOutside(options, 'look', place);
    if (link !== undefined) return await readLocal(link, options);
    const file = await callOutside(options, 'read', place, limits.bytes);
    if (file === undefined) throw new FileFailure('file_missing');
    return Buffer.from(file.bytes, 'base64');
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'cancelled') throw error;
    throw new FileFailure(localFailures[error.code] ?? 'file_unreadable', error);
  }
}

/** Fetches a file without any key. Addresses for sharing redirect, so redirects are followed. */
async function fetchFile(
  url: string,
  { timeout, onStep }: OutsideOptions,
  closing: AbortSignal,
): Promise<Uint8Array> {
  try {
    const { status, body } = await follow(new URL(url), {
      http: 'this computer',
      headers: { accept: 'application/json, text/html' },
      maxLength: limits.bytes,
      signal: closing,
      ...{ timeout, onStep },
    });
    if (status === 200) return body;
    throw new FileFailure(codeOfStatus(status));
  } catch (error) {
    if (!(error instanceof WebFailure)) throw error;
    throw new FileFailure(error.code === 'redirected' ? 'file_elsewhere' : failureOf(error), error);
  }
}

function codeOfStatus(status: number): FailureCode {
  if (status === 401 || status === 403) return 'file_password';
  if (status === 404 || status === 410) return 'file_missing';
  if (status === 429) return 'too_many_requests';
  return status >= 500 ? 'server_failed' : 'file_elsewhere';
}

/** Words that sync programs put into the name of a second version of a file, in their languages. */
const conflictMarks = /conflict|konflikt|conflit/i;

/**
 * Lists the names of files beside a file that a sync program made of two versions of it, as
 * `season (conflicted copy 2026-11-19).json` and `season.sync-conflict-20261119.json`.
 */
async function findConflictCopies(
  path: string | undefined,
  options: OutsideOptions,
): Promise<readonly string[]> {
  if (path === undefined) return [];
  const name = basename(path);
  const ending = extname(name);
  const stem = name.slice(0, name.length - ending.length);
  const files = await callOutside(options, 'list', { folder: dirname(path), name: stem });
  return (
    files
      .map((file) => file.name)
      .filter((other) => other !== name && other.startsWith(stem))
      .filter((other) => extname(other) === ending)
      // Those of proposals are read by the first computer.
      .filter((other) => !hasProposalsName(other))
      .filter((other) => conflictMarks.test(other.slice(stem.length)))
      .sort()
      .slice(0, 20)
  );
}
