import type { IncomingHttpHeaders } from 'node:http';
import { http } from '../base/node-http.ts';
import {
  challengeHeader,
  composeChallenge,
  findResponder,
  type Responder,
  type ServiceEnd,
} from '../http/health-proof.ts';

/** Time limit of a request in milliseconds. */
export const requestTimeout = 2_000;

/** The maximum length of an answer in characters. */
const maxLength = 1_000_000;

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

/** Sends a GET request, past any proxy and without following redirects. */
export function request(url: URL, headers: Readonly<Record<string, string>>): Promise<Reply> {
  const isEncrypted = url.protocol === 'https:';
  const { Agent, get } = isEncrypted ? process.getBuiltinModule('node:https') : http;
  const signal = AbortSignal.timeout(requestTimeout);
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({ kind: 'failure', code: signal.aborted ? 'timeout' : (error.code ?? 'unknown') });
    const sent = get(url, { agent: new Agent(), headers, signal });
    sent.on('error', fail);
    sent.on('response', (response) => {
      const { remoteAddress: address, remotePort: port } = response.socket;
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
        if (body.length > maxLength) sent.destroy();
      });
      response.on('error', fail);
      response.on('end', () =>
        resolve({
          kind: 'answer',
          status: response.statusCode ?? 0,
          headers: response.headers,
          body,
          end: { address, port },
        }),
      );
    });
  });
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
  const reply = await request(url, { ...headers, [challengeHeader]: challenge });
  return {
    reply,
    responderOf: ({ secret }) =>
      reply.kind === 'failure'
        ? 'other'
        : findResponder(reply.headers, secret, challenge, reply.end),
  };
}
