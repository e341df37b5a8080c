import { Button, Skeleton } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays } from '../../dates/days.ts';
import { type Period, unfiltered } from '../base/address.ts';
import { LinkButton } from '../base/buttons.tsx';
import type { ReadingError } from '../base/client.ts';
import { useFormats } from '../base/format.ts';
import { lazyPart } from '../base/lazy-part.tsx';
import { goTo, useRoute } from '../base/navigation.ts';
import { useClubSettings } from '../data/club-settings.ts';
import { boundsOf, filterEvents } from '../data/event-queries.ts';
import { hostOf, useMirror } from '../data/mirror-context.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';
import { useMaybeDesktop } from '../manage/parts/desktop-provider.tsx';
import { textOfError } from './notices.tsx';

const FirstRun = lazyPart(async () => (await import('../manage/welcome/first-run.tsx')).FirstRun);
const FirstEvent = lazyPart(
  async () => (await import('../manage/event/first-event.tsx')).FirstEvent,
);

const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** Time in which nothing is shown, in milliseconds: most answers come sooner. */
const patienceMs = 300;

/** Grey rows in place of the events, after a moment. */
export function Reading() {
  const { t } = useTranslation('shell');
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <div className="page-loading" role="status" aria-label={t('reading')}>
      {rows.map((row) => (
        <Skeleton key={row} height="2.375rem" radius="sm" />
      ))}
    </div>
  );
}

type EmptyStateProps = {
  readonly title: string;
  readonly next: ReactNode;
  readonly children?: ReactNode;
};

function EmptyState({ title, next, children }: EmptyStateProps) {
  return (
    <div className="stack page-state" role="status">
      <h2>{title}</h2>
      {next !== '' && <p>{next}</p>}
      {children && <div className="flow page-state-actions">{children}</div>}
    </div>
  );
}

/** An empty club: in the desktop window it begins with an event or an import. */
function EmptyClub() {
  const { t } = useTranslation(['shell', 'mirrored', 'manage']);
  const isDesktop = useMaybeDesktop() !== undefined;
  const mirror = useMirror();
  if (mirror) {
    return (
      <EmptyState title={t('empty')} next={t('mirrored:empty', { host: hostOf(mirror) })}>
        <Button variant="default" onClick={() => goTo({ manage: 'sources' })}>
          {t('manage:sources')}
        </Button>
      </EmptyState>
    );
  }
  return isDesktop ? (
    <FirstRun firstEvent={<FirstEvent />} />
  ) : (
    <EmptyState title={t('empty')} next={t('emptyNext')} />
  );
}

const namedAsEmpty = ['today', 'weekend', 'week', 'month', 'next-month'] as const;

/** Returns the first event after a period that passes the other filters. */
function useNextEvent(period: Period) {
  const { source, today, clock, inTeam } = useVisibleEvents();
  const { statuses, types, changedOnly } = useRoute();
  const { seasonStart } = useClubSettings();
  const { to } = boundsOf(period, today, seasonStart);
  if (period === null || to === null || changedOnly) return undefined;
  const bounds = { from: to < today ? today : addDays(to, 1), to: null };
  const filter = { clock, statuses, types, bounds, ids: null, inTeam };
  return filterEvents(source?.events ?? [], filter)[0];
}

/** No events pass the filters: names the next event after the period, if there is one. */
function NoMatch() {
  const { t } = useTranslation('shell');
  const formats = useFormats();
  const { period } = useRoute();
  const next = useNextEvent(period);
  const named = namedAsEmpty.find((name) => name === period);
  const title = named === undefined ? t('noMatch') : t(`nothing-${named}`);
  if (next === undefined) {
    return (
      <EmptyState title={title} next={named === undefined ? t('noMatchNext') : ''}>
        <ClearButton />
      </EmptyState>
    );
  }
  const words = (
    <>
      {t('nextEvent')}{' '}
      <LinkButton onClick={() => goTo({ event: next.id })}>
        {formats.at('weekdayDay', next.date)}, <span dir="auto">{next.name.slice(0, 200)}</span>
      </LinkButton>
    </>
  );
  return (
    <EmptyState title={title} next={words}>
      <Button onClick={() => goTo(unfiltered)}>{t('showAll')}</Button>
    </EmptyState>
  );
}

function ClearButton() {
  const { t } = useTranslation('shell');
  return <Button onClick={() => goTo(unfiltered)}>{t('clearAll')}</Button>;
}

function Failure({ error }: { readonly error: ReadingError }) {
  const { t } = useTranslation(['shell', 'manage']);
  const { club } = useVisibleEvents();
  const isDesktop = useMaybeDesktop() !== undefined;
  if (error.kind === 'words') {
    return (
      <EmptyState title={t('words')} next={t('wordsNext')}>
        <ClearButton />
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t(`${textOfError(error)}Empty`)} next="">
      {error.kind === 'damaged' && isDesktop ? (
        <Button onClick={() => goTo({ manage: 'backups' })}>{t('manage:backups')}</Button>
      ) : (
        <Button onClick={club.readAgain}>{t('again')}</Button>
      )}
    </EmptyState>
  );
}

/** The events, or the reason why there are none and what to do next. */
export function StateOfEvents({ children }: { readonly children: ReactNode }) {
  const { club, all, source, events, isSearching, searchError } = useVisibleEvents();
  const { view } = useRoute();
  const error = searchError ?? club.error;
  if (source === undefined) return error === null ? <Reading /> : <Failure error={error} />;
  if (events.length > 0 || isSearching) return children;
  if (!source.pastRead || !source.comingRead) return <Reading />;
  if (all?.total === 0) return <EmptyClub />;
  // The calendar says so itself, below its filters.
  return view === 'calendar' ? children : <NoMatch />;
}
