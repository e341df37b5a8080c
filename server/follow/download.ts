import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CalendarMemory } from '../../db/calendars.ts';
import { asUsage, explain, fileError, type Problem, problem } from '../base/errors.ts';
import { isLoopback } from '../base/settings.ts';
import type { ActionTools } from '../club/tools.ts';
import { callOutside } from '../outside/outside-files.ts';
import { parseWebUrl } from '../web/address.ts';
import { follow } from '../web/follow.ts';
import { WebFailure, type WebReply, webProblem } from '../web/request.ts';
import { goneAfter, type Outcome, retryAfterOf, type Schedule } from './schedule.ts';
import type { Marks } from './update.ts';

/** A calendar in the web, or in a file or folder of this computer. */
export type CalendarAddress =
  | {
      readonly kind: 'web';
      /** The addresses that are tried in turn: webcal is https, or else http. */
      readonly urls: readonly URL[];
      readonly authorization: string | undefined;
    }
  | { readonly kind: 'path'; readonly path: string };

/** The maximum length of a calendar, in bytes. */
const maxLength = 32 * 1024 * 1024;

/** Decodes a part of an address; one that is not encoded stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** An address without its beginning, such as `league.example/rovers.ics`. */
const withoutScheme = /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?::\d+)?\/(?!$)/i;

/**
 * Returns an address that was entered before: its file or folder may be away for a while. Throws
 * `follow_address_invalid`, which never repeats it: its path is a secret.
 */
export function readStoredAddress(text: string): CalendarAddress {
  const trimmed = text.trim();
  const url = parseWebUrl(trimmed);
  if (url !== null) {
    const { username, password } = url;
    const account = [username, password].map(decoded).join(':');
    url.username = '';
    url.password = '';
    url.hash = '';
    const plain = new URL(url);
    plain.protocol = 'http:';
    const isEither = /^webcal:/i.test(trimmed);
    const authorization =
      username === '' ? undefined : `Basic ${Buffer.from(account).toString('base64')}`;
    // A password never goes the open way because a server has no https.
    const urls = isEither && authorization === undefined ? [url, plain] : [url];
    return { kind: 'web', urls, authorization };
  }
  if (/^file:/i.test(trimmed)) {
    try {
      return { kind: 'path', path: fileURLToPath(trimmed) };
    } catch (error) {
      throw asUsage(problem('follow_address_invalid', {}, error));
    }
  }
  // A mistyped address of the web is no file.
  const isOther = trimmed === '' || /^(?!\w:)[a-z][a-z\d+.-]*:/i.test(trimmed);
  if (isOther || trimmed.includes('\0')) throw asUsage(problem('follow_address_invalid'));
  return { kind: 'path', path: resolve(trimmed) };
}

/** Returns true for a file or folder that is there. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // Such as for a name that is too long.
    if (fileError(error, path) === error) throw error;
    return false;
  }
}

/** Returns the address that a person entered. Throws `follow_address_invalid`, or `file_missing`. */
export function parseCalendarAddress(text: string): CalendarAddress {
  const address = readStoredAddress(text);
  if (address.kind === 'web' || isThere(address.path)) return address;
  const isFile = /[/\\]|\.ics$/i.test(text) && !withoutScheme.test(text.trim());
  const { path } = address;
  throw asUsage(problem(isFile ? 'file_missing' : 'follow_address_invalid', { path }));
}

/** Returns the part of an address that is shown: the host, or the name of the file. */
export const placeOf = (address: CalendarAddress): string =>
  address.kind === 'path' ? basename(address.path) : (address.urls[0]?.host ?? '');

/** Returns the host by which requests are limited; empty for a file. */
export const hostOf = (address: CalendarAddress): string =>
  address.kind === 'path' ? '' : (address.urls[0]?.hostname ?? '');

/** The answer of an address: contents, or the same as before, or a failure. */
export type Answer =
  | {
      readonly kind: 'contents';
      readonly bytes: Uint8Array;
      readonly marks: Marks;
      readonly url?: URL;
    }
  | { readonly kind: 'same'; readonly marks: Marks }
  | { readonly kind: 'failure'; readonly failure: Problem; readonly outcome: Outcome };

const isOfOutlook = (host: string) =>
  /(?:^|\.)outlook\.(?:office365|office|live)\.com$/i.test(host);

const failed = (failure: Problem, outcome: Outcome = { kind: 'failed' }): Answer => ({
  kind: 'failure',
  failure,
  outcome,
});

