import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { parse } from 'yaml';
import { changeEvents, type ServedClub, serveClub } from '../../support/club.ts';
import { callCommand, pathWithCommand } from '../../support/command.ts';
import { makeEvent, makeTestFolder } from '../../support/home.ts';
import { requirePlace } from '../../support/place.ts';
import { fetchWithKey } from '../../support/service.ts';

const folder = join(import.meta.dirname, '../../../server/http/examples');
const readme = readFileSync(join(folder, '../README.md'), 'utf8');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** A script for each client: prints all ids, a refusal, one event, and then each change. */
const python = `
import json, sys
sys.path.insert(0, ${JSON.stringify(folder)})
sys.dont_write_bytecode = True
from club_events import ClubEvents, Problem
base, key = sys.argv[1:]
club = ClubEvents(base, key)
out = lambda value: print(json.dumps(value), flush=True)
out(sorted(event["id"] for event in club.events(sort="date")))
for call in (lambda: club.event(9), lambda: list(ClubEvents(base, "x").events()), lambda: list(club.events(limit=0))):
    try: call()
    except Problem as problem: out([problem.status, problem.code, str(problem)])
out(club.event(7)["name"])
for changes in club.changes():
    out([len(changes["events"]), changes["removed"], changes["reset"], changes["events"][0]["name"] if changes["events"] else None])
`;
const typeScript = `
import { ClubEvents, Problem } from ${JSON.stringify(join(folder, 'club-events.ts'))};
const [base, key] = process.argv.slice(2);
const club = new ClubEvents(base, key);
const out = (value) => console.log(JSON.stringify(value));
const all = [];
for await (const { id } of club.events({ sort: 'date' })) all.push(id);
out(all.sort((left, right) => left - right));
const calls = [() => club.event(9), () => new ClubEvents(base, 'x').events().next(), () => club.events({ limit: '0' }).next()];
for (const call of calls) {
  try { await call(); }
  catch (error) { if (!(error instanceof Problem)) throw error; out([error.status, error.code, error.message]); }
}
out((await club.event(7)).name);
for await (const { events, removed, reset } of club.changes()) out([events.length, removed, reset, events[0]?.name ?? null]);
`;

/** Starts a client of the service, which prints a value on each line; skips without its program. */
async function startClient(
  context: TestContext,
  program: string,
  file: string,
  code: string,
  { service, key }: Pick<ServedClub, 'key'> & { readonly service: { readonly port: number } },
) {
  const script = join(makeTestFolder(), file);
  writeFileSync(script, code);
  const child = spawn(program, [script, `http://127.0.0.1:${service.port}`, key], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const failure = await Promise.race([once(child, 'spawn'), once(child, 'error')]);
  if (failure[0] instanceof Error)
    context.skip(`${program} does not run here: ${failure[0].message}`);
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`The client ended: ${stderr}`);
    return JSON.parse(value);
  };
}

