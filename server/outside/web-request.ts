import type { ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import { type Problem, problem } from '../base/errors.ts';
import { http } from '../base/node-http.ts';
import { certificateError, outwardOptions } from '../base/outward.ts';
import { serviceName, version } from '../base/version.ts';
import { cancelEvery } from './outside-files.ts';

export type WebRequest = {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  /** The environment, which may name a proxy. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** The longest time for a request with its answer, in milliseconds. */
  readonly timeout?: number;
  /** Called at intervals until the answer is there; may throw to cancel. */
  readonly onStep?: (() => void) | undefined;
};

export type Reply = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Uint8Array;
};

/** The maximum length of an answer, in bytes. */
const maxLength = 50_000_000;

const commonHeaders = {
  'user-agent': `${serviceName}/${version}`,
  // A server that compresses an answer gives it another entity tag, which no condition matches.
  'accept-encoding': 'identity',
  'cache-control': 'no-cache',
};

/**
 * Sends a request and returns its whole answer; redirects are not followed. Throws
 * `publish_not_trusted`, or `publish_unreachable` without an answer.
 */
export function sendRequest(
  url: URL,
  { method, headers, body, env = process.env, timeout = 30_000, onStep }: WebRequest,
): Promise<Reply> {
  const { Agent, request } = url.protocol === 'https:' ? https : http;
  const signal = AbortSignal.timeout(timeout);
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const failed = (error: unknown) => reject(connectionProblem(error, url.host));
  let sent: ClientRequest;
  try {
    const agent = new Agent({ ...outwardOptions(url, env), timeout });
    sent = request(url, { method, agent, headers: { ...commonHeaders, ...headers }, signal });
  } catch (error) {
    // The address of the proxy is not valid, or the user name cannot be sent.
    return Promise.reject(connectionProblem(error, url.host));
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
  const timer = setInterval(() => {
    try {
      onStep?.();
    } catch (error) {
      reject(error);
      sent.destroy();
    }
  }, cancelEvery);
  sent.end(body);
  return promise.finally(() => clearInterval(timer));
}

/** Returns the problem of a request without an answer. */
function connectionProblem(error: unknown, host: string): Problem {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { code = '' } = (first ?? {}) as NodeJS.ErrnoException;
  const isUntrusted = certificateError.test(code);
  return problem(isUntrusted ? 'publish_not_trusted' : 'publish_unreachable', { host }, error);
}
