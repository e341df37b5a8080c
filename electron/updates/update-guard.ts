import { EventEmitter } from 'node:events';
import type { AppUpdater, UpdateInfo } from 'electron-updater';
import { z } from 'zod';

type Bounds = { readonly size: number; readonly time: number };

/** Limits for an update server; times in milliseconds, sizes in bytes. */
export type UpdateLimits = {
  /** Limits for the description of the update. */
  readonly description: Bounds;
  readonly download: Bounds;
  /** Number of requests for one check and its download, including redirects. */
  readonly requests: number;
};

const standardLimits: UpdateLimits = {
  description: { size: 100_000, time: 60_000 },
  download: { size: 400_000_000, time: 3_600_000 },
  requests: 12,
};

/** The description of an update: plain texts, and the version of a release. */
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
  /** The tag of a release on GitHub, by which its files are found. */
  tag: z.string().max(100).optional(),
});

/** An error caused by an update server that misbehaves. */
export class UpdateServerError extends Error {
  override readonly name = 'UpdateServerError';
}

type Request = EventEmitter & { abort(): void; end(data?: unknown): void };
type Response = { on(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown };
type RequestOptions = {
  readonly protocol?: string | undefined;
  readonly hostname?: string | undefined;
  /** `manual` for downloads: electron-updater itself follows only their redirects. */
  readonly redirect?: string | undefined;
};

/** Internals of electron-updater that handle everything from a server. */
type Internals = {
  readonly httpExecutor: {
    createRequest(options: RequestOptions, callback: (response: Response) => void): Request;
  };
  getUpdateInfoAndProvider(): Promise<{ info: UpdateInfo; provider: unknown }>;
};

/** Returns a request that is never sent and fails with a reason. */
function refuseRequest(reason: string): Request {
  const request = Object.assign(new EventEmitter(), {
    abort: () => undefined,
    end: () => undefined,
  });
  setImmediate(() => request.emit('error', new UpdateServerError(reason)));
  return request;
}

/**
 * Limits what a server can do to the program: the time and size of each request, and the number of
 * requests. Only `isAllowed` requests are sent. The description of an update is checked before
 * electron-updater reads and prints it.
 */
export function guardUpdater(
  updater: AppUpdater,
  isAllowed: (options: RequestOptions) => boolean,
  limits: UpdateLimits = standardLimits,
): void {
  // The types lack these internals; test/electron/updates.test.ts checks that they still work.
  const internals = updater as unknown as Internals;
  const { httpExecutor } = internals;
  const createRequest = httpExecutor.createRequest.bind(httpExecutor);
  const describeUpdate = internals.getUpdateInfoAndProvider.bind(updater);
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
        if (received > bounds.size) failRequest('The update server sends on and on.');
      });
      callback(response);
    });
    const failRequest = (reason: string) => {
      request.emit('error', new UpdateServerError(reason));
      request.abort();
    };
    const deadline = setTimeout(
      failRequest,
      bounds.time,
      'The update server takes too long.',
    ).unref();
    request.once('close', () => clearTimeout(deadline));
    return request;
  };
  internals.getUpdateInfoAndProvider = async () => {
    // Every check begins here.
    requests = 0;
    const { info, provider } = await describeUpdate();
    const parsed = Description.safeParse(info);
    if (parsed.success) return { info: parsed.data as unknown as UpdateInfo, provider };
    throw new UpdateServerError(`The update server describes no update: ${parsed.error.message}`);
  };
}

/** Configures an updater to act only on request, and to install only newer releases. */
export function prepareUpdater(updater: AppUpdater): AppUpdater {
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  // Only whole files with a checksum: no file is assembled by instructions of the server.
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  // The default is an id of this installation, by which a server could track it.
  updater.requestHeaders = { 'x-user-staging-id': 'none' };
  // Failures are also reported as rejections.
  updater.logger = null;
  return updater;
}
