import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  createUnfinished,
  endOfProgram,
  takeInterrupted,
} from '../../../server/actions/unfinished.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';

const { signal } = new AbortController();
const ending = AbortSignal.abort(endOfProgram);

async function makeClub() {
  const home = makeTestHome();
  await addMember(home, 'Chess', [makeEvent(1)]);
  return home;
}

/** Begins a change that never ends in this process. */
function begin(
  home: Awaited<ReturnType<typeof makeClub>>,
  name: 'import' | 'restore',
  args: object,
) {
  void createUnfinished(home).during(name, args, signal, () => new Promise(() => undefined));
}

describe('a long change', () => {
  it.each([
    ['import', { files: ['/a/season.csv', '/b/cup.ics'], dryRun: false }, 'season.csv, cup.ics'],
    ['restore', { name: 'events-1.sqlite' }, 'events-1.sqlite'],
    ['restore', { file: '/c/copy.sqlite' }, 'copy.sqlite'],
  ] as const)('is named once after the process has gone: %s', async (name, args, files) => {
    const home = await makeClub();
    begin(home, name, args);
    expect(takeInterrupted(home)).toMatchObject([
      { code: `${name}_interrupted`, values: { files } },
    ]);
    expect(takeInterrupted(home)).toEqual([]);
  });

  it('is not named if the database has changed since: it may be in it', async () => {
    const home = await makeClub();
    begin(home, 'import', { files: ['season.csv'] });
    await addMember(home, 'Rowing');
    expect(takeInterrupted(home)).toEqual([]);
    expect(existsSync(home.unfinished)).toBe(false);
  });

  it('is named only if something could have changed', async () => {
    const home = await makeClub();
    begin(home, 'import', { files: ['season.csv'], dryRun: true });
    expect(existsSync(home.unfinished)).toBe(false);
  });

  it('is forgotten at its end, unless the end of the program cancels it', async () => {
    const home = await makeClub();
    const { during } = createUnfinished(home);
    const args = { files: ['season.csv'] };
    const fail = () => Promise.reject(new Error('cancelled'));
    expect(await during('import', args, ending, async () => existsSync(home.unfinished))).toBe(
      true,
    );
    expect(existsSync(home.unfinished)).toBe(false);
    await expect(during('import', args, signal, fail)).rejects.toThrow('cancelled');
    expect(existsSync(home.unfinished)).toBe(false);
    await expect(during('import', args, ending, fail)).rejects.toThrow('cancelled');
    expect(takeInterrupted(home)).toHaveLength(1);
  });

  it('is performed without a note where none can be written, and a broken note says nothing', async () => {
    const home = makeTestHome();
    const args = { file: 'copy.sqlite' };
    expect(await createUnfinished(home).during('restore', args, signal, async () => 1)).toBe(1);
    const club = await makeClub();
    writeFileSync(club.unfinished, '{');
    expect(takeInterrupted(club)).toEqual([]);
  });
});
