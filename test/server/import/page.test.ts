import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../server/base/errors.ts';
import { reader } from '../../../server/import/json/page.ts';
import { isEvent } from '../../../server/import/source.ts';
import { callCommand } from '../../support/command.ts';
import { arbitraryDamage, damage } from '../../support/damage.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { fc } from '../../support/random.ts';
import { worded } from '../../support/words.ts';

const events = [
  makeEvent(1, { description: '</script><!-- "quoted" \\ 🏃 \u2028', registrationOpen: true }),
  makeEvent(-2, { location: '', eventType: null }),
  makeEvent(9007199254740991, { status: 'cancelled' }),
];

/** Exports a club with these events as a page, and returns its path. */
async function exportPage(): Promise<string> {
  const home = makeTestHome();
  await addMember(home, 'Rovers', events);
  const path = join(makeTestFolder(), 'season.html');
  const output = ['--user', 'Rovers', '--output', path];
  const { status } = await callCommand(['--home', home.directory, 'export', ...output]);
  expect(status).toBe(0);
  return path;
}

/** Imports a file into a new club; returns the outcome and what the club then has. */
async function importFile(path: string) {
  const home = makeTestHome();
  await addMember(home, 'Copy');
  const call = (...args: readonly string[]) => callCommand(['--home', home.directory, ...args]);
  const imported = await call('import', path, '--user', 'Copy', '--format', 'json');
  const { stdout } = await call('export', '--user', 'Copy', '--format', 'json');
  return { ...imported, events: JSON.parse(stdout).events as unknown[] };
}

const byId = (list: readonly unknown[]) =>
  list.toSorted((one, other) => (one as { id: number }).id - (other as { id: number }).id);

describe('a page for members', () => {
  it('brings all its events to another computer, with the same ids and values', async () => {
    const path = await exportPage();
    const { status, events: copied } = await importFile(path);
    expect(status).toBe(0);
    expect(byId(copied)).toEqual(byId(events));
    const text = readFileSync(path, 'utf8');
    const [, json = ''] = /id="events"[^>]*>([\s\S]*?)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(json)).toMatchObject({ club: 'Rovers', digest: expect.any(String) });
  });

  it('is refused in one sentence if it has no events or one letter of them is changed', async () => {
    const path = await exportPage();
    const text = readFileSync(path, 'utf8');
    const write = (content: string) => {
      const changed = join(makeTestFolder(), 'season.html');
      writeFileSync(changed, content);
      return changed;
    };
    const changed = text.replace(/("status":")active/g, '$1completed');
    expect(changed).not.toBe(text);
    for (const bad of [changed, text.slice(0, text.indexOf('id="events"') + 200)]) {
      const { status, stderr, events: stored } = await importFile(write(bad));
      expect(status).toBe(1);
      expect(stderr).toContain('damaged or cut off');
      expect(stored).toEqual([]);
    }
    const foreign = await importFile(write('<!doctype html><table><tr><td>x</td></tr></table>'));
    expect(foreign.status).toBe(1);
    expect(foreign.stderr).toContain('this is a web page');
  });

  it(`is read whole or refused in one sentence, for ${choose(10_000, 300)} damaged pages`, async () => {
    const bytes = readFileSync(await exportPage());
    const at = bytes.indexOf('<script type="application/json" id="events"');
    // The end of the page, so that most damage is in the events.
    const part = bytes.subarray(at, bytes.indexOf('</script>', at) + 9);
    const options = { map: {}, timeZone: 'UTC', now: new Date(0), ignore: () => 0, note: () => 0 };
    const read = async (content: Uint8Array) => {
      const file = {
        name: 'season.html',
        open: async function* open() {
          yield content;
        },
      };
      const values: unknown[] = [];
      for await (const records of reader.read(file, options)) {
        for (const record of [...records].filter(isEvent)) {
          values.push('values' in record ? record.values : record);
        }
      }
      return values;
    };
    const whole = await read(part);
    expect(whole).toHaveLength(3);
    let refused = 0;
    const pieces = ['<', '</script>', '"', '\\u0000', 'a'].map((text) => Buffer.from(text));
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryDamage(pieces), { minLength: 1, maxLength: 3 }),
        async (mutations) => {
          try {
            expect(await read(mutations.reduce(damage, part))).toEqual(whole);
          } catch (error) {
            if (!(error instanceof Problem)) throw error;
            refused += 1;
            expect((worded(error) as Error).message).toMatch(/^\S.*[^.]\.?$/);
          }
        },
      ),
      { numRuns: choose(10_000, 300) },
    );
    expect(refused).toBeGreaterThan(choose(5_000, 100));
  });
});
