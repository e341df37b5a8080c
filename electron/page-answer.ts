import { Agent, type IncomingMessage, request as requestService } from 'node:http';
import { Readable } from 'node:stream';
import { isOfOrigin, pageOrigin } from './origin.ts';

/** The headers of the page that the service needs. */
const forwarded = ['accept', 'authorization', 'if-none-match'] as const;

/** The headers about one connection, which is not that of the page. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/** No proxy of the environment, and no connection that outlives the service. */
const agent = new Agent();

function headersOf(request: Request): Readonly<Record<string, string>> {
  const given = forwarded.map((name) => [name, request.headers.get(name)] as const);
  return Object.fromEntries(given.filter((entry): entry is [never, string] => entry[1] !== null));
}

function composeResponse(answer: IncomingMessage, method: string): Response {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    if (ofConnection.has(name)) continue;
    for (const value of values) headers.append(name, value);
  }
  const status = answer.statusCode ?? 500;
  const isEmpty = method === 'HEAD' || status === 204 || status === 304;
  if (isEmpty) answer.resume();
  // Node's type of the stream is not that of the global one, which it is.
  const body = isEmpty ? null : (Readable.toWeb(answer) as unknown as ReadableStream);
  return new Response(body, { status, headers });
}

/** Answers a request of the page as the service does, or with a network error. */
export async function answerPage(request: Request, baseUrl: string | undefined): Promise<Response> {
  const { url, method, signal } = request;
  const origin = request.headers.get('origin') ?? pageOrigin;
  const isRead = method === 'GET' || method === 'HEAD';
  if (baseUrl === undefined || !isRead || origin !== pageOrigin || !isOfOrigin(url, pageOrigin)) {
    return Response.error();
  }
  const { pathname, search } = new URL(url);
  const options = { agent, method, headers: headersOf(request), signal };
  return new Promise((resolve) => {
    const asked = requestService(`${baseUrl}${pathname}${search}`, options);
    asked.on('response', (answer) => resolve(composeResponse(answer, method)));
    asked.on('error', () => resolve(Response.error()));
    asked.end();
  });
}
