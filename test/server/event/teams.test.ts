import { describe, expect, it } from 'vitest';
import type { EventType, StoredEvent } from '../../../db/model.ts';
import { type TeamFilter, teamGap, teamKey, teamMatcher } from '../../../db/team-filter.ts';
import type { ActionName } from '../../../server/actions/catalogue.ts';
import { lettersOf, namesTeam, suggestTeams, teamOf } from '../../../server/event/views.ts';
import { callCommand } from '../../support/command.ts';
import { addMember, createdAt, makeEvent, makeTestHome } from '../../support/home.ts';
import { performHere } from '../../support/perform.ts';

const any: TeamFilter = { words: '', without: '', place: '', eventType: null };

const makeStored = (id: number): StoredEvent => ({
  ...{ id, name: '', date: createdAt, location: '', description: null },
  ...{ status: 'active', eventType: null, createdAt },
});

describe('the filter of a team', () => {
  it.each<[filter: Partial<TeamFilter>, name: string, isIn: boolean]>([
    [{ words: 'U15' }, 'U15 training', true],
    [{ words: 'u15' }, 'Training Ü15', true],
    [{ words: 'U15' }, 'U15-Turnier', true],
    [{ words: 'U15' }, 'U15: Rovers v Kingsway', true],
    // A number is whole.
    [{ words: 'U1' }, 'U15 training', false],
    [{ words: 'U15' }, 'U150 training', false],
    [{ words: 'Herren 1' }, 'Herren 10 – Süd', false],
    // Commas separate choices.
    [{ words: 'U15' }, 'U 15 training', false],
    [{ words: 'U15, U 15' }, 'U 15 training', true],
    [{ words: 'U15, U 15' }, 'U-15 training', true],
    [{ words: ' , U15,,' }, 'Training', false],
    // Words stand one after the other.
    [{ words: 'Herren 1' }, 'Herren 2 – Nord 1', false],
    [{ words: 'Rovers v' }, 'City v Rovers', false],
    [{ words: 'Rovers v, v Rovers' }, 'City v Rovers', true],
    // The last word may go on; no word begins inside another one.
    [{ words: 'Junior' }, 'Juniors, hall', true],
    [{ words: 'Men' }, 'Women training', false],
    [{ words: 'Jugend Turnier' }, 'Jugendabend Turnier', false],
    // Case, accents, scripts and signs are those of the search.
    [{ words: 'ETE' }, 'Tournoi d’été', true],
    [{ words: 'straße' }, 'STRASSENLAUF', true],
    [{ words: 'σίσυφος' }, 'ΣΊΣΥΦΟΣ', true],
    [{ words: 'маратон' }, 'Маратон', true],
    [{ words: '!' }, 'Training!', true],
    [{ words: 'U15', without: 'camp' }, 'U15 Camp', false],
    [{ words: 'U15', without: 'camp, trip' }, 'U15 training', true],
    [{ words: 'U15', without: '-' }, 'U15 training', true],
    [{ words: 'U15', place: 'hall' }, 'U15 training', true],
    [{ words: 'U15', place: 'Mill Road, Sports hall' }, 'U15 training', true],
    [{ words: 'U15', place: 'pitch' }, 'U15 training', false],
    [{ words: 'hall' }, 'U15 training', false],
    [{ words: 'U15', eventType: 'club' }, 'U15 training', true],
    [{ words: 'U15', eventType: 'none' }, 'U15 training', false],
    [{ words: 'U15', eventType: 'regional' }, 'U15 training', false],
  ])('%j has %s: %s', (filter, name, isIn) => {
    const event = { name, location: 'Sports hall, Mill Lane', eventType: 'club' as EventType };
    expect(teamMatcher({ ...any, ...filter })(event)).toBe(isIn);
  });

  it.each<[filter: Partial<TeamFilter>, gap: keyof TeamFilter | undefined]>([
    [{ words: 'U15' }, undefined],
    [{ words: 'U13' }, 'words'],
    [{ words: 'U15', without: 'training' }, 'without'],
    [{ words: 'U15', place: 'pitch' }, 'place'],
    [{ words: 'U15', eventType: 'national' }, 'eventType'],
  ])('%j misses the event by: %s', (filter, gap) => {
    const event = { name: 'U15 training', location: 'Sports hall', eventType: 'club' as EventType };
    expect(teamGap({ ...any, ...filter })(event)).toBe(gap);
  });

  it('takes an event without a type as one of the type none', () => {
    const event = { name: 'U15', location: '', eventType: null };
    expect(teamMatcher({ ...any, words: 'U15', eventType: 'none' })(event)).toBe(true);
    expect(teamMatcher({ ...any, words: 'U15', eventType: 'club' })(event)).toBe(false);
  });

  it.each([
    ['U15', 'u15'],
    [' Érste  Mannschaft', 'erste mannschaft'],
    ['C++', 'c++'],
    ['№ 1', '1'],
  ])('compares the name %s as %s', (name, key) => {
    expect(teamKey(name)).toBe(key);
  });
});

