import type { FailureCode } from '../../db/mirror-model.ts';
import { openSession, WebFailure, type WebLimits } from '../web/request.ts';
import { fail, readAnswer } from './answers.ts';
import type { Answer, Request } from './planner/state.ts';
import { parseBaseUrl, parseUpstreamKey } from './upstream-address.ts';

export type TransportOptions = WebLimits & {
  readonly baseUrl: string;
  readonly key: string;
};

/** Sends requests to an online service. */
export type Transport = {
  /**
   * Sends a request. Every fault of the network or the upstream is a `failure`; rejects only if the
   * signal or `close` aborts the request.
   */
  send(request: Request, signal?: AbortSignal): Promise<Answer>;
  /** Aborts all requests and closes all connections. */
  close(): Promise<void>;
};

/** Returns the failure of a request without an answer. Throws any other error. */
export function failureOf(error: unknown): FailureCode {
  if (!(error instanceof WebFailure)) throw error;
  return error.code === 'unreadable' ? 'not_json' : error.code;
}

/** Creates the transport of a mirror. It sends the key to the origin of `baseUrl` only. */
export function createTransport({ baseUrl, key, ...limits }: TransportOptions): Transport {
  const base = parseBaseUrl(baseUrl);
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${parseUpstreamKey(key)}`,
  };
  const session = openSession(base, limits);

  async function send(request: Request, signal?: AbortSignal): Promise<Answer> {
    const url = addressOf(request);
    // The key must not leave its origin.
    if (url.origin !== base.origin) return fail(request, 'redirected');
    const etag = request.operation === 'list' ? request.etag : null;
    try {
      const response = await session.request(url, {
        headers: etag === null ? headers : { ...headers, 'if-none-match': etag },
        signal,
      });
      return readAnswer(request, response, Date.now());
    } catch (error) {
      return fail(request, failureOf(error));
    }
  }

  function addressOf(request: Request): URL {
    if (request.operation === 'page') return new URL(request.url);
    const path = request.operation === 'byId' ? `v1/events/${request.id}` : 'v1/events';
    if (request.operation !== 'changes') return new URL(path, base);
    return new URL(request.url ?? `${path}?since=${encodeURIComponent(request.since)}`, base);
  }

  return {
    send,
    async close() {
      session.close();
    },
  };
}
