import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../contract.ts';
import type { ReadingError } from '../../base/client.ts';
import { useFormats } from '../../base/format.ts';
import { usePlace } from '../../base/navigation.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { useNamedFilters } from '../filter/active-filters.ts';

/** Events at one moment: a sheet must not change while it is previewed or printed. */
export type Snapshot = {
  readonly events: readonly Event[];
  /** Time at which the events were confirmed. */
  readonly asOf: Date;
};

/** Takes a snapshot of the events that pass the filters, once all of them have been read. */
export function useSnapshot(): {
  readonly snapshot: Snapshot | undefined;
  readonly error: ReadingError | null;
} {
  const { club, events, source, isSearching, searchError } = useVisibleEvents();
  const [snapshot, setSnapshot] = useState<Snapshot | undefined>();
  const isWhole = source?.pastRead && source.comingRead && !isSearching;
  useEffect(() => {
    if (snapshot !== undefined || !isWhole) return;
    setSnapshot({ events, asOf: new Date(source.asOf ?? club.confirmedAt()) });
  }, [snapshot, isWhole, events, source, club]);
  return { snapshot, error: searchError ?? club.error };
}

/** Returns the active filters and the search as a text; empty without any. */
export function useFilterWords(): string {
  const { t } = useTranslation('print');
  const { words } = usePlace();
  const names = useNamedFilters().map(([name]) => name);
  const search = words.trim();
  return [...names, ...(search === '' ? [] : [t('search', { words: search })])].join(' · ');
}

/** Prints a text at the foot of every page except the first, which has it in its header. */
function useFoot(text: string): void {
  useEffect(() => {
    const { style } = document.documentElement;
    // CSS strings escape quotes and backslashes like JSON.
    style.setProperty('--sheet-foot', JSON.stringify(text));
    return () => void style.removeProperty('--sheet-foot');
  }, [text]);
}

/** Sets the document title, which browsers suggest as the name of a PDF. */
function useTitle(title: string): void {
  useEffect(() => {
    const previousTitle = document.title;
    document.title = title.slice(0, 100);
    return () => {
      document.title = previousTitle;
    };
  }, [title]);
}

export function Paper(props: {
  readonly kind: 'list' | 'month' | 'event';
  readonly title: string;
  readonly subtitle: string;
  readonly asOf: Date;
  readonly children: ReactNode;
}) {
  const { kind, title, subtitle, asOf, children } = props;
  const { t } = useTranslation('shell');
  const formats = useFormats();
  const stamp = t('asOf', { when: formats.at('moment', asOf) });
  useFoot(kind === 'event' ? stamp : `${title} · ${stamp}`);
  useTitle(title);
  return (
    <article className={`sheet-paper sheet-${kind}`}>
      <header className="sheet-head">
        <h2 dir="auto" data-length={lengthOf(title)}>
          {title}
        </h2>
        <p className="sheet-stamp">{stamp}</p>
        {subtitle !== '' && <p className="sheet-subtitle">{subtitle}</p>}
      </header>
      {children}
    </article>
  );
}

/** Returns the length class of a title, which determines its font size. */
function lengthOf({ length }: string): 'short' | 'medium' | 'long' | 'endless' {
  if (length <= 40) return 'short';
  if (length <= 100) return 'medium';
  return length <= 300 ? 'long' : 'endless';
}
