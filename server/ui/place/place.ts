import { type EventStatus, type EventType, eventStatuses, eventTypes } from '../../../db/model.ts';
import { type ManagingScreen, managingScreens } from '../../bridge.ts';

export const views = ['agenda', 'table', 'calendar', 'season'] as const;
export type View = (typeof views)[number];

export const spans = ['month', 'week', 'year'] as const;
export type Span = (typeof spans)[number];

export const columns = ['date', 'name', 'location', 'status', 'type', 'created', 'id'] as const;
export type Column = (typeof columns)[number];

export const sheets = ['list', 'month', 'event'] as const;
export type Sheet = (typeof sheets)[number];

export const namedPeriods = ['coming', 'month', 'season', 'past'] as const;
export type NamedPeriod = (typeof namedPeriods)[number];
/** Days of the local calendar, `YYYY-MM-DD`, both of them within; either may be open. */
export type DayRange = { readonly from: string | null; readonly to: string | null };
export type Period = NamedPeriod | DayRange | null;

export const typeFilters = [...eventTypes, 'none'] as const;
/** A type to show; `none` is that of events without one. */
export type TypeFilter = EventType | 'none';

/** What the page shows: all of it is in the address, so that Back works and a link can be kept. */
export type Place = {
  readonly view: View;
  /** Words to search for. */
  readonly words: string;
  /** Only these states and types; none means all. */
  readonly statuses: readonly EventStatus[];
  readonly types: readonly TypeFilter[];
  readonly period: Period;
  /** Only what has changed since the last look. */
  readonly changedOnly: boolean;
  /** The event in the panel. */
  readonly event: number | null;
  /** The local day that a view turns to, `YYYY-MM-DD`; null for today. */
  readonly day: string | null;
  readonly span: Span;
  readonly sort: Column;
  readonly order: 'asc' | 'desc';
  readonly hidden: readonly Column[];
  /** The sheet that is looked at before it is printed. */
  readonly sheet: Sheet | null;
  /** The screen that manages the club's data; only the desktop window has them. */
  readonly manage: ManagingScreen | null;
};

export const home: Place = {
  view: 'agenda',
  words: '',
  statuses: [],
  types: [],
  period: null,
  changedOnly: false,
  event: null,
  day: null,
  span: 'month',
  sort: 'date',
  order: 'asc',
  hidden: ['created', 'id'],
  sheet: null,
  manage: null,
};

const { words, statuses, types, period, changedOnly } = home;
/** A change of place that takes away the search and every filter. */
export const unfiltered = { words, statuses, types, period, changedOnly } satisfies Partial<Place>;

/** The longest search that the service takes, in characters. */
export const longestSearch = 200;

function oneOf<T extends string>(known: readonly T[], text: string | null): T | undefined {
  return known.find((name) => name === text);
}

function someOf<T extends string>(known: readonly T[], text: string | null): T[] {
  const names = new Set(text?.split(','));
  return known.filter((name) => names.has(name));
}

/** A day of the calendar, years 0001 to 9999; null for anything else. */
function parseDay(text: string | null): string | null {
  if (text === null || !/^\d{4}-\d\d-\d\d$/.test(text) || text < '0001') return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(time)) return null;
  return new Date(time).toISOString().startsWith(text) ? text : null;
}

function parsePeriod(query: URLSearchParams): Period {
  const named = oneOf(namedPeriods, query.get('time'));
  if (named !== undefined) return named;
  const [from, to] = [parseDay(query.get('from')), parseDay(query.get('to'))];
  return from === null && to === null ? null : { from, to };
}

function parseId(text: string | null): number | null {
  const id = /^(0|-?[1-9]\d{0,15})$/.test(text ?? '') ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : null;
}

/** Reads the fragment of an address, which anyone may have written: what is not known is left out. */
export function parsePlace(fragment: string): Place {
  const query = new URLSearchParams(fragment.replace(/^#/, ''));
  return {
    view: oneOf(views, query.get('view')) ?? home.view,
    words: (query.get('q') ?? '').slice(0, longestSearch),
    statuses: someOf(eventStatuses, query.get('status')),
    types: someOf(typeFilters, query.get('type')),
    period: parsePeriod(query),
    changedOnly: query.get('changed') === 'only',
    event: parseId(query.get('event')),
    day: parseDay(query.get('day')),
    span: oneOf(spans, query.get('span')) ?? home.span,
    sort: oneOf(columns, query.get('sort')) ?? home.sort,
    order: query.get('order') === 'desc' ? 'desc' : 'asc',
    hidden: query.has('hide') ? someOf(columns, query.get('hide')) : home.hidden,
    sheet: oneOf(sheets, query.get('print')) ?? null,
    manage: oneOf(managingScreens, query.get('manage')) ?? null,
  };
}

/** The fragment of a place: only what is not as at home, in a fixed order. */
export function formatPlace(place: Place): string {
  const { period } = place;
  const range = period !== null && typeof period === 'object' ? period : { from: null, to: null };
  const entries: readonly (readonly [string, string | null, string?])[] = [
    ['view', place.view, home.view],
    ['q', place.words, ''],
    ['status', place.statuses.join(','), ''],
    ['type', place.types.join(','), ''],
    ['time', typeof period === 'string' ? period : null],
    ['from', range.from],
    ['to', range.to],
    ['changed', place.changedOnly ? 'only' : null],
    ['day', place.day],
    ['span', place.span, home.span],
    ['sort', place.sort, home.sort],
    ['order', place.order, home.order],
    ['hide', place.hidden.join(','), home.hidden.join(',')],
    ['event', place.event === null ? null : String(place.event)],
    ['print', place.sheet],
    ['manage', place.manage],
  ];
  const query = new URLSearchParams();
  for (const [name, value, otherwise] of entries) {
    if (value !== null && value !== otherwise) query.set(name, value);
  }
  return query.size === 0 ? '' : `#${query}`;
}
