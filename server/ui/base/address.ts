import {
  type EventStatus,
  eventStatuses,
  type FilterType,
  filterTypes,
} from '../../../db/model.ts';
import { type ManagingScreen, managingScreens } from '../../actions/bridge.ts';
import { type Day, isDay } from '../../dates/days.ts';

export const views = ['agenda', 'calendar', 'table'] as const;
export type View = (typeof views)[number];

export const spans = ['month', 'week', 'year'] as const;
export type Span = (typeof spans)[number];

export const columns = ['date', 'name', 'location', 'status', 'type', 'created', 'id'] as const;
export type Column = (typeof columns)[number];

export const sheets = ['list', 'month', 'event'] as const;
export type Sheet = (typeof sheets)[number];

export const namedPeriods = [
  'coming',
  'today',
  'weekend',
  'week',
  'month',
  'next-month',
  'season',
  'past',
] as const;
type NamedPeriod = (typeof namedPeriods)[number];
/** Purposes of the form beside the view; that of a copy is in the panel of its event. */
export const formKinds = ['new', 'edit', 'copy', 'season'] as const;
export type FormKind = (typeof formKinds)[number];

/**
 * Returns the statuses to choose from. The date of an event says that it is over, so `completed` is
 * among them only where it is chosen already.
 */
export function statusesFor(chosen: readonly string[]): readonly EventStatus[] {
  return eventStatuses.filter((status) => status !== 'completed' || chosen.includes(status));
}

/** Inclusive range of local days, `YYYY-MM-DD`; null leaves that end open. */
export type DayRange = { readonly from: string | null; readonly to: string | null };
export type Period = NamedPeriod | DayRange | null;

/** The choice of the events of no team; the name of a team has a letter or a digit. */
export const noTeam = '-';
const longestTeam = 40;

/** The types to show; `none` is for events without a type. */
export const typeFilters = filterTypes;

/** The state of the page, all of it in the URL fragment, for Back and for bookmarks. */
export type Route = {
  readonly view: View;
  /** Search words; empty for no search. */
  readonly words: string;
  /** Statuses and types to show; empty for all. */
  readonly statuses: readonly EventStatus[];
  readonly types: readonly FilterType[];
  readonly period: Period;
  /** The name of a team of the club, or `noTeam`; null for all events. */
  readonly team: string | null;
  /** True if only events that changed since the last visit are shown. */
  readonly changedOnly: boolean;
  /** Id of the event in the panel. */
  readonly event: number | null;
  /** The open form; `edit` and `copy` are for the event in the panel. Desktop window only. */
  readonly form: FormKind | null;
  /** Local day, `YYYY-MM-DD`, with which the form for a new event begins; null for none. */
  readonly formDay: string | null;
  /** Local day that a view shows, `YYYY-MM-DD`; null for today. */
  readonly day: string | null;
  readonly span: Span;
  readonly sort: Column;
  readonly order: 'asc' | 'desc';
  readonly hidden: readonly Column[];
  /** Sheet in the print preview. */
  readonly sheet: Sheet | null;
  /** Management screen; a browser has only `help`. */
  readonly manage: ManagingScreen | null;
};

export const home: Route = {
  view: 'agenda',
  words: '',
  statuses: [],
  types: [],
  period: null,
  team: null,
  changedOnly: false,
  event: null,
  form: null,
  formDay: null,
  day: null,
  span: 'month',
  sort: 'date',
  order: 'asc',
  hidden: ['created', 'id'],
  sheet: null,
  manage: null,
};

const { words, statuses, types, period, team, changedOnly } = home;
/** A change of route that clears the search and every filter. */
export const unfiltered = {
  ...{ words, statuses, types, period, team, changedOnly },
} satisfies Partial<Route>;

/** Maximum length of a search at the service, in characters. */
export const longestSearch = 200;

function oneOf<T extends string>(options: readonly T[], text: string | null): T | undefined {
  return options.find((name) => name === text);
}

function someOf<T extends string>(options: readonly T[], text: string | null): T[] {
  const names = new Set(text?.split(','));
  return options.filter((name) => names.has(name));
}

function parseDay(text: string | null): Day | null {
  return text !== null && isDay(text) ? text : null;
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

/** Parses a URL fragment. It is untrusted input: unknown values are ignored. */
export function parseRoute(fragment: string): Route {
  const query = new URLSearchParams(fragment.replace(/^#/, ''));
  // Earlier versions had a view of the season.
  if (query.get('view') === 'season') {
    query.set('view', 'calendar');
    query.set('span', 'year');
  }
  const view = oneOf(views, query.get('view')) ?? home.view;
  return {
    view,
    words: (query.get('q') ?? '').slice(0, longestSearch),
    statuses: someOf(eventStatuses, query.get('status')),
    types: someOf(typeFilters, query.get('type')),
    // The arrows of the calendar choose its time.
    period: view === 'calendar' ? null : parsePeriod(query),
    team: query.get('team')?.slice(0, longestTeam) || null,
    changedOnly: query.get('changed') === 'only',
    event: parseId(query.get('event')),
    form: oneOf(formKinds, query.get('form')) ?? null,
    formDay: parseDay(query.get('on')),
    day: parseDay(query.get('day')),
    span: oneOf(spans, query.get('span')) ?? home.span,
    sort: oneOf(columns, query.get('sort')) ?? home.sort,
    order: query.get('order') === 'desc' ? 'desc' : 'asc',
    hidden: query.has('hide') ? someOf(columns, query.get('hide')) : home.hidden,
    sheet: oneOf(sheets, query.get('print')) ?? null,
    manage: oneOf(managingScreens, query.get('manage')) ?? null,
  };
}

/** Returns the fragment of a route: the values that differ from `home`, in a fixed order. */
export function formatRoute(route: Route): string {
  const period = route.view === 'calendar' ? null : route.period;
  const range = period !== null && typeof period === 'object' ? period : { from: null, to: null };
  const entries: readonly (readonly [string, string | null, string?])[] = [
    ['view', route.view, home.view],
    ['q', route.words, ''],
    ['status', route.statuses.join(','), ''],
    ['type', route.types.join(','), ''],
    ['time', typeof period === 'string' ? period : null],
    ['from', range.from],
    ['to', range.to],
    ['team', route.team],
    ['changed', route.changedOnly ? 'only' : null],
    ['day', route.day],
    ['span', route.span, home.span],
    ['sort', route.sort, home.sort],
    ['order', route.order, home.order],
    ['hide', route.hidden.join(','), home.hidden.join(',')],
    ['event', route.event === null ? null : String(route.event)],
    ['form', route.form],
    ['on', route.formDay],
    ['print', route.sheet],
    ['manage', route.manage],
  ];
  const query = new URLSearchParams();
  for (const [name, value, defaultValue] of entries) {
    if (value !== null && value !== defaultValue) query.set(name, value);
  }
  return query.size === 0 ? '' : `#${query}`;
}
