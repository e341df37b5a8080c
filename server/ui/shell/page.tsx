import './page.css';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { View } from '../base/address.ts';
import { dayOf, startOf } from '../base/days.ts';
import { LoadingBoundary, lazyPart } from '../base/lazy-part.tsx';
import { usePlace } from '../base/navigation.ts';
import { useVisibleEvents, VisibleEventsProvider } from '../data/visible-events.tsx';
import { useMaybeDesktop } from '../manage/parts/desktop.tsx';
import { DesktopNotices } from '../manage/parts/notices.tsx';
import { Agenda } from '../views/agenda/agenda.tsx';
import { DownloadMenu } from '../views/download/download-menu.tsx';
import { EventPanel } from '../views/event/panel.tsx';
import { FilterBar } from '../views/filter/filter-bar.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Head } from './head.tsx';
import { KeyHelp } from './keyboard-help.tsx';
import { Notices } from './notices.tsx';
import type { SignInReason } from './session.ts';
import { StateOfEvents } from './state-of-events.tsx';
import { usePageTitle } from './window-title.ts';

/** The management screens, shown only in the desktop window. */
export const Managing = lazyPart(async () => (await import('../manage/manage.tsx')).Managing);

export const Welcome = lazyPart(
  async () => (await import('../manage/welcome/welcome.tsx')).Welcome,
);

type SignOut = (reason: SignInReason) => void;

function Waiting() {
  const { t } = useTranslation('shell');
  return <p className="page-state">{t('reading')}</p>;
}

const TableView = lazyPart(
  async () => (await import('../views/table/table.tsx')).TableView,
  Waiting,
);
const CalendarView = lazyPart(
  async () => (await import('../views/calendar/calendar.tsx')).CalendarView,
  Waiting,
);
const SeasonView = lazyPart(
  async () => (await import('../views/season/season.tsx')).SeasonView,
  Waiting,
);
const SheetView = lazyPart(
  async () => (await import('../views/print/sheet.tsx')).SheetView,
  Waiting,
);
const parts = [TableView, CalendarView, SeasonView, SheetView, Managing];

const viewOf: Readonly<Record<View, () => ReactNode>> = {
  agenda: () => <Agenda />,
  table: () => <TableView />,
  calendar: () => <CalendarView />,
  season: () => <SeasonView />,
};

/** Delay after which all other parts are preloaded, in milliseconds. */
const preloadDelayMs = 2_000;

/** Preloads all parts, so that they remain available if the service stops. */
function usePreload(): void {
  useEffect(() => {
    // A part that fails is loaded again when it is shown, and then reports its error.
    const timer = setTimeout(() => {
      void Promise.allSettled(parts.map(({ load }) => load()));
    }, preloadDelayMs);
    return () => clearTimeout(timer);
  }, []);
}

function ClubPage({ onSignOut }: { readonly onSignOut: SignOut }) {
  const { t } = useTranslation('shell');
  const { view, sheet, manage } = usePlace();
  const desktop = useMaybeDesktop();
  const { club } = useVisibleEvents();
  const [isHelpOpen, setHelpOpen] = useState(false);
  usePreload();
  usePageTitle();
  const isRevoked = club.error?.kind === 'key';
  useEffect(() => {
    if (isRevoked) onSignOut('revoked');
  }, [isRevoked, onSignOut]);

  if (manage !== null && desktop !== undefined) {
    return (
      <LoadingBoundary>
        <Managing screen={manage} />
      </LoadingBoundary>
    );
  }
  if (sheet !== null) {
    return (
      <LoadingBoundary>
        <SheetView sheet={sheet} />
      </LoadingBoundary>
    );
  }
  return (
    <div className="page">
      <button type="button" className="skip only-spoken" onClick={skipToEvents}>
        {t('skip')}
      </button>
      <Head onKeys={() => setHelpOpen(true)} onSignOut={() => onSignOut('left')} />
      <FilterBar>
        <DownloadMenu />
      </FilterBar>
      <div>
        {desktop && <DesktopNotices />}
        {desktop && <FirstSteps />}
        <Notices />
      </div>
      <main className="page-main">
        <section id="events" className="page-view" tabIndex={-1} aria-label={t(view)}>
          <StateOfEvents>
            <LoadingBoundary key={view}>{viewOf[view]()}</LoadingBoundary>
          </StateOfEvents>
        </section>
        <EventPanel />
      </main>
      <KeyHelp
        isOpen={isHelpOpen}
        onOpen={() => setHelpOpen(true)}
        onClose={() => setHelpOpen(false)}
      />
    </div>
  );
}

/** Moves the focus to the events. A link would change the fragment, which holds the place. */
function skipToEvents(): void {
  document.getElementById('events')?.focus();
}

export function Page({
  accessKey,
  account,
  onSignOut,
}: {
  readonly accessKey: string;
  readonly account: string;
  readonly onSignOut: SignOut;
}) {
  const club = useMemo(() => ({ key: accessKey, start: startOf(dayOf(new Date())) }), [accessKey]);
  return (
    <VisibleEventsProvider club={club} account={account}>
      <ClubPage onSignOut={onSignOut} />
    </VisibleEventsProvider>
  );
}
