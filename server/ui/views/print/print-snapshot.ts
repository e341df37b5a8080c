import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../http/contract.ts';
import { useRoute } from '../../base/navigation.ts';
import { calendarIdentityOf } from '../../data/club.ts';
import { filterEvents } from '../../data/event-queries.ts';
import { useTeamChoice } from '../../data/teams.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { useNamedFilters } from '../filter/active-filters.ts';

/** Events at one moment: a sheet must not change while it is previewed or printed. */
export type Snapshot = {
  readonly all: readonly Event[];
  /** The events that pass the search and the filters, of any date. */
  readonly matching: readonly Event[];
  /** Time at which the events were confirmed. */
  readonly asOf: Date;
};

/** Takes a snapshot of the events, once all of them have been read. */
export function useSnapshot(): Snapshot | undefined {
  const { statuses, types, changedOnly } = useRoute();
  const { club, all, events, source, isSearching, clock, inTeam } = useVisibleEvents();
  const { isReading } = useTeamChoice();
  const [snapshot, setSnapshot] = useState<Snapshot | undefined>();
  useEffect(() => {
    const isWhole = all?.pastRead && all.comingRead && source?.pastRead && source.comingRead;
    if (snapshot !== undefined || !isWhole || isSearching || isReading) return;
    const ids = changedOnly ? new Set(events.map(({ id }) => id)) : null;
    const filter = { clock, statuses, types, bounds: { from: null, to: null }, ids, inTeam };
    setSnapshot({
      all: all.events,
      matching: filterEvents(source.events, filter),
      asOf: new Date(all.asOf ?? club.confirmedAt()),
    });
  }, [
    snapshot,
    isSearching,
    all,
    source,
    events,
    club,
    statuses,
    types,
    changedOnly,
    clock,
    inTeam,
    isReading,
  ]);
  return snapshot;
}

/** Returns the identity of the club's calendar; undefined until it is read, null if that fails. */
export function useIdentity() {
  const { accessKey } = useVisibleEvents();
  const { data, isError } = useQuery({ ...calendarIdentityOf(accessKey), retry: false });
  return data ?? (isError ? null : undefined);
}

/** Returns the search and the active filters except the period as a text; empty without any. */
export function useFilterNames(): string {
  const { t } = useTranslation('print');
  const { words } = useRoute();
  const filters = useNamedFilters().filter(([, without]) => !('period' in without));
  const search = words.trim();
  const names = filters.map(([name]) => name);
  const team = useTeamChoice().name;
  return [
    ...(team === null ? [] : [team]),
    ...names,
    ...(search === '' ? [] : [t('search', { words: search })]),
  ].join(' · ');
}