describe('the names of teams', () => {
  it.each([
    ['U15', 'U15'],
    ['u9', 'u9'],
    ['Herren 2', 'H2'],
    ['First team', 'FT'],
    ['2. Mannschaft', '2M'],
    ['Board', 'Bo'],
    ['Alte Herren Ü40 A', 'AHÜ'],
    ['👟 Run', 'Run'],
  ])('give %s the letters %s', (name, letters) => {
    expect(lettersOf(name)).toBe(letters);
  });

  it('are found in the names of events and of sheets', () => {
    expect([teamOf('Training U 15'), teamOf('Herren 2 gegen Süd')]).toEqual(['u15', 'herren2']);
    expect([namesTeam('Damen'), namesTeam('Hinrunde')]).toEqual([true, false]);
  });
});

describe('suggested teams', () => {
  const times = (count: number, ...names: readonly string[]) =>
    Array.from({ length: count }, (_, at) => names[at % names.length] ?? '');
  const suggest = (names: readonly string[]) =>
    suggestTeams(names.map((name, at) => ({ ...makeStored(at), name })));

  it('come from names that repeat, largest first, with each way of writing', () => {
    const names = [
      ...times(5, 'Ladies 2 – Nord'),
      ...times(7, 'U15 training', 'U 15 – City', 'U15 cup'),
      ...times(4, 'U9'),
      'Annual meeting',
    ];
    expect(suggest(names)).toEqual([
      { name: 'U15', words: 'U15, U 15', without: '', events: 7 },
      { name: 'Ladies 2', words: 'Ladies 2', without: '', events: 5 },
    ]);
  });

  it('keep a group apart from its numbered teams', () => {
    const names = [...times(6, 'Herren: Training'), ...times(5, 'Herren 2 – Süd')];
    expect(suggest(names)).toEqual([
      { name: 'Herren', words: 'Herren', without: 'Herren 2', events: 6 },
      { name: 'Herren 2', words: 'Herren 2', without: '', events: 5 },
    ]);
  });

  it('are none for one group, for few events, and for other names', () => {
    expect(suggest(times(20, 'U15 training'))).toEqual([]);
    expect(suggest([...times(4, 'U15'), ...times(20, 'U17')])).toEqual([]);
    expect(suggest(times(40, 'Training', 'Team meeting', 'Menu du jour 15'))).toEqual([]);
  });
});

