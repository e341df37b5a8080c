import { useSyncExternalStore } from 'react';
import type { Day } from '../../../dates/days.ts';
import { typeFilters } from '../../base/address.ts';
import { browserStore } from '../../base/storage.ts';
import { type Logo, parseLogo } from './logo.ts';

export const layouts = ['month', 'list'] as const;
export type Layout = (typeof layouts)[number];

type TypeChoice = (typeof typeFilters)[number];

/** Papers with their sizes in millimetres, upright. */
export const papers = {
  a4: { name: 'A4', width: 210, height: 297 },
  a3: { name: 'A3', width: 297, height: 420 },
  letter: { name: 'Letter', width: 215.9, height: 279.4 },
} as const;
export type PaperName = keyof typeof papers;
export const paperNames = Object.keys(papers) as readonly PaperName[];

/** Optional parts of a sheet. A month sheet has its own choice of notes, because it has less room. */
const includable = ['places', 'cancelled', 'notes', 'monthNotes', 'drafts', 'daysOff'] as const;
export type Includable = (typeof includable)[number];

/** The choices for the sheets of a club. */
export type Choices = Readonly<Record<Includable, boolean>> & {
  /** Null for the club's name. */
  readonly title: string | null;
  readonly logo: Logo | null;
  readonly layout: Layout;
  /** First day; null for today. */
  readonly from: Day | null;
  /** Last day; null for the end of next month. */
  readonly to: Day | null;
  /** Empty for all. */
  readonly types: readonly TypeChoice[];
  readonly paper: PaperName;
  /** The id of the file whose code to subscribe is printed; null for the first one. */
  readonly subscribe: number | 'none' | null;
};

/** Length limit of a title in UTF-16 code units. */
export const maxTitleLength = 200;

function parseDay(value: unknown): Day | null {
  const isDay = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
  return isDay && !Number.isNaN(Date.parse(value)) ? value : null;
}

/** Parses stored choices, which another version of the page may have written. */
function parseChoices(text: string | null): Choices {
  let stored: Partial<Record<keyof Choices, unknown>> = {};
  try {
    stored = Object(JSON.parse(text ?? '{}'));
  } catch {
    // Not JSON: the defaults apply.
  }
  const types: readonly unknown[] = Array.isArray(stored.types) ? stored.types : [];
  return {
    title: typeof stored.title === 'string' ? stored.title.slice(0, maxTitleLength) : null,
    logo: parseLogo(stored.logo),
    layout: layouts.find((layout) => layout === stored.layout) ?? 'list',
    from: parseDay(stored.from),
    to: parseDay(stored.to),
    types: typeFilters.filter((type) => types.includes(type)),
    paper: paperNames.find((paper) => paper === stored.paper) ?? 'a4',
    subscribe:
      typeof stored.subscribe === 'number' || stored.subscribe === 'none' ? stored.subscribe : null,
    places: stored.places !== false,
    cancelled: stored.cancelled !== false,
    notes: stored.notes !== false,
    monthNotes: stored.monthNotes === true,
    drafts: stored.drafts === true,
    daysOff: stored.daysOff !== false,
  };
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let parsed: { readonly text: string | null; readonly choices: Choices } | undefined;

/** Parses a text once, because the same object must be returned until it changes. */
function cachedChoices(text: string | null): Choices {
  if (parsed === undefined || parsed.text !== text) parsed = { text, choices: parseChoices(text) };
  return parsed.choices;
}

/** Returns the choices of an account, and a function that changes and stores them. */
export function useChoices(
  account: string,
): readonly [Choices, (change: Partial<Choices>) => void] {
  const name = `club-events-print-${account}`;
  const read = () => cachedChoices(browserStore.getItem(name));
  const choices = useSyncExternalStore(subscribe, read);
  const change = (values: Partial<Choices>) => {
    browserStore.setItem(name, JSON.stringify({ ...read(), ...values }));
    for (const listener of listeners) listener();
  };
  return [choices, change];
}
