import type { IncomingHttpHeaders } from 'node:http';
import {
  challengeHeader,
  composeChallenge,
  findResponder,
  type Responder,
  type ServiceEnd,
} from '../http/health-proof.ts';
import { request, WebFailure } from '../web/request.ts';

/** Time limit of a request in milliseconds. */
export const requestTimeout = 2_000;

export type Reply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: string;
      /** The other end of the connection. */
      readonly end: ServiceEnd;
    }
  /** `code` is that of Node.js, or `timeout`. */
  | { readonly kind: 'failure'; readonly code: string };

/** Sends a GET request to a service, past any proxy and without following redirects. */
export async function askService(
  url: URL,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const limits = { env: {}, timeout: requestTimeout, maxLength: 1_000_000 };
  try {
    const { body, ...reply } = await request(url, { headers, ...limits });
    return { kind: 'answer', ...reply, body: Buffer.from(body).toString('utf8') };
  } catch (error) {
    if (!(error instanceof WebFailure)) throw error;
    const { code } = (error.code === 'timeout' ? error : (error.cause ?? error)) as WebFailure;
    return { kind: 'failure', code };
  }
}

/** An answer, and the program that sent it according to a service's secret. */
export type Health = {
  readonly reply: Reply;
  readonly responderOf: (entry: { readonly secret: string }) => Responder;
};

/** Asks the program at an address to prove that it is a service. */
export async function askHealth(
  address: URL | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Health> {
  const challenge = composeChallenge();
  const url = new URL('/health', address);
  const reply = await askService(url, { ...headers, [challengeHeader]: challenge });
  return {
    reply,
    responderOf: ({ secret }) =>
      reply.kind === 'failure'
        ? 'other'
        : findResponder(reply.headers, secret, challenge, reply.end),
  };
}