describe.each([
  ['Python', 'python3', 'script.py', python],
  ['TypeScript', process.execPath, 'script.ts', typeScript],
])('the client in %s', (_, program, file, code) => {
  it('reads all pages, raises problems, and waits for changes', {
    tags: 'long',
  }, async (context) => {
    const events = Array.from({ length: 450 }, (_, at) => makeEvent(at + 10));
    const club = await serveClub([...events, makeEvent(7)]);
    const next = await startClient(context, program, file, code, club);
    const call = (...args: string[]) => callCommand(['--home', club.home.directory, ...args]);
    const { stdout } = await call('--json', 'backup');
    expect(await next()).toEqual([7, ...events.map(({ id }) => id)]);
    expect(await next()).toEqual([404, 'event_not_found', 'There is no event with this id.']);
    expect(await next()).toEqual([401, 'invalid_key', expect.stringContaining('not valid here')]);
    expect(await next()).toEqual([400, 'invalid_parameter', expect.stringContaining('"limit"')]);
    expect(await next()).toBe('Event 7');
    expect(await next()).toEqual([451, [], true, expect.any(String)]);
    await changeEvents(club, [makeEvent(7, { name: 'Moved' })]);
    expect(await next()).toEqual([1, [], false, 'Moved']);
    await call('event', 'remove', '7', '--user', 'club');
    expect(await next()).toEqual([0, [7], false, null]);
    // After a restore, the revision is unknown.
    expect((await call('restore', JSON.parse(stdout).name)).status).toBe(0);
    expect(await next()).toEqual([451, [], true, expect.any(String)]);
    await changeEvents(club, [makeEvent(7, { name: 'Again' })]);
    expect(await next()).toEqual([1, [], false, 'Again']);
  });

  it('goes on after answers that are cut off, and after pages for people', {
    tags: 'long',
  }, async (context) => {
    const events = JSON.stringify({ events: [makeEvent(7)] });
    const page = '<!doctype html><title>Please sign in</title>';
    const answers: readonly (readonly [status: number, length: number, body: string])[] = [
      [200, 5_038, events],
      [200, page.length, page],
      [503, 5_038, page],
      [200, events.length, events],
    ];
    let asked = 0;
    const server = createServer((_, response) => {
      const [status, length, body] = answers[asked] ?? [500, 0, ''];
      asked += 1;
      response.writeHead(status, { 'Content-Length': length, 'Events-Revision': `e.${asked}` });
      response.write(body);
      setTimeout(() => (length === body.length ? response.end() : response.destroy()), 50);
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    // Only the last part, which waits for changes.
    const changes = code.replace(
      /^out\(sorted.*(?=^for changes)|^const all.*(?=^for await \(const \{ events, removed)/ms,
      '',
    );
    const next = await startClient(context, program, file, changes, {
      service: { port },
      key: 'key',
    });
    expect(await next()).toEqual([1, [], true, 'Event 7']);
    expect(asked).toBeGreaterThanOrEqual(answers.length);
  });
});

it.each(['club_events.py', 'club-events.ts'])('keeps %s below 100 lines', (name) => {
  expect(read(name).trimEnd().split('\n').length).toBeLessThan(100);
});

it('names no key and no address but the usual one', () => {
  for (const name of readdirSync(folder)) {
    expect(read(name)).not.toMatch(/ce_\w{30}/);
    for (const [address] of read(name).matchAll(/https?:\/\/[\w.]+(:\d+)?/g)) {
      if (!/^https?:\/\/(?:localhost|127\.)$/.test(address)) {
        expect(address).toBe('http://127.0.0.1:28470');
      }
    }
  }
});

it('asks the service for the next event in Home Assistant', async () => {
  const secret = { tag: '!secret', resolve: (name: string) => `secret ${name}` };
  const { rest } = parse(read('home-assistant.yaml'), { customTags: [secret] });
  const [{ resource_template: template, headers, sensor }] = rest;
  expect(headers.Authorization).toBe('secret club_events');
  expect(sensor).toHaveLength(2);
  // The one expression of the template is the time.
  const url = template.replace(/\{\{\s*utcnow\(\)[^}]*\}\}/, '2026-05-01T00:00:00Z');
  expect(url).not.toContain('{{');
  const club = await serveClub([
    makeEvent(1, { date: '2026-04-01T18:00:00.000Z' }),
    makeEvent(2, { date: '2026-06-01T18:00:00.000Z', name: 'Later' }),
    makeEvent(3, { date: '2026-05-02T18:00:00.000Z', name: 'Next' }),
    makeEvent(4, { date: '2026-05-01T18:00:00.000Z', status: 'cancelled' }),
  ]);
  const { pathname, search } = new URL(url);
  const answer = await fetchWithKey(club.service, pathname + search, club.key);
  expect(answer.headers.get('Ignored-Parameters')).toBeNull();
  expect((await answer.json()).events).toMatchObject([{ id: 3, name: 'Next' }]);
});

it('has a first script that reacts to a change, word for word', {
  tags: 'long',
}, async (context) => {
  requirePlace(context, 'a Unix shell', 'signals');
  const section = readme.slice(readme.indexOf('## A first script'), readme.indexOf('## `watch`'));
  const blocks = [...section.matchAll(/^```(sh|python)\n([\s\S]*?)^```$/gm)];
  const code = (language: string) =>
    blocks.filter(([, found]) => found === language).map(([, , text = '']) => text);
  const folder = makeTestFolder();
  writeFileSync(join(folder, 'react.py'), code('python')[0] ?? '');
  const env = { ...process.env, PATH: pathWithCommand(), CLUB_EVENTS_HOME: join(folder, 'home') };
  const [prepare = '', watch = '', change = ''] = code('sh').map((text) =>
    text.replaceAll('npx --no club-events', 'club-events'),
  );
  const run = (text: string) =>
    spawn('sh', ['-ec', text], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [status] = await once(run(prepare), 'close');
  expect(status).toBe(0);
  const watching = run(`exec ${watch}`);
  onTestFinished(() => void watching.kill('SIGKILL'));
  let output = '';
  for (const stream of [watching.stdout, watching.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  // Its position is stored before the person has opened another terminal.
  await expect.poll(() => existsSync(join(folder, 'home/watches'))).toBe(true);
  await expect
    .poll(() => readdirSync(join(folder, 'home/watches')).some((name) => name.endsWith('.json')))
    .toBe(true);
  expect((await once(run(change), 'close'))[0]).toBe(0);
  const [, shown = ''] = /shows `(.*?)…`/.exec(readme) ?? [];
  await expect.poll(() => output).toContain(shown);
});
