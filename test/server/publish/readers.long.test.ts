import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import { editAtRandom } from './open-club.ts';

// ical.js reads the same edits in publish.test.ts.

const script = join(import.meta.dirname, 'read_calendars.py');

/** Reads calendars with a library of Debian's packages; skips the test without it. */
function readWith(context: TestContext, library: string, calendars: readonly string[]) {
  const { status, stdout, stderr, error } = spawnSync('/usr/bin/python3', [script, library], {
    input: JSON.stringify(calendars),
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  if (error) context.skip(`python3 does not run here: ${error.message}`);
  const isMissing = /ModuleNotFoundError|Namespace ICalGLib not available/.test(stderr);
  if (isMissing) context.skip(`${library} is not installed`);
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as readonly (readonly (readonly [string, string])[])[];
}

const libraries = ['icalendar', 'recurring_ical_events', 'libical'];
const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'];

it.for(libraries.flatMap((library) => zones.map((zone) => [library, zone] as const)))(
  '%s reads the events of the club after each of 200 edits, in %s',
  async ([library, zone], context) => {
    // First, as the edits take half a minute.
    readWith(context, library, []);
    const calendars: string[] = [];
    const expected: unknown[] = [];
    for await (const edited of editAtRandom(zone, 200)) {
      calendars.push(edited.calendar);
      expected.push(edited.expected.toSorted());
    }
    const read = readWith(context, library, calendars);
    expect(read.map((events) => events.toSorted())).toEqual(expected);
  },
);
