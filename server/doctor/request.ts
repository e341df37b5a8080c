import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { ServiceEnd } from '../http/health-proof.ts';

/** Time limit of a request in milliseconds. */
const requestTimeout = 1_500;

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
export function request(url: URL, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const { Agent, get } = url.protocol === 'https:' ? https : http;
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

/** Returns true if a program accepts connections at an address. */
export function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: requestTimeout });
    const end = (listens: boolean) => {
      socket.destroy();
      resolve(listens);
    };
    socket.on('connect', () => end(true));
    socket.on('timeout', () => end(false));
    socket.on('error', () => end(false));
  });
}
