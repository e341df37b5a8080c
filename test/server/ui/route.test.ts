import { describe, expect, it } from 'vitest';
import { eventStatuses } from '../../../db/model.ts';
import { managingScreens } from '../../../server/actions/bridge.ts';
import {
  columns,
  formatRoute,
  formKinds,
  home,
  longestSearch,
  namedPeriods,
  parseRoute,
  type Route,
  sheets,
  spans,
  typeFilters,
  views,
} from '../../../server/ui/base/address.ts';
import { fc } from '../../support/random.ts';

const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const range = fc
  .record({ from: fc.option(day), to: fc.option(day) })
  .filter(({ from, to }) => from !== null || to !== null);

const anyRoutes: fc.Arbitrary<Route> = fc.record({
  view: fc.constantFrom(...views),
  words: fc.string({ unit: 'grapheme', maxLength: 30 }),
  statuses: fc.subarray([...eventStatuses]),
  types: fc.subarray([...typeFilters]),
  team: fc.option(fc.constantFrom('U15', 'Érste & Zweite', '-')),
  period: fc.option(fc.oneof(fc.constantFrom(...namedPeriods), range)),
  changedOnly: fc.boolean(),
  event: fc.option(fc.maxSafeInteger()),
  form: fc.option(fc.constantFrom(...formKinds)),
  formDay: fc.option(day),
  day: fc.option(day),
  span: fc.constantFrom(...spans),
  sort: fc.constantFrom(...columns),
  order: fc.constantFrom('asc', 'desc'),
  hidden: fc.subarray([...columns]),
  sheet: fc.option(fc.constantFrom(...sheets)),
  manage: fc.option(fc.constantFrom(...managingScreens)),
});
// The calendar has no filter of the time.
const routes = anyRoutes.map((route) =>
  route.view === 'calendar' ? { ...route, period: null } : route,
);

describe('a route', () => {
  it('survives a round trip through the URL fragment', () => {
    fc.assert(
      fc.property(routes, (route) => {
        expect(parseRoute(formatRoute(route))).toEqual(route);
      }),
    );
  });

  it('has an empty fragment if it is the home route', () => {
    expect(formatRoute(home)).toBe('');
    expect(parseRoute('')).toEqual(home);
  });

  it('is parsed from any fragment, ignoring unknown values', () => {
    const names =
      'view q status type time from to changed event day span sort order hide print manage form on';
    const entry = fc.tuple(fc.constantFrom(...names.split(' ')), fc.string({ unit: 'binary' }));
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(entry).map((entries) => `#${new URLSearchParams(entries)}`),
    );
    fc.assert(
      fc.property(hostile, (fragment) => {
        const route = parseRoute(fragment);
        // The parsed route survives a round trip.
        expect(parseRoute(formatRoute(route))).toEqual(route);
        expect(Object.keys(route)).toEqual(Object.keys(home));
      }),
    );
  });

  it.each([
    ['#view=admin', 'view', 'agenda'],
    ['#view=season', 'view', 'calendar'],
    ['#view=season', 'span', 'year'],
    ['#view=calendar&time=today', 'period', null],
    ['#event=1e3', 'event', null],
    ['#event=01', 'event', null],
    ['#event=9007199254740993', 'event', null],
    ['#event=-7', 'event', -7],
    ['#day=2026-02-30', 'day', null],
    ['#day=0000-01-01', 'day', null],
    ['#day=0001-01-01', 'day', '0001-01-01'],
    ['#from=2026-13-01', 'period', null],
    ['#status=active,<script>,draft', 'statuses', ['draft', 'active']],
    ['#type=none,__proto__', 'types', ['none']],
    ['#q=%ff%zz', 'words', '\ufffd%zz'],
    [`#q=${'x'.repeat(5000)}`, 'words', 'x'.repeat(longestSearch)],
  ] as const)('reads %s safely', (fragment, member, value) => {
    expect(parseRoute(fragment)[member]).toEqual(value);
  });
});
