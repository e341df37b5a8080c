import { EventEmitter } from 'node:events';
import type { AppUpdater, UpdateInfo } from 'electron-updater';
import { z } from 'zod';

type Bounds = { readonly size: number; readonly time: number };

/** What an update server may do at most; times in milliseconds, sizes in bytes. */
export type UpdateLimits = {
  /** Of what describes the update. */
  readonly description: Bounds;
  /** Of the update itself. */
  readonly download: Bounds;
  /** Requests for one check and its download, redirects among them. */
  readonly requests: number;
};

export const standardLimits: UpdateLimits = {
  description: { size: 100_000, time: 60_000 },
  download: { size: 400_000_000, time: 3_600_000 },
  requests: 12,
};

/** An update is described by plain texts; a release, and no draft of one. */
const Description = z.object({
  version: z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/),
  files: z
    .array(
      z.object({
        url: z.string().min(1).max(2_000),
        sha512: z.string().regex(/^[\w+/]{86}==$/),
        size: z.int().positive().optional(),
        isAdminRightsRequired: z.boolean().optional(),
      }),
    )
    .min(1)
    .max(20),
  releaseDate: z.string().max(100).optional(),
  stagingPercentage: z.number().optional(),
  minimumSystemVersion: z.string().max(100).optional(),
  /** Of a release on GitHub, whose files are found by it. */
  tag: z.string().max(100).optional(),
});

/** An update server that does what none should. */
export class UpdateServerError extends Error {
  override readonly name = 'UpdateServerError';
}

type Request = EventEmitter & { abort(): void; end(data?: unknown): void };
type Response = { on(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown };
type RequestOptions = {
  readonly protocol?: string | undefined;
  readonly hostname?: string | undefined;
  /** Electron-updater follows the redirects of a download by itself, and no other ones. */
  readonly redirect?: string | undefined;
};

/** The parts of electron-updater that all that comes from a server goes through. */
type Inside = {
  readonly httpExecutor: {
    createRequest(options: RequestOptions, callback: (response: Response) => void): Request;
  };
  getUpdateInfoAndProvider(): Promise<{ info: UpdateInfo; provider: unknown }>;
};

/** A request that was never made, and fails for this reason. */
function refuseRequest(reason: string): Request {
  const request = Object.assign(new EventEmitter(), {
    abort: () => undefined,
    end: () => undefined,
  });
  setImmediate(() => request.emit('error', new UpdateServerError(reason)));
  return request;
}

export type UpdateGuard = {
  /** Begins to count what the next check and its download take. */
  reset(): void;
};

/**
 * Takes from an updater what a server could do to the program: each request is bounded in time and
 * size, all together in number, only `isAllowed` ones are made, and what describes an update is
 * checked before electron-updater reads it, which would even print it.
 */
export function guardUpdater(
  updater: AppUpdater,
  isAllowed: (options: RequestOptions) => boolean,
  limits: UpdateLimits = standardLimits,
): UpdateGuard {
  // Its types leave out what is inside; test/electron/updates.test.ts holds it in place.
  const inside = updater as unknown as Inside;
  const { httpExecutor } = inside;
  const createRequest = httpExecutor.createRequest.bind(httpExecutor);
  const describe = inside.getUpdateInfoAndProvider.bind(updater);
  let requests = 0;

  httpExecutor.createRequest = (options, callback) => {
    requests += 1;
    if (requests > limits.requests) return refuseRequest('The update server redirects on and on.');
    if (!isAllowed(options)) return refuseRequest('The update server is no safe one.');
    const bounds = options.redirect === 'manual' ? limits.download : limits.description;
    const request = createRequest(options, (response) => {
      let received = 0;
      response.on('data', (chunk) => {
        received += chunk.length;
        if (received > bounds.size) giveUp('The update server sends on and on.');
      });
      callback(response);
    });
    const giveUp = (reason: string) => {
      request.emit('error', new UpdateServerError(reason));
      request.abort();
    };
    const deadline = setTimeout(giveUp, bounds.time, 'The update server takes too long.').unref();
    request.once('close', () => clearTimeout(deadline));
    return request;
  };
  inside.getUpdateInfoAndProvider = async () => {
    const { info, provider } = await describe();
    const parsed = Description.safeParse(info);
    if (parsed.success) return { info: parsed.data as unknown as UpdateInfo, provider };
    throw new UpdateServerError(`The update server describes no update: ${parsed.error.message}`);
  };
  return {
    reset: () => {
      requests = 0;
    },
  };
}

/** Sets an updater to do nothing unasked, and to go to newer releases alone. */
export function prepareUpdater(updater: AppUpdater): AppUpdater {
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  // Whole files, each with its checksum: no parts put together by what the server says.
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  // Otherwise a number of this installation, by which a server could follow it.
  updater.requestHeaders = { 'x-user-staging-id': 'none' };
  // What fails comes as a rejection, too.
  updater.logger = null;
  return updater;
}
