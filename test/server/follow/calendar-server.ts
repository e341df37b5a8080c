import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** An event of a test calendar. */
export type Entry = {
  readonly uid: string;
  readonly name: string;
  /** The start in UTC, such as `20361121T140000Z`, or a day. */
  readonly start: string;
  readonly place?: string;
  readonly lines?: readonly string[];
};

/** Writes a calendar as many services do, with a new DTSTAMP at each download. */
export function calendarOf(
  entries: readonly Entry[],
  head: readonly string[] = ['X-WR-CALNAME:Fixtures'],
): string {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const events = entries.flatMap(({ uid, name, start, place, lines = [] }) => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${stamp}`,
    start.includes('T') ? `DTSTART:${start}` : `DTSTART;VALUE=DATE:${start}`,
    `SUMMARY:${name}`,
    ...(place === undefined ? [] : [`LOCATION:${place}`]),
    ...lines,
    'END:VEVENT',
  ]);
  const all = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:test',
    ...head,
    ...events,
    'END:VCALENDAR',
  ];
  return `${all.join('\r\n')}\r\n`;
}

type Reply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Serves what `answer` returns, and keeps the requests. */
export async function serveCalendar(answer: (request: IncomingMessage) => Reply) {
  const requests: { readonly url: string; readonly headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers });
    const { status = 200, headers = {}, body = '' } = answer(request);
    response.writeHead(status, { 'content-type': 'text/calendar', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, address: `http://127.0.0.1:${port}/private/secret-4711.ics` };
}
