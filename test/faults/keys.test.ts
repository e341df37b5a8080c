import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { connection } from '../../db/open.ts';
import { withWriter } from '../../server/store/store.ts';
import { callCommand, startServe } from '../support/command.ts';
import { createCounts, sendAll, statusesOf } from '../support/fault-requests.ts';
import { makeTestHome } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { requirePlace } from '../support/place.ts';
import { printFigure } from '../support/print.ts';

/** The forms in which a part of a key could be somewhere. */
function encodingsOf(key: string): Buffer[] {
  const part = key.slice(5, 29);
  // The three alignments of base64, without the characters that depend on the neighbours.
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.from('x'.repeat(shift) + part)
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  );
  const escaped = [...part].map((letter) => letter.charCodeAt(0).toString(16));
  return [
    part,
    ...base64,
    Buffer.from(part).toString('hex'),
    escaped.map((code) => `%${code}`).join(''),
    [...part].toReversed().join(''),
    part.toUpperCase(),
    part.toLowerCase(),
    escaped.map((code) => `\\u00${code}`).join(''),
  ]
    .map((text) => Buffer.from(text))
    .concat(Buffer.from(part, 'utf16le'));
}

/** Requests that use a key rightly and in all wrong ways. */
function requestsWith(key: string, port: number): string[] {
  const host = `Host: 127.0.0.1:${port}`;
  const bearer = `Authorization: Bearer ${key}`;
  const requests = [
    ['GET /v1/events', host, bearer],
    ['GET /v1/events/1', host, bearer],
    [`GET /v1/events?access_token=${key}`, host],
    [`GET /v1/events?q=${key}`, host, bearer],
    [`GET /v1/events/${key}`, host, bearer],
    [`GET /${key}`, host],
    [`${key.replace('_', '')} /v1/events`, host],
    ['GET /v1/events', `Host: ${key}`, bearer],
    ['GET /v1/events', host, bearer, bearer],
    ['GET /v1/events', host, `Authorization: ${key}`],
    ['GET /v1/events', host, `Authorization: Basic ${Buffer.from(`x:${key}`).toString('base64')}`],
    ['GET /v1/events', host, `Authorization: Bearer ${key.toUpperCase()}`],
    ['GET /v1/events', host, `Authorization: Bearer ${encodeURIComponent(key)}x`],
    ['POST /v1/events', host, bearer, `Content-Length: ${key.length}`],
    ['GET /v1/events', host, bearer, `Cookie: key=${key}`, `Referer: http://x/#key=${key}`],
    [`GET /v1/events HTTP/1.1 ${key}`, host],
  ];
  return requests.map((lines) => {
    const [first, ...rest] = lines;
    return `${[`${first} HTTP/1.1`, ...rest, 'Connection: close'].join('\r\n')}\r\n\r\n${key}`;
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** The arguments of all processes, and the arguments and environment of one. */
function readProcesses(pid: number): [string, Buffer][] {
  const own = ['cmdline', 'environ'].map((name) => `/proc/${pid}/${name}`);
  return [
    ['ps', execFileSync('ps', ['-eo', 'args'])],
    ...own.filter(existsSync).map((path): [string, Buffer] => [path, readFileSync(path)]),
  ];
}

const count = choose(300, 9, 1_000);

it(`leaves no part of ${count} keys in any file, log, output or process list`, {
  tags: 'long',
}, async (context) => {
  requirePlace(context, 'ps');
  const home = makeTestHome();
  const call = (...args: string[]) => callCommand(['--home', home.directory, ...args]);
  await call('user', 'add', 'Chess');
  const keys: string[] = [];
  const places: [name: string, content: Buffer][] = [];
  for (let at = 0; at < count; at += 1) {
    const { stdout, stderr } = await call('key', 'create', '--user', 'Chess');
    keys.push(stdout.trim());
    places.push(['key create', Buffer.from(stderr)]);
    if (at % 3 === 0) await call('key', 'revoke', `${at + 1}`);
  }
  const serving = await startServe(['--home', home.directory, '--port', '0']);
  const port = Number(new URL(serving.firstLine).port);
  const statuses = createCounts();
  /** Sends all keys, and collects the places in which they could be. */
  async function sendKeys(): Promise<void> {
    const requests = keys.flatMap((key) => requestsWith(key, port));
    await sendAll(
      port,
      requests.length,
      () => requests.pop() ?? '',
      (answer) => {
        statusesOf(answer).forEach(statuses.add);
        // Links to further pages repeat the query, to the client that sent it.
        if (!answer.includes('rel="next"')) places.push(['an answer', Buffer.from(answer)]);
      },
    );
    for (const path of filesBelow(home.directory)) places.push([path, readFileSync(path)]);
    places.push(...readProcesses(serving.pid));
  }
  await sendKeys();
  for (const command of [
    ['key', 'list'],
    ['backup'],
    ['user', 'list'],
    ['check'],
    ['history', '--user', 'Chess'],
  ]) {
    const { stdout, stderr } = await call(...command);
    places.push([command.join(' '), Buffer.from(stdout + stderr)]);
  }
  await withWriter(home, (db) => {
    connection(db).exec('ALTER TABLE keys RENAME TO elsewhere');
  });
  await sendKeys();
  // On a slow machine, the check of the database comes before the requests.
  const failure = /no such table|the database is damaged/;
  expect(readFileSync(join(home.logs, 'service.log'), 'utf8')).toMatch(failure);
  await serving.end('SIGABRT');
  // The last lines of a process can arrive after its end.
  await delay(100);
  places.push(['stdout', Buffer.from(serving.stdout())], ['stderr', Buffer.from(serving.stderr())]);

  const needles = keys.flatMap(encodingsOf);
  const merged = Buffer.concat(places.flatMap(([, content]) => [content, Buffer.from('\n')]));
  const hits = needles.filter((needle) => merged.includes(needle));
  const found = places.flatMap(([name, content]) =>
    hits.some((needle) => content.includes(needle)) ? [name] : [],
  );
  printFigure(
    `${count} keys, ${places.length} places (${Math.round(merged.length / 1e6)} MB), ` +
      `${needles.length} encoded parts: ${hits.length} hits (${statuses.text()})`,
  );
  expect(found).toEqual([]);
  // The search finds a key that is there.
  for (const needle of encodingsOf(keys[0] ?? '')) {
    expect(Buffer.concat([merged.subarray(0, 1_000), needle]).includes(needle)).toBe(true);
  }
});
