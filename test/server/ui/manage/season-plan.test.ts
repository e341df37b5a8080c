import { describe, expect, it } from 'vitest';
import { zoneNamed } from '../../../../server/dates/zone.ts';
import { teamOf } from '../../../../server/event/views.ts';
import type { Event } from '../../../../server/http/contract.ts';
import { createDaysOff } from '../../../../server/ui/base/days-off.ts';
import {
  type Answer,
  areAlike,
  type Clash,
  changesHere,
  laterStarts,
  type NewRow,
  omittedKeys,
  planSeason,
  sameAnswerFor,
} from '../../../../server/ui/data/season-plan.ts';
import { testBrowser } from '../../../support/browser.ts';
import { makeEvent } from '../../../support/home.ts';
import { performHere } from '../../../support/perform.ts';
import { fetchWithKey } from '../../../support/service.ts';
import { writeTestFile } from '../../import/files.ts';
import { expectPartForEverybody } from '../axe.ts';
import { openImport } from './import-page.ts';

const clock = zoneNamed('Europe/Berlin');

const browser = testBrowser();

const fixtures = ['name,date,location', 'Cup,2031-12-06 14:00,Hall', ''].join('\n');
const hallPlan = ['name,date,location', 'Juniors,2031-12-06 13:00,Hall', ''].join('\n');