describe('team commands', () => {
  async function openClub() {
    const home = makeTestHome();
    const { userId, key } = await addMember(home, 'Rovers', [
      makeEvent(1, { name: 'U15 training', location: 'Hall', eventType: 'club' }),
      makeEvent(2, { name: 'U 15 – City', location: 'Mill Road', eventType: 'regional' }),
      makeEvent(3, { name: 'Board' }),
    ]);
    const run = (...command: string[]) => callCommand(['--home', home.directory, ...command]);
    const perform = <Name extends ActionName>(name: Name, args: object) =>
      performHere<Name>(name, args, { home, onProgress: () => undefined });
    const list = async () => (await perform('team list', { user: 'Rovers' })).teams;
    return { home, userId, key, run, perform, list };
  }

  it('add, list, change and remove a team, each with its events and its undo', async () => {
    const { run } = await openClub();
    const user = ['--user', 'Rovers'];
    const added = await run('team', 'add', 'U15', ...user, '--words', 'U15, U 15');
    expect(added.stdout).toBe('Added "U15", 2 events: "U15" or "U 15" in the name.\n');
    expect(added.stderr).toContain('"club-events undo 2" undoes this.');
    const narrow = ['--place', 'hall', '--type', 'club', '--without', 'camp'];
    const changed = await run('team', 'change', 'ü15', ...user, '--name', 'Youth', ...narrow);
    expect(changed.stdout).toBe(
      'Changed "Youth", 1 event: "U15" or "U 15" in the name, without "camp", at "hall", of type club.\n',
    );
    const listed = await run('team', 'list', ...user);
    expect(listed.stdout).toMatch(/^NAME +MARK +EVENTS +CONDITIONS\nYouth +Yo +1 +"U15" or /);
    expect(listed.stdout).toMatch(/\n2 events of no team\.\n$/);
    const { stdout } = await run('history', ...user);
    expect(stdout).toMatch(/Team: U15 → Youth\n.*Team U15: added\n/);
    const wide = await run('team', 'change', 'Youth', ...user, '--type', 'any', '--place', '');
    expect(wide.stdout).toContain('2 events');
    expect((await run('team', 'remove', 'youth', ...user)).stdout).toContain('Removed "Youth"');
    expect((await run('team', 'list', ...user)).stdout).toContain('"Rovers" has no teams yet');
  });

  it.each<[command: readonly string[], sentence: string]>([
    [['team', 'add', 'ü15', '--words', 'x'], '"Rovers" has a team "ü15" already; choose'],
    [['team', 'add', 'X', '--words', ' ,-', '--without', 'U15'], '--without alone is no filter'],
    [['team', 'add', 'X', '--without', 'U15'], "required option '--words <text>'"],
    [['team', 'add', '!?', '--words', 'x'], 'The name of a team is one line of at most 40'],
    [['team', 'add', 'a\nb', '--words', 'x'], 'The name of a team is one line of at most 40'],
    [['team', 'add', 'X', '--words', 'x'.repeat(1_001)], 'have at most 1,?000 characters'],
    [['team', 'add', 'X', '--words', 'x', '--type', 'cup'], 'one of national'],
    [['team', 'change', 'U15', '--words', ''], '--without alone is no filter'],
    [['team', 'change', 'U17', '--words', 'x'], 'has no team "U17"; its teams are "U15".'],
    [['team', 'remove', 'U17'], 'has no team "U17"; its teams are "U15".'],
  ])('refuse %j with a sentence', async (command, sentence) => {
    const { run, perform, list } = await openClub();
    await perform('team add', { user: 'Rovers', name: 'U15', words: 'U15' });
    const before = await list();
    const { status, stderr, stdout } = await run(...command, '--user', 'Rovers');
    expect([status !== 0, stdout]).toEqual([true, '']);
    expect(stderr.replaceAll(/[“”]/g, '"')).toMatch(new RegExp(sentence));
    expect(await list()).toEqual(before);
  });

  it('undo each change exactly, and only while the team is as the change left it', async () => {
    const { perform, list } = await openClub();
    const user = 'Rovers';
    const undo = (id: number | undefined) => perform('undo', { id: id ?? 0 });
    const first = await perform('team add', { user, name: 'U15', words: 'U15' });
    const second = await perform('team add', { user, name: 'Board', words: 'Board' });
    const both = await list();
    expect(both.map(({ colour, letters }) => [colour, letters])).toEqual([
      [1, 'U15'],
      [2, 'Bo'],
    ]);
    // The same name in another case is a change of the name, and no other team.
    const renamed = await perform('team change', { user, name: 'U15', newName: 'u15' });
    expect((await list()).map(({ name }) => name)).toEqual(['u15', 'Board']);
    await expect(undo(first.batch)).rejects.toMatchObject({ code: 'undo_setting_conflict' });
    const { batch: undone } = await undo(renamed.batch);
    expect(await list()).toEqual(both);
    await undo(undone);
    expect((await list())[0]?.name).toBe('u15');
    // A removed team comes back at its place, unless another one has its name.
    const removed = await perform('team remove', { user, name: 'U15' });
    const other = await perform('team add', { user, name: 'Ú15', words: 'x' });
    await expect(undo(removed.batch)).rejects.toMatchObject({ code: 'undo_setting_conflict' });
    await undo(other.batch);
    await undo(removed.batch);
    expect((await list()).map(({ name }) => name)).toEqual(['u15', 'Board']);
    await undo(second.batch);
    expect((await list()).map(({ name }) => name)).toEqual(['u15']);
  });

  it('change nothing, and say so, for the values that a team has', async () => {
    const { perform, run } = await openClub();
    await perform('team add', { user: 'Rovers', name: 'U15', words: 'U15' });
    const change = ['team', 'change', 'U15', '--user', 'Rovers', '--words', 'U15'];
    const { stdout, stderr } = await run(...change);
    expect(stdout).toBe('Nothing changed: "U15" is so already.\n');
    expect(stderr).not.toContain('undo');
  });

  it('keep the teams of each club apart', async () => {
    const { home, perform } = await openClub();
    await addMember(home, 'Chess', [makeEvent(1, { name: 'U15 open' })]);
    await perform('team add', { user: 'Rovers', name: 'U15', words: 'U15' });
    await perform('team add', { user: 'Chess', name: 'U15', words: 'open' });
    const { teams } = await perform('team list', { user: 'Chess' });
    expect(teams).toMatchObject([{ name: 'U15', words: 'open', events: 1 }]);
    await perform('user remove', { name: 'Chess' });
    expect((await perform('team list', { user: 'Rovers' })).teams).toHaveLength(1);
  });
});
