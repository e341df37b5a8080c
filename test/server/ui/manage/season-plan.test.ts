import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Event } from '../../../../server/http/contract.ts';
import { setZone } from '../../../../server/ui/base/days.ts';
import { createDaysOff } from '../../../../server/ui/base/days-off.ts';
import { omittedKeys, planSeason } from '../../../../server/ui/data/season-plan.ts';
import { testBrowser } from '../../../support/browser.ts';
import { makeEvent } from '../../../support/home.ts';
import { performHere } from '../../../support/perform.ts';
import { writeTestFile } from '../../import/files.ts';
import { expectPartForEverybody } from '../axe.ts';
import { openImport } from './import-page.ts';

const browser = testBrowser();

it('several files open the plan, in which each clash needs an answer before it is imported', async () => {
  const plan = await openImport(browser.current, { events: 0 });
  const { page, perform } = plan;
  await perform('event add', {
    event: { name: 'Training', date: '2031-12-16 19:00', location: 'Sports hall' },
  });
  const holiday = { first: '2031-12-26', last: '2031-12-26', name: 'Boxing Day' };
  const calendar = {
    kind: 'public',
    name: 'England',
    source: 'GB-ENG',
    readAt: '2026-11-26T00:00:00.000Z',
    days: [holiday],
  } as const;
  const noProgress = { home: plan.home, onProgress: () => undefined };
  await performHere('days-off put', { user: 'Chess', calendar }, noProgress);
  await page.reload();
  await plan.choose(
    writeTestFile(
      'Fixtures.csv',
      [
        'name,date,location',
        'Indoor cup,2031-12-06 14:00,Sports hall',
        'Cup replay,2031-12-16 19:30,Sports hall',
        'Athletic v Rovers,2031-12-26 11:00,away',
        'Rovers v City,2031-12-13 14:00,home',
        '',
      ].join('\n'),
    ),
    writeTestFile(
      'Hall plan.csv',
      'name,date,location\nJunior tournament,2031-12-06 13:00,Sports hall\n',
    ),
  );
  await plan.check();
  await page.getByRole('heading', { name: '3 clashes, 3 to decide' }).waitFor();
  await expectPartForEverybody(page, 'season plan');
  const button = page.locator('.work-foot button').last();
  expect(await button.innerText()).toBe('Import 1, leave 4');
  const clash = (name: RegExp) => page.getByRole('group', { name });
  await clash(/Sports hall, twice .*6 Dec/)
    .getByLabel('Leave out Junior tournament')
    .check();
  await page.getByText('3 clashes, 2 to decide').waitFor();
  expect(await button.innerText()).toBe('Import 2, leave 3');
  await clash(/On a day off: Boxing Day/)
    .getByLabel('Import', { exact: true })
    .check();
  expect(await button.innerText()).toBe('Import 3, leave 2');
  // A free evening begins a new event, and the plan is as it was.
  await page.getByRole('button', { name: 'Mon 8 Dec' }).click();
  await page.locator('.page').waitFor();
  await page.evaluate(() => location.assign('#manage=import'));
  await page.getByText('3 clashes, 1 to decide').waitFor();
  await button.click();
  await page.getByText('3 events added').waitFor();
  expect(Object.keys(await plan.places()).toSorted()).toEqual([
    'Athletic v Rovers',
    'Indoor cup',
    'Rovers v City',
    'Training',
  ]);
  // One change, one undo.
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => plan.count()).toBe(1);
});

it('one file is an import as before', async () => {
  const plan = await openImport(browser.current);
  const row = 'Indoor cup,2031-12-06 14:00,Sports hall';
  await plan.choose(
    writeTestFile('one.csv', `name,date,location\n${row}\n${row.replace('cup', 'match')}\n`),
  );
  await plan.check();
  await plan.button('Import 2 events').waitFor();
  expect(await plan.page.locator('.plan').count()).toBe(0);
});

