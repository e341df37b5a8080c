import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkAreas } from '../../../db/check-contents.ts';
import { readHistory } from '../../../db/history.ts';
import { eventStatuses } from '../../../db/model.ts';
import { closeStore, openReader } from '../../../db/open.ts';
import { catalogue } from '../../../server/actions/catalogue.ts';
import { Problem } from '../../../server/base/errors.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import { storedEvents } from '../../support/events.ts';
import { addMember, createdAt, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { fc } from '../../support/random.ts';
import { createModel, type FileRow, type Values } from './events-model.ts';

const user = 'Chess';

const dayAt = (day: number) => `2026-05-0${day}T18:00:00.000Z`;

// Few values, so that edits and imports meet and contradict each other.
const required = {
  name: fc.constantFrom('A', 'B', 'C'),
  date: fc.integer({ min: 1, max: 3 }).map(dayAt),
};
const optional = {
  location: fc.constantFrom('', 'Hall', 'Pool', 'Lake'),
  status: fc.constantFrom(...eventStatuses),
  eventType: fc.constantFrom('club', null),
  registrationOpen: fc.boolean(),
};
const values = fc.record({ ...required, ...optional }, { requiredKeys: ['name', 'date'] });
const changes = fc.record({ ...required, ...optional }, { requiredKeys: [] });

/**
 * Rows with ids come first, because ids are given to the others by turns. The names of those are of
 * one day only, so that none is a move of another: the moves of a plan have tests of their own.
 */
const file = fc
  .tuple(
    fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 5 }), values), {
      selector: ([id]) => id,
      minLength: 3,
      maxLength: 5,
    }),
    fc.uniqueArray(
      values.map((row) => ({ ...row, name: `Plan ${row.date.slice(0, 10)}` })),
      { selector: ({ name }) => name, maxLength: 2 },
    ),
  )
  .map(([withIds, others]): FileRow[] => [
    ...withIds.map(([id, row]) => ({ id, ...row })),
    ...others,
  ]);

type Step =
  | {
      readonly kind: 'add';
      /** The days of a repetition. */
      readonly days: readonly number[];
      readonly values: typeof values extends fc.Arbitrary<infer V> ? V : never;
    }
  | { readonly kind: 'edit'; readonly at: number; readonly changes: Values }
  | { readonly kind: 'cancel' | 'remove'; readonly at: number }
  | {
      readonly kind: 'change';
      readonly at: readonly number[];
      readonly change: typeof bulk extends fc.Arbitrary<infer V> ? V : never;
    }
  | { readonly kind: 'import'; readonly file: number; readonly overwriteEdits: boolean }
  | { readonly kind: 'undo'; readonly back: number };

const at = fc.nat(6);
const bulk = fc.oneof(
  fc.constant({ kind: 'cancel', reason: 'Rain' } as const),
  fc.constantFrom('18:00', '20:00').map((time) => ({ kind: 'time', time }) as const),
  fc.constant({ kind: 'remove' } as const),
  fc.integer({ min: -1, max: 1 }).map((days) => ({ kind: 'move', days }) as const),
  fc.integer({ min: 0, max: 6 }).map((weekday) => ({ kind: 'weekday', weekday }) as const),
  fc
    .record({ location: optional.location, status: optional.status }, { requiredKeys: [] })
    .map((values) => ({ kind: 'set', values }) as const),
);

/** Returns the number of days by which a change moves an event; weeks begin on Monday. */
function daysOf(
  change: { kind: 'move'; days: number } | { kind: 'weekday'; weekday: number },
  date: Date,
): number {
  if (change.kind === 'move') return change.days;
  return ((change.weekday + 6) % 7) - ((date.getUTCDay() + 6) % 7);
}

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    values,
    days: fc.oneof(
      fc.constant([]),
      fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 2, maxLength: 4 }),
    ),
  }),
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('edit' as const), at, changes }) },
  fc.record({ kind: fc.constantFrom('cancel' as const, 'remove' as const), at }),
  fc.record({
    kind: fc.constant('change' as const),
    at: fc.array(at, { minLength: 1, maxLength: 4 }),
    change: bulk,
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      file: fc.nat(2),
      overwriteEdits: fc.nat(3).map((one) => one === 0),
    }),
  },
  // The last batches can be undone most often.
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('undo' as const), back: fc.nat(3) }) },
);

const stepsOfRun = 40;

/** Outcomes that the steps must reach, so that the test cannot pass by doing nothing. */
type Reached = Record<'undone' | 'redone' | 'refused' | 'kept' | 'unchanged', number>;

