import { explain, type Problem, problem } from '../base/errors.ts';
import type { ActionTools } from '../club/tools.ts';
import { dayMs, hourMs, minuteMs } from '../dates/units.ts';
import type { MessageValues } from '../messages/message.ts';
import { type AddressCheck, type PublishedFile, storeState } from '../outside/live-files.ts';
import { isDueAt } from '../outside/settle.ts';
import { digestOfBytes } from '../outside/targets.ts';
import { follow } from '../web/follow.ts';
import { WebFailure, type WebReply, webProblem } from '../web/request.ts';

/** Reads what members get at an address, without a password. Throws a problem. */
async function readAddress(address: string, { onStep }: ActionTools): Promise<WebReply> {
  const url = new URL(address);
  const { host } = url;
  // What http answers could be from anybody on the way. Meanwhile, the file is not written.
  const limits = { http: 'nowhere', timeout: 5_000 } as const;
  return await follow(url, { onStep, ...limits }).catch((error) => {
    if (!(error instanceof WebFailure)) throw error;
    if (error.code === 'redirected') throw problem('publish_address_foreign', { host }, error);
    if (error.code === 'not_trusted') throw webProblem(error, host);
    throw problem('publish_unreachable', { host }, error);
  });
}

/** Signs of a whole file that this program wrote, by format. */
const whole = {
  ics: /^BEGIN:VCALENDAR\r\n[\s\S]*-\/\/Club Events\/\/[\s\S]*END:VCALENDAR\r\n$/,
  html: /<body [^>]*data-as-of="[\s\S]*id="events"[\s\S]*<\/html>\s*$/,
  json: /^\{[\s\S]*"events":[\s\S]*\}\s*$/,
} as const satisfies Record<PublishedFile['format'], RegExp>;

/** Time that a sync program or a cache may need for a new state, in milliseconds. */
const delay = hourMs;

/** Returns true for a page that a browser saves or disarms, as at many links to share a file. */
function isSaved({ headers }: WebReply): boolean {
  // Without a type, a browser guesses, unless it may not.
  const guess = headers['x-content-type-options'] === undefined ? 'text/html' : '';
  const type = headers['content-type'] ?? guess;
  const isPage = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type);
  const isAttachment = /^\s*attachment\b/i.test(headers['content-disposition'] ?? '');
  const isSandboxed = /\bsandbox\b/i.test(String(headers['content-security-policy']));
  return !isPage || isAttachment || isSandboxed;
}

/** Directives of a Content-Security-Policy that decide about styles in a page, the nearest one first. */
const styleDirectives = ['style-src-elem', 'style-src', 'default-src'];

/** Returns true for a page whose styles, which are within it, a policy forbids. */
function isBare({ headers }: WebReply): boolean {
  return String(headers['content-security-policy'] ?? '')
    .toLowerCase()
    .split(',')
    .some((policy) => {
      const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/));
      const [values] = styleDirectives.flatMap((name) =>
        directives.filter(([directive]) => directive === name),
      );
      return values !== undefined && !values.includes("'unsafe-inline'");
    });
}

/** Returns the problem of an answer; undefined for the file as it is, or as it was a moment ago. */
function findProblem(reply: WebReply, file: PublishedFile, now: number): Problem | undefined {
  const { host } = new URL(file.address ?? '');
  const { status, body } = reply;
  if (status === 401 || status === 403) return problem('publish_address_password', { host });
  if (status === 404 || status === 410) return problem('publish_address_missing', { host });
  if (status !== 200) return problem('publish_address_failed', { host, status });
  const { digests, at, asOf } = file.written;
  const digest = digestOfBytes(body);
  const text = Buffer.from(body).toString('utf8');
  const isKnown = digests.includes(digest);
  if (!isKnown && !whole[file.format].test(text)) {
    return problem('publish_address_foreign', { host });
  }
  if (file.format === 'html' && isSaved(reply)) return problem('publish_address_saved', { host });
  if (file.format === 'html' && isBare(reply)) return problem('publish_address_bare', { host });
  if (digest === digests[0]) return undefined;
  const isNew = isKnown && at !== null && Math.abs(now - Date.parse(at)) < delay;
  if (isNew) return undefined;
  // An old state names another time.
  const isNewest = !isKnown && asOf !== null && text.includes(`"${asOf}"`);
  return problem(isNewest ? 'publish_content_changed' : 'publish_address_old', { host });
}

/** An answer of an address. */
type Seen = {
  readonly failure: Problem | undefined;
  /** True for the newest state of the file. */
  readonly isNewest: boolean;
};

async function look(file: PublishedFile, tools: ActionTools, now: number): Promise<Seen> {
  const reply = await readAddress(file.address ?? '', tools);
  const failure = findProblem(reply, file, now);
  const isNewest = failure === undefined && digestOfBytes(reply.body) === file.written.digests[0];
  return { failure, isNewest };
}

/** Time after which an address is read again that still has the state before, in milliseconds. */
const againAfter = 5 * minuteMs;

/** Checks whether the address for members has the file, and stores the outcome. Call it under its lock. */
export async function checkAddress(
  file: PublishedFile,
  tools: ActionTools,
): Promise<Problem | undefined> {
  const now = tools.now().getTime();
  const nextAt = (ms: number) => new Date(now + ms).toISOString();
  const { addressCheck: before } = file;
  let seen: Seen;
  try {
    seen = await look(file, tools, now);
  } catch (error) {
    const failure = explain(error);
    if (failure === undefined || failure.code === 'cancelled') throw error;
    seen = { failure, isNewest: false };
  }
  const { failure, isNewest } = seen;
  const isAnswered = failure?.code !== 'publish_unreachable';
  const time = new Date(now).toISOString();
  // Without a connection, the last answer counts.
  const isKept = !isAnswered && before?.checkedAt;
  const addressCheck: AddressCheck = isKept
    ? { ...before, nextAt: nextAt(hourMs) }
    : {
        checkedAt: isAnswered ? time : null,
        nextAt: nextAt(failure !== undefined ? hourMs : isNewest ? dayMs : againAfter),
        failure: failure === undefined ? null : packed(failure),
        seenAt: isNewest ? time : (before?.seenAt ?? null),
      };
  storeState(tools.home, { ...file, addressCheck });
  return isKept ? undefined : failure;
}

function packed({ code, values }: Problem): NonNullable<AddressCheck['failure']> {
  return {
    code: code as NonNullable<AddressCheck['failure']>['code'],
    values: values as MessageValues,
  };
}

/** Time after a writing at which an address is checked, in milliseconds. */
const firstAfter = minuteMs;

/** Returns the last check of a file that was written at a time, with the next one soon after it. */
export function checkAfterWriting(check: AddressCheck | null, at: string): AddressCheck | null {
  if (check === null) return null;
  const soon = new Date(Date.parse(at) + firstAfter).toISOString();
  return soon < check.nextAt ? { ...check, nextAt: soon } : check;
}

/** Returns those of the files whose addresses are due: after a writing, each day, and sooner after a failure. */
export function findDueAddresses(files: readonly PublishedFile[], now: Date): PublishedFile[] {
  return files.filter(({ address, addressCheck, written, farewell }) => {
    if (address === null || written.at === null || farewell !== null) return false;
    if (addressCheck === null) {
      return Math.abs(now.getTime() - Date.parse(written.at)) >= firstAfter;
    }
    return isDueAt(addressCheck.nextAt, now, dayMs);
  });
}