it('a plan is there again with its answers after the window was closed, until it is thrown away', {
  tags: 'long',
}, async () => {
  const plan = await openImport(browser.current, { events: 0 });
  const { page } = plan;
  await plan.choose(
    writeTestFile('Fixtures.csv', fixtures),
    writeTestFile('Hall plan.csv', hallPlan),
  );
  await plan.check();
  await page.getByLabel('Leave out B').check();
  await page.getByText('1 clash, 0 to decide').waitFor();
  await page.reload();
  await page.getByText('1 clash, 0 to decide').waitFor();
  await expect.poll(() => page.getByLabel('Leave out B').isChecked()).toBe(true);
  await expect
    .poll(() => page.locator('.work-foot button').last().innerText())
    .toBe('Import 1, leave 1');
  const back = page.getByRole('button', { name: 'Back', exact: true });
  await back.click();
  await page.getByRole('heading', { name: 'Match the columns' }).waitFor();
  await back.click();
  await page.getByRole('button', { name: 'Remove Fixtures.csv' }).click();
  await page.getByRole('button', { name: 'Remove Hall plan.csv' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Choose a file…' }).waitFor();
  await expect.poll(() => page.getByText('Fixtures.csv').count()).toBe(0);
});

it('asks once for the clashes of two weekly events, and lets the new one begin after the other', {
  tags: 'long',
}, async () => {
  const plan = await openImport(browser.current, { events: 0 });
  const { page } = plan;
  const days = ['02', '09', '16', '23'];
  const weekly = (name: string, time: string, note: string) =>
    ['name,date,location,note']
      .concat(days.map((day) => `${name},2031-12-${day} ${time},Hall,${note}`))
      .join('\n');
  await plan.choose(
    writeTestFile('Training.csv', weekly('Training', '18:30', 'Until 20:00')),
    writeTestFile('Groups.csv', weekly('Dancing', '19:00', 'Until 21:00')),
  );
  await plan.check();
  await page.getByRole('heading', { name: '4 clashes, 4 to decide' }).waitFor();
  const first = page.getByRole('group', { name: /Hall, twice .*2 Dec/ });
  await first.getByLabel('Begin B at 20:00').check();
  await first.getByRole('button', { name: 'The same for the 3 others of this kind' }).click();
  await page.getByRole('heading', { name: '4 clashes, 0 to decide' }).waitFor();
  await expect.poll(() => page.getByLabel('Begin B at 20:00').count()).toBe(4);
  await expectPartForEverybody(page, 'alike clashes');
  await page.locator('.work-foot button').last().click();
  await page.getByText('8 events added').waitFor();
  const { service, key } = plan;
  const answer = await fetchWithKey(service, '/v1/events?q=dancing&sort=date&order=asc', key);
  const { events } = (await answer.json()) as { events: Pick<Event, 'date' | 'description'>[] };
  expect(events.map(({ date, description }) => [date.slice(8, 16), description])).toEqual(
    days.map((day) => [`${day}T19:00`, 'Until 22:00']),
  );
});

it('several files open the plan, in which each clash needs an answer before it is imported', {
  tags: 'long',
}, async () => {
  const plan = await openImport(browser.current, { events: 0 });
  const { page, perform } = plan;
  await perform('event add', {
    event: { name: 'Training', date: '2031-12-16 19:00', location: 'Club room' },
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
        'name,date,location,note',
        'Indoor cup,2031-12-06 14:00,Sports hall,Until 15:45',
        'Cup replay,2031-12-16 19:30,Sports hall,',
        'Athletic v Rovers,2031-12-26 11:00,away,',
        'Rovers v City,2031-12-13 14:00,home,',
        '',
      ].join('\n'),
    ),
    writeTestFile(
      'Hall plan.csv',
      'name,date,location\nJunior tournament,2031-12-06 13:00,Sports hall\n',
    ),
  );
  await plan.check();
  await page.getByRole('heading', { name: 'Season plan', level: 1 }).waitFor();
  await page.getByRole('heading', { name: '3 clashes, 3 to decide' }).waitFor();
  await expectPartForEverybody(page, 'season plan');
  const button = page.locator('.work-foot button').last();
  const status = page.locator('.work-foot').getByRole('status');
  await expect.poll(() => button.innerText()).toBe('Import 1, leave 4');
  await expect
    .poll(() => status.innerText())
    .toBe('1 of 5 are ready: 0 left out, 4 undecided. Nothing is changed yet.');
  const clash = (name: RegExp) => page.getByRole('group', { name });
  const hall = clash(/Sports hall, twice .*6 Dec/);
  await page.getByText('14:00–15:45').waitFor();
  await hall.getByLabel('Leave out B').check();
  await page.getByText('3 clashes, 2 to decide').waitFor();
  await expect.poll(() => button.innerText()).toBe('Import 2, leave 3');
  await expect
    .poll(() => page.locator('.plan-clash s').allInnerTexts())
    .toEqual(['Junior tournament']);
  const sameTime = clash(/Two at the same time .*16 Dec/);
  await sameTime.getByLabel('Move Training to Wed 17').check();
  await clash(/On a day off: Boxing Day/)
    .getByLabel('Keep', { exact: true })
    .check();
  await expect.poll(() => button.innerText()).toBe('Import 4, leave 1');
  // The number in the lanes opens its row.
  await page.getByRole('button', { name: /^Clash 2, Tue 16 Dec/ }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('plan-clash-2');
  await page.getByRole('button', { name: 'New 5' }).click();
  await page.getByRole('table').getByText('Rovers v City').waitFor();
  // A free evening begins a new event, and the plan is as it was.
  await page.getByRole('button', { name: 'Mon 8 Dec' }).click();
  await page.locator('.page').waitFor();
  await page.evaluate(() => location.assign('#manage=import'));
  await page.getByText('3 clashes, 0 to decide').waitFor();
  await button.click();
  await page.getByText('4 events added').waitFor();
  await page.getByText('1 event that was here moved or cancelled').waitFor();
  const names = async () => Object.keys(await plan.places()).toSorted();
  const imported = ['Athletic v Rovers', 'Cup replay', 'Indoor cup', 'Rovers v City', 'Training'];
  expect(await names()).toEqual(imported);
  // The rest is offered here and in the history.
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Import the rest (1 event)' }).click();
  await expect.poll(names).toEqual([...imported, 'Junior tournament'].toSorted());
  await expect.poll(() => page.getByText('Import the rest').count()).toBe(0);
  // One change, one undo.
  const list = await performHere('history', { user: 'Chess' }, noProgress);
  const [rest, first] = list.history;
  await performHere('undo', { id: rest?.id ?? 0 }, noProgress);
  const [, , again] = (await performHere('history', { user: 'Chess' }, noProgress)).history;
  expect(again).toMatchObject({ id: first?.id, added: 4, changed: 1, leftOut: 1 });
  await performHere('undo', { id: first?.id ?? 0 }, noProgress);
  await expect.poll(() => plan.count()).toBe(1);
});

it('one file is an import as before', { tags: 'long' }, async () => {
  const plan = await openImport(browser.current);
  const row = 'Indoor cup,2031-12-06 14:00,Sports hall';
  await plan.choose(
    writeTestFile('one.csv', `name,date,location\n${row}\n${row.replace('cup', 'match')}\n`),
  );
  await plan.check();
  await plan.button('Import 2 events').waitFor();
  await expect.poll(() => plan.page.locator('.plan').count()).toBe(0);
});

describe('the plan of a season', () => {
  const noDaysOff = createDaysOff([]);
  const row = (key: string, date: string, location: string, file = 0, more = {}): NewRow => ({
    key,
    file,
    name: key,
    date,
    location,
    status: 'active',
    eventType: null,
    description: null,
    ...more,
  });
  const here = (id: number, date: string, more: Partial<Event> = {}) =>
    ({ ...makeEvent(id, { date, location: 'Hall', ...more }) }) as Event;
  const options = {
    clock,
    changed: new Map(),
    daysOff: noDaysOff,
    usualLength: 120,
    today: '2031-01-01',
  };
  const clashesOf = (...args: Parameters<typeof planSeason>) =>
    planSeason(...args)?.clashes.map(({ kind, day, events }) => [
      kind,
      day,
      events.map(({ key }) => key).join(' '),
    ]);

  it('has a clash for a place that is taken twice, once for all of its events', () => {
    const rows = [
      row('a', '2031-12-06T13:00:00.000Z', 'Hall'),
      row('b', '2031-12-06T14:30:00.000Z', ' hall', 1),
      row('c', '2031-12-06T16:00:00.000Z', 'HALL', 1),
      // Begins when the last one has ended.
      row('d', '2031-12-06T18:00:00.000Z', 'Hall', 1),
      row('e', '2031-12-07T17:00:00.000Z', 'Hall', 1),
    ];
    expect(clashesOf(rows, [], options)).toEqual([['place', '2031-12-06', 'a b c']]);
    // With their own ends, or a shorter usual length, all of them have room.
    expect(clashesOf(rows, [], { ...options, usualLength: 90 })).toEqual([]);
    const long = rows.map((one) => ({
      ...one,
      description: one.key === 'b' ? 'Until 17:30' : null,
    }));
    expect(clashesOf(long, [], { ...options, usualLength: 90 })).toEqual([
      ['place', '2031-12-06', 'b c'],
    ]);
  });

  it('has a clash of two at the same time for the same team or type', () => {
    const time = '2031-12-16T18:00:00.000Z';
    const pair = (one: Partial<NewRow>, other: Partial<NewRow>) =>
      clashesOf([row('a', time, 'Hall', 0, one), row('b', time, 'Pitch', 1, other)], [], options);
    const clash = [['time', '2031-12-16', 'a b']];
    expect(pair({ name: 'Cup replay', eventType: 'national' }, { name: 'Training' })).toEqual(
      clash,
    );
    expect(pair({ name: 'U15 – City' }, { name: 'Training U15', eventType: 'club' })).toEqual(
      clash,
    );
    expect(pair({ name: 'U15 – City' }, { name: 'U17 – City' })).toEqual([]);
    expect(pair({ name: 'U15 – City', eventType: 'regional' }, { name: 'Training' })).toEqual([]);
    expect(pair({ name: 'U15 – City' }, { name: 'Training' })).toEqual(clash);
  });

  it.each([
    ['Training U15', 'u15'],
    ['U 15 – City', 'u15'],
    ['Herren 2 gegen Süd', 'herren2'],
    ['Herren II – SV Süd', 'herrenii'],
    ['2. Mannschaft: Training', '2mannschaft'],
    ['Équipe 1', 'équipe1'],
    ['Training', ''],
    ['Menu du jour 15', ''],
    ['Süd 15', ''],
  ])('the team of %s is %s', (name, team) => {
    expect(teamOf(name)).toBe(team);
  });

  it('has no clash among what is here, of cancelled events, or of words that are no place', () => {
    const time = '2031-12-06T13:00:00.000Z';
    const far = row('far', '2031-12-20T13:00:00.000Z', 'Pitch');
    const first = row('first', '2031-12-01T13:00:00.000Z', 'Pitch');
    expect(clashesOf([first, far], [here(1, time), here(2, time)], options)).toEqual([]);
    const cancelled = here(1, time, { status: 'cancelled' });
    expect(clashesOf([row('a', time, 'Hall'), far], [cancelled], options)).toEqual([]);
    const teams = [{ name: 'U11' }, { name: 'U13' }] as const;
    expect(
      clashesOf(
        [row('a', time, 'away', 0, teams[0]), row('b', time, 'Away', 1, teams[1])],
        [],
        options,
      ),
    ).toEqual([]);
    // The file moves the event that is here away.
    const moved = row('Event 1', '2031-12-07T13:00:00.000Z', 'Pitch');
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

  it('finds the bookings of a place that no event has, and no clash with them', () => {
    const at = (day: number) => `2031-12-0${day}T18:00:00.000Z`;
    const rows = [
      row('a', at(2), 'Hall'),
      ...[1, 2, 3].map((day) => row(`b${day}`, at(day), 'Hall', 1, { name: 'Hall booked' })),
    ];
    const plan = planSeason(rows, [here(1, at(3))], options);
    expect(plan?.clashes).toEqual([]);
    expect(plan).toMatchObject({ freeEvenings: ['2031-12-01'], freePlace: 'Hall' });
  });

  it('an event in the afternoon leaves its evening free', () => {
    const rows = [
      row('a', '2031-12-01T15:00:00.000Z', 'Hall'),
      row('b', '2031-12-02T15:00:00.000Z', 'Hall', 0, { description: 'Until 20:00' }),
      row('c', '2031-12-03T15:30:00.000Z', 'Hall'),
    ];
    expect(planSeason(rows, [], options)?.freeEvenings).toEqual(['2031-12-01']);
  });

  it('takes the answer to one clash for those of the same events in other weeks only', () => {
    const weekly = (name: string, file: number, hour: string) =>
      [2, 9].map((day) =>
        row(
          `${name} ${day}`,
          `2031-12-${String(day).padStart(2, '0')}T${hour}:00.000Z`,
          'Hall',
          file,
          { name },
        ),
      );
    const other = row('other', '2031-12-05T18:00:00.000Z', 'Hall', 0, { name: 'Chess' });
    const late = row('late', '2031-12-05T18:30:00.000Z', 'Hall', 1, { name: 'Dancing' });
    const rows = [...weekly('Training', 0, '17:30'), ...weekly('Dancing', 1, '18:00'), other, late];
    const plan = planSeason(rows, [], options);
    const [first, different, second] = (plan?.clashes ?? []) as unknown as readonly [
      Clash,
      Clash,
      Clash,
    ];
    expect(plan?.clashes).toHaveLength(3);
    expect([areAlike(first, second), areAlike(first, different)]).toEqual([true, false]);
    for (const answer of first.answers) {
      const same = sameAnswerFor(second, answer);
      expect(same?.kind).toBe(answer.kind);
      const names = [answer, same].map((each) =>
        each && 'planned' in each ? each.planned.event.name : '',
      );
      expect(names[0]).toBe(names[1]);
    }
    const begins = first.answers.filter(({ kind }) => kind === 'begin');
    // An event without an end lasts two hours. Training cannot begin after Dancing on its evening twice.
    expect(begins.map((each) => 'date' in each && each.date)).toEqual([
      '2031-12-02T20:00:00.000Z',
      '2031-12-02T19:30:00.000Z',
    ]);
    const answers = new Map([[first.id, begins[1] as Answer]]);
    expect([...laterStarts(plan?.clashes ?? [], answers)]).toEqual([
      ['Dancing 2', '2031-12-02T19:30:00.000Z'],
    ]);
    expect(omittedKeys([first], answers)).toEqual(new Set());
  });

  it('leaves out the new events of a clash without an answer', () => {
    const time = '2031-12-05T13:00:00.000Z';
    const holiday = { first: '2031-12-06', last: '2031-12-06', name: 'Holiday' };
    const daysOff = createDaysOff([{ kind: 'file', days: [holiday] }]);
    const plan = planSeason(
      [
        row('a', time, 'Hall'),
        row('b', time, 'Hall', 1),
        row('z', '2031-12-09T09:00:00.000Z', 'X'),
      ],
      [here(1, time), here(2, '2031-12-07T14:00:00.000Z')],
      { ...options, daysOff },
    );
    const clashes: readonly Clash[] = plan?.clashes ?? [];
    const [clash] = clashes;
    const answers = clash?.answers ?? [];
    expect(answers.map(({ kind }) => kind)).toEqual(['leave', 'leave', 'move', 'cancel', 'keep']);
    const omitted = (...chosen: readonly Answer[]) => [
      ...omittedKeys(clashes, new Map(chosen.map((answer) => [clash?.id ?? '', answer]))),
    ];
    const answer = (index: number) => answers[index] as Answer;
    expect(omitted()).toEqual(['a', 'b']);
    expect(omitted(answer(1))).toEqual(['b']);
    expect(omitted(answer(2))).toEqual([]);
    // Neither the day off nor the day on which the hall is taken.
    expect(answer(2)).toMatchObject({ kind: 'move', day: '2031-12-08' });
    const changes = (index: number) =>
      changesHere(clashes, new Map([[clash?.id ?? '', answer(index)]])).map(({ kind }) => kind);
    expect([changes(1), changes(2), changes(3)]).toEqual([[], ['move'], ['cancel']]);
  });
});
