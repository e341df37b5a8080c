import './sheet.css';
import './paper.css';
import './month-sheet.css';
import './event-sheet.css';
import './print.css';
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPlace, type Sheet } from '../../base/address.ts';
import { useFormats } from '../../base/format.ts';
import { usePlace } from '../../base/navigation.ts';
import { useEvent, useVisibleEvents } from '../../data/visible-events.tsx';
import { EventSheet } from './event-sheet.tsx';
import { groupByMonth, ListSheet } from './list-sheet.tsx';
import { MonthSheet } from './month-sheet.tsx';
import { type Snapshot, useSnapshot } from './paper.tsx';
import { closeSheet, SheetBar } from './sheet-bar.tsx';

/** Counts up to `target`, one step at a time, so that long rendering does not block the page. */
export function useGradually(target: number, isAllowed: boolean): number {
  const [count, setCount] = useState(1);
  useEffect(() => {
    if (!isAllowed || count >= target) return;
    const timer = setTimeout(() => setCount(count + 1));
    return () => clearTimeout(timer);
  }, [count, target, isAllowed]);
  return isAllowed ? Math.min(count, target) : 0;
}

function Preview({
  sheet,
  wait = '',
  children,
}: {
  readonly sheet: Sheet;
  readonly wait?: string;
  readonly children: ReactNode;
}) {
  const { day } = usePlace();
  const { today } = useVisibleEvents();
  const { t } = useTranslation('print');
  return (
    <div className="sheet-view">
      <SheetBar sheet={sheet} day={day ?? today} wait={wait} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it */}
      <main className="sheet-desk" tabIndex={0} aria-label={t('preview')}>
        {children}
      </main>
    </div>
  );
}

function Message({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className="sheet-message" role="status">
      <p>{text}</p>
      {children}
    </div>
  );
}

/** Number of events above which the user must confirm, and approximate number on a page. */
const manyEvents = 2_000;
const eventsPerPage = 16;

function List({ snapshot }: { readonly snapshot: Snapshot }) {
  const { t } = useTranslation('print');
  const formats = useFormats();
  const { events, asOf } = snapshot;
  const [isConfirmed, setConfirmed] = useState(events.length <= manyEvents);
  const groups = useMemo(() => groupByMonth(events), [events]);
  const last = groups.at(-1);
  const parts = last === undefined ? 0 : last.before + last.parts.length;
  const renderedParts = useGradually(parts, isConfirmed);
  if (!isConfirmed) {
    const pages = formats.number(Math.ceil(events.length / eventsPerPage));
    const shown = formats.number(events.length);
    return (
      <Preview sheet="list" wait={t('notYet')}>
        <Message text={t('many', { shown, pages })}>
          <Button onClick={() => setConfirmed(true)}>{t('prepare')}</Button>
        </Message>
      </Preview>
    );
  }
  const percent = formats.number(Math.floor((100 * renderedParts) / Math.max(1, parts)));
  return (
    <Preview sheet="list" wait={renderedParts < parts ? t('preparing', { percent }) : ''}>
      <ListSheet groups={groups} renderedParts={renderedParts} asOf={asOf} />
    </Preview>
  );
}

/** The sheet of the visible events, once all of them have been read. */
function SheetOfEvents({ sheet }: { readonly sheet: 'list' | 'month' }) {
  const { t } = useTranslation(['print', 'shell', 'download']);
  const { day } = usePlace();
  const { today, club } = useVisibleEvents();
  const { snapshot, error } = useSnapshot();
  if (snapshot === undefined) {
    return (
      <Preview sheet={sheet} wait={t('notYet')}>
        <Message text={error === null ? t('shell:reading') : t('shell:failedEmpty')}>
          {error && <Button onClick={club.readAgain}>{t('shell:again')}</Button>}
        </Message>
      </Preview>
    );
  }
  if (sheet === 'list' && snapshot.events.length > 0) return <List snapshot={snapshot} />;
  return (
    <Preview sheet={sheet}>
      {sheet === 'month' ? (
        <MonthSheet snapshot={snapshot} day={day ?? today} />
      ) : (
        <Message text={t('download:nothing')} />
      )}
    </Preview>
  );
}

function NoEvent({
  text,
  children,
}: {
  readonly text: 'looking' | 'absent' | 'failed';
  readonly children?: ReactNode;
}) {
  const { t } = useTranslation(['print', 'panel']);
  return (
    <Preview sheet="event" wait={t('notYet')}>
      <Message text={t(`panel:${text}`)}>{children}</Message>
    </Preview>
  );
}

function SheetOfEvent({ id }: { readonly id: number }) {
  const { t } = useTranslation('shell');
  const { club, all } = useVisibleEvents();
  const finding = useEvent(id);
  const confirmed = all?.asOf ?? club.confirmedAt();
  // While the club is still being read, the event has just been requested separately.
  const asOf = new Date(confirmed === 0 ? Date.now() : confirmed);
  if (finding.state === 'found') {
    return (
      <Preview sheet="event">
        <EventSheet event={finding.event} asOf={asOf} />
      </Preview>
    );
  }
  return (
    <NoEvent text={finding.state}>
      {finding.state === 'failed' && <Button onClick={finding.again}>{t('again')}</Button>}
    </NoEvent>
  );
}

/** Closes the sheet on Escape, and on closing returns the focus to the control that opened it. */
function useClosing(sheet: Sheet): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) closeSheet();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      const opener = document.getElementById(sheet === 'event' ? 'print-event' : 'download');
      (opener ?? document.getElementById('events'))?.focus();
    };
  }, [sheet]);
}

export function SheetView({ sheet }: { readonly sheet: Sheet }) {
  const place = usePlace();
  useClosing(sheet);
  if (sheet === 'event') {
    return place.event === null ? <NoEvent text="absent" /> : <SheetOfEvent id={place.event} />;
  }
  // Other filters in the URL need a new snapshot.
  return <SheetOfEvents key={formatPlace({ ...place, day: null })} sheet={sheet} />;
}