async function run(files: readonly FileRow[][], steps: readonly Step[], reached: Reached) {
  const home = makeTestHome();
  const { userId } = await addMember(home, user);
  const model = createModel('season.json');
  const path = join(makeTestFolder(), 'season.json');
  const tools = {
    ...thisMachine,
    home,
    now: () => new Date(createdAt),
    systemTimeZone: () => 'UTC',
    write: async () => undefined,
    onProgress: () => undefined,
  };
  /** Returns the result of an action, or the code of its problem. */
  async function perform(name: keyof typeof catalogue, args: object): Promise<unknown> {
    try {
      return await catalogue[name].perform({ ...args }, tools);
    } catch (error) {
      if (error instanceof Problem) return error.code;
      throw error;
    }
  }
  /** Returns an id that mostly belongs to an event. */
  const idAt = (index: number) => model.ids()[index] ?? 99;
  const batchOf = (result: unknown) => (result as { batch?: number }).batch;

  async function take(one: Step): Promise<void> {
    switch (one.kind) {
      case 'add': {
        const dates = one.days.toSorted().map(dayAt);
        const days = dates.map((date) => date.slice(0, 10));
        const args = { user, event: one.values, ...(days.length > 0 && { days }) };
        const result = await perform('event add', args);
        expect(batchOf(result)).toBe(model.add(one.values, dates));
        return;
      }
      case 'edit': {
        const id = idAt(one.at);
        const result = await perform('event edit', { user, id, changes: one.changes });
        if (id === 99) expect(result).toBe('event_unknown');
        expect(batchOf(result)).toBe(model.edit([id], () => one.changes));
        return;
      }
      case 'cancel':
      case 'remove': {
        const id = idAt(one.at);
        const result = await perform(`event ${one.kind}`, { user, id });
        if (id === 99) expect(result).toBe('event_unknown');
        const change = one.kind === 'remove' ? null : { status: 'cancelled' };
        expect(batchOf(result)).toBe(model.edit([id], () => change));
        return;
      }
      case 'change': {
        const ids = one.at.map(idAt);
        const { change } = one;
        const result = await perform('events change', {
          user,
          ids,
          change,
          timeZone: 'UTC',
        });
        if (ids.includes(99)) expect(result).toBe('event_unknown');
        const batch = model.edit(ids, ({ date }) => {
          if (change.kind === 'remove') return null;
          if (change.kind === 'cancel') return { status: 'cancelled', description: change.reason };
          if (change.kind === 'time')
            return { date: `${String(date).slice(0, 11)}${change.time}:00.000Z` };
          if (change.kind === 'set') return change.values;
          const moved = new Date(String(date));
          moved.setUTCDate(moved.getUTCDate() + daysOf(change, moved));
          return { date: moved.toISOString() };
        });
        expect(batchOf(result)).toBe(batch);
        return;
      }
      case 'import': {
        const { overwriteEdits } = one;
        const rows = files[one.file] ?? [];
        writeFileSync(path, JSON.stringify(rows));
        const result = await perform('import', { user, files: [path], overwriteEdits });
        const expected = model.importRows(rows, overwriteEdits);
        if (expected === 'refused') expect(result).toBe('place_refused');
        else {
          // A report counts the events with another date apart from those with other values.
          const { changed, moved } = result as { changed: number; moved: number };
          expect({ ...(result as object), changed: changed + moved }).toMatchObject(expected);
          expect(batchOf(result)).toBe(expected.batch);
          if (expected.kept > 0) reached.kept += 1;
          if (expected.batch === undefined) reached.unchanged += 1;
        }
        return;
      }
      case 'undo': {
        const history = model.history();
        const batch = history[one.back % Math.max(history.length, 1)];
        const id = batch?.id ?? 1;
        const result = await perform('undo', { id });
        const expected = model.undo(id);
        if (expected === 'refused') {
          expect(result).toMatch(/^(import_unknown|import_undone_before|undo_conflict)$/);
          reached.refused += 1;
        } else {
          expect(result).toMatchObject({ undone: id, batch: expected });
          reached[batch?.undoes === null ? 'undone' : 'redone'] += 1;
        }
      }
    }
  }

  const reader = openReader(home.database);
  for (const one of [{ kind: 'import', file: 0, overwriteEdits: false } as const, ...steps]) {
    await take(one);
    const events = storedEvents(reader, userId).map(({ createdAt: _, ...event }) => event);
    expect(events).toEqual(model.events());
    const history = readHistory(reader, userId).map(({ createdAt: _, ...batch }) => batch);
    expect(history).toEqual(model.history());
  }
  expect(checkAreas(reader).filter(({ problems }) => problems.length > 0)).toEqual([]);
  closeStore(reader);
}

it('predicts events and history over random edits, imports, undos and redos', {
  tags: 'long',
}, async () => {
  const reached: Reached = { undone: 0, redone: 0, refused: 0, kept: 0, unchanged: 0 };
  const steps = fc.array(step, { minLength: stepsOfRun, maxLength: stepsOfRun, size: 'max' });
  const files = fc.array(file, { minLength: 3, maxLength: 3 });
  const property = fc.asyncProperty(files, steps, (files, steps) => run(files, steps, reached));
  await fc.assert(property, { numRuns: choose(50, 5), ...choose({}, { seed: 20_261_122 }) });
  for (const [outcome, times] of Object.entries(reached)) {
    expect(times, outcome).toBeGreaterThan(0);
  }
});
