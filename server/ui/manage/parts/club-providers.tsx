import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import { hourMs, minuteMs } from '../../../dates/units.ts';
import { listUnannounced } from '../../../event/announced.ts';
import type { SuggestedTeam } from '../../../event/views.ts';
import { queries } from '../../base/client.ts';
import { useNow } from '../../base/days.ts';
import { AnnouncedContext, type StoredAnnounced, stateWith } from '../../data/announced.ts';
import { combineDaysOff, DaysOffContext } from '../../data/days-off.ts';
import { MirrorContext } from '../../data/mirror-context.ts';
import { TeamsContext } from '../../data/teams.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { performChange, useActionQuery, useTask } from './action-hooks.ts';
import { useDesktop } from './desktop-provider.tsx';

/** Interval at which the state is read, in milliseconds: a failed sync changes no events. */
const mirrorMs = minuteMs;

/** Provides the state of the open club's mirror, and reads it after each sync of the service. */
function MirrorProvider({ children }: { readonly children: ReactNode }) {
  const { club, showClub } = useDesktop();
  const { all } = useVisibleEvents();
  const asOf = all?.asOf ?? null;
  // Each query starts a thread, which a club with events of its own does not need.
  const polling = asOf === null ? {} : { intervalMs: mirrorMs };
  const { data, error } = useActionQuery('mirror status', {}, { ...polling, isInBackground: true });
  const isRead = all !== undefined;
  const lastAsOf = useRef<string | null>(undefined);
  useEffect(() => {
    const isSynced = lastAsOf.current !== undefined && lastAsOf.current !== asOf;
    if (isRead) lastAsOf.current = asOf;
    if (!isSynced) return;
    // A file gives its club the name and the zone.
    void showClub(club.id);
    void queries.invalidateQueries({ queryKey: ['action'] });
  }, [asOf, isRead, club.id, showClub]);
  // Without an answer, the service decides what can be changed.
  const none = data === undefined && error === null ? undefined : null;
  const mirror = data?.mirrors.find(({ userId }) => userId === club.id) ?? none;
  return <MirrorContext value={mirror}>{children}</MirrorContext>;
}

/** Interval at which the days off are read, in milliseconds: the service reads addresses once a day. */
const daysOffMs = hourMs;

/** Provides the days off of the open club. They stay on view while they are read again. */
function DaysOffProvider({ children }: { readonly children: ReactNode }) {
  const { club } = useDesktop();
  const { data } = useActionQuery(
    'days-off list',
    { user: club.name },
    { intervalMs: daysOffMs, isInBackground: true },
  );
  const combined = useMemo(() => combineDaysOff(data?.calendars ?? []), [data]);
  return <DaysOffContext value={combined}>{children}</DaysOffContext>;
}

/** Provides what the members of the open club were told, and the changes since then. */
function AnnouncedProvider({ children }: { readonly children: ReactNode }) {
  const { club } = useDesktop();
  const user = club.name;
  const { all, clock } = useVisibleEvents();
  const now = useNow();
  const { data: announced, refetch } = useActionQuery(
    'message read',
    { user },
    { isInBackground: true },
  );
  // A part of the events would look as if the others were deleted.
  const events = all?.pastRead && all.comingRead ? all.byId : undefined;
  // Other programs and syncs change events, too.
  useEffect(() => {
    if (events !== undefined) void refetch();
  }, [events, refetch]);
  const changes = useMemo(
    () => (announced && events ? listUnannounced(clock, announced.before, events, now) : []),
    [announced, events, now, clock],
  );
  const store = useCallback(
    async (next: StoredAnnounced): Promise<StoredAnnounced> => {
      await performChange('message store', { user, announced: next });
      return announced?.isStored
        ? { ...announced.announced, others: [...announced.announced.others] }
        : null;
    },
    [user, announced],
  );
  const { run } = useTask(store);
  const markAnnounced = useCallback(
    (ids: readonly number[]) => {
      if (announced !== undefined) void run(stateWith(announced, ids));
    },
    [announced, run],
  );
  const value = useMemo(
    () => ({ announced, changes, store, markAnnounced }),
    [announced, changes, store, markAnnounced],
  );
  return <AnnouncedContext value={value}>{children}</AnnouncedContext>;
}

/** Provides the teams of the open club. They stay on view while they are read again. */
export function TeamsProvider(props: { readonly user: string; readonly children: ReactNode }) {
  const { user, children } = props;
  const { data } = useActionQuery('team list', { user }, { isInBackground: true });
  const add = useCallback(
    async (teams: readonly SuggestedTeam[]) => {
      for (const { name, words, without } of teams) {
        await performChange('team add', { user, name, words, without });
      }
    },
    [user],
  );
  const value = useMemo(() => ({ teams: data?.teams, add }), [data, add]);
  return <TeamsContext value={value}>{children}</TeamsContext>;
}

/** Provides the state of the open club's mirror, its days off, and what its members were told. */
export function ClubProviders({ children }: { readonly children: ReactNode }) {
  return (
    <MirrorProvider>
      <DaysOffProvider>
        <AnnouncedProvider>{children}</AnnouncedProvider>
      </DaysOffProvider>
    </MirrorProvider>
  );
}