describe('the plan of a season', () => {
  beforeAll(() => setZone('Europe/Berlin'));
  // Other files of this worker expect the zone of the computer.
  afterAll(() => setZone(''));
  const noDaysOff = createDaysOff([]);
  const row = (key: string, date: string, location: string, file = 0) => ({
    key,
    file,
    name: key,
    date,
    location,
  });
  const here = (id: number, date: string, more: Partial<Event> = {}) =>
    ({ ...makeEvent(id, { date, location: 'Hall', ...more }) }) as Event;
  const options = { changed: new Map(), daysOff: noDaysOff, today: '2031-01-01' };
  const clashesOf = (...args: Parameters<typeof planSeason>) =>
    planSeason(...args)?.clashes.map(({ kind, day, events }) => [
      kind,
      day,
      events.map(({ key }) => key).join(' '),
    ]);

  it('has a clash for a place that is taken twice, once for all of its events', () => {
    const rows = [
      row('a', '2031-12-06T13:00:00.000Z', 'Hall'),
      row('b', '2031-12-06T15:00:00.000Z', ' hall', 1),
      row('c', '2031-12-06T17:00:00.000Z', 'HALL', 1),
      row('d', '2031-12-06T17:00:00.000Z', 'Pitch', 1),
      row('e', '2031-12-07T17:00:00.000Z', 'Hall', 1),
    ];
    expect(clashesOf(rows, [], options)).toEqual([['place', '2031-12-06', 'a b c']]);
  });

  it('has no clash among what is here, of cancelled events, or of words that are no place', () => {
    const time = '2031-12-06T13:00:00.000Z';
    const far = row('far', '2031-12-20T13:00:00.000Z', 'Pitch');
    const first = row('first', '2031-12-01T13:00:00.000Z', 'Pitch');
    expect(clashesOf([first, far], [here(1, time), here(2, time)], options)).toEqual([]);
    const cancelled = here(1, time, { status: 'cancelled' });
    expect(clashesOf([row('a', time, 'Hall'), far], [cancelled], options)).toEqual([]);
    expect(clashesOf([row('a', time, 'away'), row('b', time, 'Away', 1)], [], options)).toEqual([]);
    // The file moves the event that is here away.
    const moved = { name: 'Event 1', date: time, location: 'Pitch' };
    const changed = new Map([[1, moved]]);
    expect(clashesOf([row('a', time, 'Hall')], [here(1, time)], { ...options, changed })).toEqual(
      [],
    );
    expect(clashesOf([row('a', time, 'Hall')], [here(1, time)], options)).toEqual([
      ['place', '2031-12-06', 'a event 1'],
    ]);
  });

  it('finds the evenings that are free, from today to the last new event', () => {
    const days = [{ first: '2031-12-04', last: '2031-12-04', name: 'Holiday' }];
    const daysOff = createDaysOff([{ kind: 'file', days }]);
    const rows = [
      row('a', '2031-12-01T18:00:00.000Z', 'Hall'),
      row('b', '2031-12-08T18:00:00.000Z', 'Hall'),
    ];
    const existing = [here(1, '2031-12-05T18:00:00.000Z')];
    const plan = planSeason(rows, existing, { ...options, daysOff, today: '2031-12-02' });
    expect(plan?.freeEvenings).toEqual(['2031-12-02', '2031-12-03']);
  });

  it('leaves out the new events of a clash without an answer', () => {
    const time = '2031-12-06T13:00:00.000Z';
    const plan = planSeason(
      [row('a', time, 'Hall'), row('b', time, 'Hall', 1)],
      [here(1, time)],
      options,
    );
    const [clash] = plan?.clashes ?? [];
    const omitted = (...answers: readonly [string, ReadonlySet<string>][]) => [
      ...omittedKeys(plan?.clashes ?? [], new Map(answers)),
    ];
    expect(omitted()).toEqual(['a', 'b']);
    expect(omitted([clash?.id ?? '', new Set(['b'])])).toEqual(['b']);
    expect(omitted([clash?.id ?? '', new Set()])).toEqual([]);
  });
});
