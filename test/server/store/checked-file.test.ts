import {
  copyFileSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { expect, it } from 'vitest';
import type { Home } from '../../../server/base/home.ts';
import { isChecked, readFileState, rememberCheck } from '../../../server/store/checked-file.ts';
import { withWriter } from '../../../server/store/store.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';

async function makeClub(): Promise<Home> {
  const home = makeTestHome();
  const events = Array.from({ length: 200 }, (_, index) => makeEvent(index + 1));
  await addMember(home, 'Chess', events);
  return home;
}

/** Returns the database with a page of noise in the middle. */
function damage({ database }: Home): Buffer {
  const bytes = readFileSync(database);
  const at = bytes.indexOf('Event 150');
  return bytes.fill(0x5a, at - (at % 4_096), at - (at % 4_096) + 4_096);
}

const accidents: Readonly<Record<string, (home: Home) => void>> = {
  'a damaged page': (home) => writeFileSync(home.database, damage(home)),
  'a damaged page, with the times set back': (home) => {
    const { atime, mtime } = statSync(home.database);
    writeFileSync(home.database, damage(home));
    utimesSync(home.database, atime, mtime);
  },
  'another file in its place': (home) => {
    writeFileSync(`${home.database}.new`, damage(home));
    renameSync(`${home.database}.new`, home.database);
  },
  'a copy over it': (home) => {
    writeFileSync(`${home.database}.copy`, damage(home));
    copyFileSync(`${home.database}.copy`, home.database);
  },
  'a crash of the system': (home) => {
    writeFileSync(home.database, damage(home));
    // The times are as they were, as far as a record can say.
    const state = { ...readFileState(home), startedAt: 0 };
    writeFileSync(home.checkedFile, JSON.stringify(state));
  },
  'a record that was cut off': (home) => {
    writeFileSync(home.database, damage(home));
    writeFileSync(home.checkedFile, readFileSync(home.checkedFile).subarray(0, 20));
  },
};

it.each(Object.entries(accidents))('checks the whole file after %s', async (_, happen) => {
  const home = await makeClub();
  expect(isChecked(home)).toBe(true);
  happen(home);
  expect(isChecked(home)).toBe(false);
  const before = readFileSync(home.database);
  await expect(withWriter(home, () => undefined)).rejects.toMatchObject({ problem: 'damaged' });
  expect(readFileSync(home.database).equals(before)).toBe(true);
});

it('does not record a file that took the place of the checked one', async () => {
  const home = await makeClub();
  const checked = readFileState(home);
  if (checked === undefined) throw new Error('There is no database.');
  accidents['another file in its place']?.(home);
  rememberCheck(home, checked);
  expect(isChecked(home)).toBe(false);
});

it('does not take a change of keys for a check', async () => {
  const home = await makeClub();
  writeFileSync(home.database, damage(home));
  await withWriter(home, () => undefined, { isForKeys: true });
  expect(isChecked(home)).toBe(false);
});
