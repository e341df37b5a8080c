import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { callCommand, runCommand, startServe } from '../support/command.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { printFigure } from '../support/print.ts';
import { fetchWithKey } from '../support/service.ts';

const seconds = choose(60, 2);
const maxLog = 20_000_000;

it(`loses nothing in ${seconds} seconds with four writers, a service and readers`, {
  tags: 'long',
}, async () => {
  const home = makeTestHome();
  const folder = makeTestFolder();
  const events = Array.from({ length: 500 }, (_, id) => makeEvent(id));
  const { key } = await addMember(home, 'Chess', events);
  const { firstLine, end } = await startServe(['--home', home.directory, '--port', '0']);
  const port = Number(new URL(firstLine).port);
  const deadline = performance.now() + seconds * 1_000;
  const failures: string[] = [];
  const found = { imports: 0, edits: 0, answers: 0, exports: 0, largestLog: 0 };
  const sizeOfLog = () => statSync(`${home.database}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  /** The names of events that commands have acknowledged, by id. */
  const acknowledged = new Map<number, string>();
  async function run(...command: string[]): Promise<boolean> {
    const { status, stderr } = await runCommand(['--home', home.directory, ...command]);
    const isWhole = status === 0;
    if (!isWhole) failures.push(`${command.join(' ')}: ${status} ${stderr}`);
    return isWhole;
  }
  async function repeat(act: (round: number) => Promise<unknown>): Promise<void> {
    for (let round = 0; performance.now() < deadline; round += 1) await act(round);
  }
  /** Imports events with ids of its own, and renames them the next time. */
  const importing = (writer: number) =>
    repeat(async (round) => {
      const ids = Array.from({ length: 100 }, (_, index) => 10_000 * writer + index);
      const name = `Writer ${writer}, round ${round}`;
      const path = join(folder, `${writer}.json`);
      writeFileSync(path, JSON.stringify({ events: ids.map((id) => makeEvent(id, { name })) }));
      if (!(await run('import', '--user', 'Chess', path))) return;
      for (const id of ids) acknowledged.set(id, name);
      found.imports += 1;
    });
  const editing = (id: number) =>
    repeat(async (round) => {
      const name = `Edited ${round}`;
      if (!(await run('event', 'edit', '--user', 'Chess', `${id}`, '--name', name))) return;
      acknowledged.set(id, name);
      found.edits += 1;
    });
  const requesting = repeat(async () => {
    const answer = await fetchWithKey({ port }, '/v1/events?limit=100', key);
    if (answer.status !== 200) failures.push(`GET: ${answer.status}`);
    await answer.arrayBuffer();
    found.answers += 1;
    await delay(10);
  });
  const exporting = repeat(async () => {
    const args = ['--home', home.directory, 'export', '--user', 'Chess', '--format', 'json'];
    const { status, stderr } = await callCommand(args);
    if (status !== 0) failures.push(`export: ${stderr}`);
    found.exports += 1;
    await delay(20);
  });
  const watching = repeat(async () => {
    found.largestLog = Math.max(found.largestLog, sizeOfLog());
    await delay(5);
  });
  await Promise.all([
    ...[1, 2].map(importing),
    ...[3, 4].map(editing),
    ...[requesting, exporting, watching],
  ]);
  const args = ['--home', home.directory, 'export', '--user', 'Chess', '--format', 'json'];
  const { stdout } = await callCommand(args);
  const stored = JSON.parse(stdout) as { events: readonly { id: number; name: string }[] };
  const names = new Map(stored.events.map(({ id, name }) => [id, name]));
  const lost = [...acknowledged].filter(([id, name]) => names.get(id) !== name);
  printFigure(
    `${seconds} s, four writers: ${JSON.stringify(found)}; ${lost.length} of ` +
      `${acknowledged.size} lost, ${failures.length} failures, log of ${sizeOfLog()} bytes at the end`,
  );
  expect(failures).toEqual([]);
  expect(lost).toEqual([]);
  expect(Math.min(found.imports, found.edits, found.answers, found.exports)).toBeGreaterThan(0);
  expect(found.largestLog).toBeLessThan(maxLog);
  expect(sizeOfLog()).toBe(0);
  expect((await callCommand(['--home', home.directory, 'check'])).status).toBe(0);
  expect(await end('SIGTERM')).toBe(0);
});
