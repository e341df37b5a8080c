import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ActionInput, type ActionName, catalogue } from '../../../server/actions/catalogue.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import type { FileStatus } from '../../../server/publish/publish-actions.ts';
import { makeTestFolder, makeTestHome } from '../../support/home.ts';
import { createRandom } from '../../support/random.ts';

/** Creates a club whose clock only the test moves, and a folder that it shares. */
export async function openClub(zone = 'Europe/Berlin') {
  const home = makeTestHome();
  const clock = { now: Date.UTC(2026, 10, 19, 8, 0, 0) };
  const tools = {
    ...thisMachine,
    home,
    now: () => new Date(clock.now),
    systemTimeZone: () => zone,
    write: () => Promise.reject(new Error('nothing is written to stdout')),
    onProgress: () => undefined,
  };
  const perform = <Name extends ActionName>(name: Name, args: ActionInput<Name>) =>
    catalogue[name].perform(args, tools) as ReturnType<(typeof catalogue)[Name]['perform']>;
  const user = 'Rovers';
  await perform('user add', { name: user, zone });
  const addEvent = async (name: string, date: string, more: object = {}) => {
    const { event } = (await perform('event add', {
      user,
      event: { name, date, ...more },
    })) as unknown as { readonly event: { readonly id: number } };
    return event.id;
  };
  const folder = makeTestFolder();
  const tick = () => perform('publish tick', {});
  const list = async () => (await perform('publish list', {})).files as readonly FileStatus[];
  const only = async () => (await list())[0] as FileStatus;
  return { home, clock, tools, perform, user, addEvent, folder, tick, list, only };
}

/** The calendar after an edit, and the names of its events with their days or times in UTC. */
type Edited = {
  readonly calendar: string;
  readonly expected: readonly (readonly [name: string, start: string])[];
};

/** Edits a club at random, near changes of the clock, where mistakes are an hour or a day. */
export async function* editAtRandom(zone: string, edits: number): AsyncGenerator<Edited> {
  const { clock, perform, user, addEvent, folder, tick } = await openClub(zone);
  const output = join(folder, 'dates.ics');
  await perform('publish add', { user, output });
  const pick = createRandom(zone.length);
  const ids: number[] = [];
  const days = [
    ...['2026-03-29', '2026-11-01', '2026-10-25'],
    ...['2026-04-05', '2026-03-08', '2027-06-30'],
  ];
  const times = ['', 'T00:30', 'T02:30', 'T03:15', 'T19:00', 'T23:59'];
  const format = new Intl.DateTimeFormat('sv', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  for (let step = 0; step < edits; step += 1) {
    clock.now += 60_000;
    const date = `${days[pick(days.length)]}${times[pick(times.length)]}`;
    const at = pick(ids.length + 1);
    const id = ids[at];
    if (id === undefined) ids.push(await addEvent(`Event ${step}`, date));
    else if (pick(4) > 0) await perform('event edit', { user, id, changes: { date } });
    else await perform('event remove', { user, id: ids.splice(at, 1)[0] ?? 0 });
    await tick();
    const copy = join(folder, `copy-${step}.json`);
    await perform('export', { user, output: copy });
    const { events } = JSON.parse(readFileSync(copy, 'utf8')) as {
      readonly events: readonly { readonly name: string; readonly date: string }[];
    };
    const expected = events.map(({ name, date: instant }) => {
      const [localDay = '', time] = format.format(new Date(instant)).split(' ');
      return [name, time === '00:00' ? localDay : instant] as const;
    });
    yield { calendar: readFileSync(output, 'utf8'), expected };
  }
}