/** Returns the failure of an answer with another status than 200 and 304. */
function refusalOf({ status, headers, url }: WebReply, schedule: Schedule, now: number): Answer {
  const place = url.host;
  const wait = retryAfterOf(headers['retry-after'], now);
  const isOwn = isLoopback(url.hostname) && /^bearer/i.test(headers['www-authenticate'] ?? '');
  if (isOwn) return failed(problem('follow_own_service', { place }));
  if (status === 429 || (status === 503 && wait !== undefined)) {
    return failed(problem('follow_pause', { place }), { kind: 'pause', wait });
  }
  // Of an address that a person enters, no event stays.
  const isKnown = schedule.goodAt !== null;
  if (status === 410 && isKnown) return failed(problem('follow_gone', { place }));
  if (status === 404 && isKnown) {
    const since = schedule.absentSince ?? now;
    const code = now - since >= goneAfter ? 'follow_gone' : 'follow_absent';
    return failed(problem(code, { place }), { kind: 'absent' });
  }
  if (isOfOutlook(url.hostname)) return failed(problem('follow_outlook_refused', { place }));
  const isLocked = status === 401 || status === 403;
  return failed(
    isLocked
      ? problem('follow_password_refused', { place })
      : problem('web_refused', { place, status }),
  );
}

/** Returns the time for which an answer is good: a cache names its age (RFC 9111 section 5.1). */
function asOfAnswer({ headers }: WebReply, now: number): number {
  const date = Date.parse(headers.date ?? '');
  const age = Number(headers.age ?? 0) * 1_000;
  const asOf = (Number.isFinite(date) ? date : now) - (Number.isFinite(age) ? age : 0);
  return Math.min(asOf, now);
}

type Before = { readonly memory: CalendarMemory; readonly schedule: Schedule };
type Tools = Pick<ActionTools, 'onStep' | 'now'>;

async function readWeb(
  { urls, authorization }: CalendarAddress & { readonly kind: 'web' },
  { memory, schedule }: Before,
  { onStep, now }: Tools,
): Promise<Answer> {
  const { etag, lastModified } = memory;
  const headers = {
    accept: 'text/calendar, */*;q=0.5',
    ...(authorization !== undefined && { authorization }),
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  };
  let failure: Problem | undefined;
  for (const url of urls) {
    try {
      const reply = await follow(url, { headers, onStep, http: 'anywhere', maxLength });
      const time = now().getTime();
      const marks = {
        asOf: asOfAnswer(reply, time),
        etag: reply.headers.etag ?? null,
        lastModified: reply.headers['last-modified'] ?? null,
      };
      // Without validators, 304 answers nothing.
      if (reply.status === 304 && (etag ?? lastModified) !== null) {
        return { kind: 'same', marks: { ...marks, etag, lastModified } };
      }
      if (reply.status !== 200) return refusalOf(reply, schedule, time);
      return { kind: 'contents', bytes: reply.body, marks, url: reply.url };
    } catch (error) {
      if (!(error instanceof WebFailure)) throw error;
      failure ??= webProblem(error, url.host);
    }
  }
  return failed(failure ?? problem('follow_address_invalid'));
}

const isCalendarFile = (name: string) => /\.(?:ics|ifb|ical|icalendar)$/i.test(name);

/** Reads a file, or all calendars of a folder, in a process that can be ended. */
async function readPath(path: string, { onStep, now }: Tools): Promise<Answer> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const folder = isFolder ? path : dirname(path);
  const options = { onStep };
  const names = isFolder
    ? (await callOutside(options, 'list', { folder, name: '.' }))
        .map(({ name }) => name)
        .filter(isCalendarFile)
        .sort()
    : [basename(path)];
  const pieces: Buffer[] = [];
  for (const name of names) {
    const found = await callOutside(options, 'read', { folder, name }, maxLength);
    if (found !== undefined) pieces.push(Buffer.from(found.bytes, 'base64'), Buffer.from('\r\n'));
  }
  if (!isFolder && pieces.length === 0)
    throw problem('file_missing', { path: join(folder, names[0] ?? '') });
  const marks = { asOf: now().getTime(), etag: null, lastModified: null };
  return { kind: 'contents', bytes: Buffer.concat(pieces), marks };
}

/** Asks an address for its calendar. Throws only if it is cancelled. */
export async function readAddress(
  address: CalendarAddress,
  before: Before,
  tools: Tools,
): Promise<Answer> {
  try {
    return address.kind === 'web'
      ? await readWeb(address, before, tools)
      : await readPath(address.path, tools);
  } catch (error) {
    const failure = explain(address.kind === 'path' ? fileError(error, address.path) : error);
    if (failure === undefined || failure.code === 'cancelled') throw error;
    return failed(failure);
  }
}
