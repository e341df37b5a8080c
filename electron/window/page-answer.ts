import { Agent, type IncomingMessage, request as requestService } from 'node:http';
import { Readable } from 'node:stream';
import { pageHeaderNames } from '../../server/http/headers.ts';
import { hasOrigin, pageOrigin } from '../ipc/origin.ts';

/** Request headers that are forwarded to the service. */
const forwarded = ['accept', 'authorization', pageHeaderNames.request, 'if-none-match'] as const;

/** Headers of a single connection, which are not forwarded (RFC 9110 section 7.6.1). */
const connectionHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/** An agent without proxy and keep-alive: its connections do not outlive the service. */
const agent = new Agent();

function headersOf(request: Request): Readonly<Record<string, string>> {
  const entries = forwarded.map((name) => [name, request.headers.get(name)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [never, string] => entry[1] !== null));
}

function composeResponse(answer: IncomingMessage, method: string): Response {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    if (connectionHeaders.has(name)) continue;
    for (const value of values) headers.append(name, value);
  }
  const status = answer.statusCode ?? 500;
  const isEmpty = method === 'HEAD' || status === 204 || status === 304;
  if (isEmpty) answer.resume();
  // Node's type of the stream differs from that of the global class, but they are the same.
  const body = isEmpty ? null : (Readable.toWeb(answer) as unknown as ReadableStream);
  return new Response(body, { status, headers });
}

/** Forwards a read request of the page to the service. Other requests get a network error. */
export async function answerPage(request: Request, baseUrl: string | undefined): Promise<Response> {
  const { url, method } = request;
  const origin = request.headers.get('origin') ?? pageOrigin;
  const isRead = method === 'GET' || method === 'HEAD';
  if (baseUrl === undefined || !isRead || origin !== pageOrigin || !hasOrigin(url, pageOrigin)) {
    return Response.error();
  }
  const { pathname, search } = new URL(url);
  const options = { agent, method, headers: headersOf(request) };
  return new Promise((resolve) => {
    const outgoing = requestService(`${baseUrl}${pathname}${search}`, options);
    outgoing.on('response', (answer) => resolve(composeResponse(answer, method)));
    outgoing.on('error', () => resolve(Response.error()));
    outgoing.end();
  });
}
