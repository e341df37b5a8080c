import './page.css';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { zoneNamed } from '../../dates/zone.ts';
import type { View } from '../base/address.ts';
import { ClockContext, computerZone, useClock } from '../base/days.ts';
import { bridge } from '../base/desktop.ts';
import { LoadingBoundary, lazyPart } from '../base/lazy-part.tsx';
import { useRoute } from '../base/navigation.ts';
import { useZoneOfKey } from '../data/club.ts';
import { ClubSettingsContext } from '../data/club-settings.ts';
import { lookedShown } from '../data/followed.ts';
import { useMirror } from '../data/mirror-context.ts';
import { useVisibleEvents, VisibleEventsProvider } from '../data/visible-events.tsx';
import { EditorProvider } from '../manage/event/editor-provider.tsx';
import { FollowedProvider } from '../manage/event/followed-provider.tsx';
import { ProposalsProvider } from '../manage/event/proposals-provider.tsx';
import { ClubProviders, TeamsProvider } from '../manage/parts/club-providers.tsx';
import { DesktopNotices } from '../manage/parts/desktop-notices.tsx';
import { useMaybeDesktop } from '../manage/parts/desktop-provider.tsx';
import { Agenda } from '../views/agenda/agenda.tsx';
import { CalendarView } from '../views/calendar/calendar.tsx';
import { EventPanel } from '../views/event/panel.tsx';
import { FilterBar } from '../views/filter/filter-bar.tsx';
import { PrintedEvents } from '../views/print/printed-events.tsx';
import { TableView } from '../views/table/table.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Head } from './head.tsx';
import { ImportNote } from './import-note.tsx';
import { usePrintKey } from './keyboard.ts';
import type { PageDialog } from './menu-entries.tsx';
import { NewEventButton } from './new-event.tsx';
import { Notices } from './notices.tsx';
import { PageDialogs } from './page-dialogs.tsx';
import { ProposalsNote } from './proposals-note.tsx';
import type { SignInReason } from './session.ts';
import { ShareMenu } from './share-menu.tsx';
import { GoToDateDialog } from './side/go-to-date.tsx';
import { SeasonEnd } from './side/season-offer.tsx';
import { Side } from './side/side.tsx';
import { Reading, StateOfEvents } from './state-of-events.tsx';
import { usePageTitle } from './window-title.ts';

/** The management screens, shown only in the desktop window. */
export const Managing = lazyPart(async () => (await import('../manage/manage.tsx')).Managing);

export const Welcome = lazyPart(
  async () => (await import('../manage/welcome/welcome.tsx')).Welcome,
);

type SignOut = (reason: SignInReason) => void;

const SheetView = lazyPart(
  async () => (await import('../views/print/sheet.tsx')).SheetView,
  Reading,
);
const EventForm = lazyPart(async () => (await import('../manage/event/form.tsx')).EventForm);
const ClosedForm = lazyPart(
  async () => (await import('../manage/event/closed-form.tsx')).ClosedForm,
);
const NextSeason = lazyPart(
  async () => (await import('../manage/event/next-season.tsx')).NextSeason,
);
const PasteTarget = lazyPart(
  async () => (await import('../manage/event/paste-target.tsx')).PasteTarget,
);
/** The parts that a browser does without until they are opened. */
const parts = bridge === undefined ? [] : [SheetView, Managing];

const viewOf: Readonly<Record<View, () => ReactNode>> = {
  agenda: () => <Agenda />,
  table: () => <TableView />,
  calendar: () => <CalendarView />,
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

/**
 * Shows another screen from its upper edge. It must be rendered before a view, which may then
 * scroll to its own place.
 */
function ScreenStart({ screen }: { readonly screen: string }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each screen
  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    window.scrollTo({ top: 0, behavior: 'instant' });
  }, [screen]);
  return null;
}

function ClubPage({ onSignOut }: { readonly onSignOut: SignOut }) {
  const { t } = useTranslation('shell');
  const { view, event, form, sheet, manage } = useRoute();
  const desktop = useMaybeDesktop();
  const isDesktop = desktop !== undefined;
  const mirror = useMirror();
  // The calendar has no place for a season: its form comes back with the list.
  const isElsewhere = form === 'copy' || (form === 'season' && view === 'calendar');
  const isWriting = form !== null && !isElsewhere && isDesktop;
  const isClosed = mirror && !(mirror.takesProposals && form !== 'season');
  const isSeason = form === 'season' && isWriting && !mirror;
  const { club, all, clock } = useVisibleEvents();
  const [dialog, setDialog] = useState<PageDialog | null>(null);
  const actions = { open: setDialog, signOut: () => onSignOut('left') };
  usePreload();
  useEffect(() => {
    // At once, as a person may type without waiting for the form.
    if (isDesktop) void Promise.allSettled([EventForm.load()]);
  }, [isDesktop]);
  usePageTitle();
  usePrintKey();
  const looked = lookedShown.use();
  useEffect(() => {
    if (event !== null || form !== null) lookedShown.set(null);
  }, [event, form]);
  const isRevoked = club.error?.kind === 'key';
  useEffect(() => {
    if (isRevoked) onSignOut('revoked');
  }, [isRevoked, onSignOut]);

  if (manage !== null && desktop !== undefined) {
    return (
      <LoadingBoundary>
        <ScreenStart screen={manage} />
        <Managing screen={manage} />
      </LoadingBoundary>
    );
  }
  if (sheet !== null) {
    return (
      <LoadingBoundary>
        <ScreenStart screen={sheet} />
        <SheetView key={clock.name} sheet={sheet} />
      </LoadingBoundary>
    );
  }
  const isEmpty = all?.total === 0;
  const hasPanel = event !== null || isWriting || looked !== null;
  const hasSide = isSeason || (view === 'agenda' && !isEmpty);
  const side = hasSide ? 'always' : view === 'calendar' && hasPanel ? 'open' : undefined;
  return (
    <div className="page" key={clock.name}>
      <ScreenStart screen={isSeason ? 'season' : view} />
      <button type="button" className="skip only-spoken" onClick={skipToEvents}>
        {t('skip')}
      </button>
      <Head {...actions} />
      <main
        className="columns"
        data-view={view}
        data-side={side}
        data-panel={hasPanel || undefined}
      >
        {isSeason ? (
          <LoadingBoundary>
            <NextSeason />
          </LoadingBoundary>
        ) : (
          <>
            <div className="list">
              {!hasPanel && !isEmpty && <NewEventButton className="page-new-float" isStrong />}
              {!isEmpty && view !== 'calendar' && (
                <FilterBar>
                  <ShareMenu {...actions} />
                </FilterBar>
              )}
              {desktop && <DesktopNotices />}
              {desktop && <FirstSteps />}
              <Notices />
              <ProposalsNote />
              {desktop && <ImportNote />}
              <section id="events" className="page-view" tabIndex={-1} aria-label={t(view)}>
                <StateOfEvents>
                  <LoadingBoundary key={view}>{viewOf[view]()}</LoadingBoundary>
                </StateOfEvents>
              </section>
              {desktop && view === 'agenda' && <SeasonEnd />}
            </div>
            <Side hasCards={hasSide} isOpen={hasPanel}>
              {isWriting ? (
                <LoadingBoundary key={form}>
                  {isClosed ? <ClosedForm /> : <EventForm />}
                </LoadingBoundary>
              ) : (
                <EventPanel />
              )}
            </Side>
          </>
        )}
      </main>
      <GoToDateDialog />
      <PageDialogs opened={dialog} actions={actions} onClose={() => setDialog(null)} />
    </div>
  );
}

/** Moves the focus to the events. A link would change the fragment, which holds the place. */
function skipToEvents(): void {
  document.getElementById('events')?.focus();
}

type PageProps = {
  readonly accessKey: string;
  readonly account: string;
  readonly onSignOut: SignOut;
};

/** The page of a club, in the time zone of the club. */
export function Page(props: PageProps) {
  const desktop = useMaybeDesktop();
  const zoneOfKey = useZoneOfKey(props.accessKey, desktop === undefined);
  const zone = desktop?.club?.zone ?? zoneOfKey;
  if (zone === undefined) return <Reading />;
  return (
    <ClockContext value={zoneNamed(zone || computerZone())}>
      <PageInZone {...props} />
    </ClockContext>
  );
}

function PageInZone({ accessKey, account, onSignOut }: PageProps) {
  const { name, startOf, dayOf } = useClock();
  const desktop = useMaybeDesktop();
  const club = useMemo(
    () => ({ key: accessKey, start: startOf(dayOf(new Date())) }),
    [accessKey, startOf, dayOf],
  );
  const page = (
    <>
      <ClubPage onSignOut={onSignOut} />
      <PrintedEvents key={name} clubName={desktop?.club?.name} />
    </>
  );
  const events = (
    <VisibleEventsProvider club={club} account={account}>
      {desktop ? (
        <ClubProviders>
          <EditorProvider>
            <ProposalsProvider>
              <FollowedProvider>
                {page}
                <PasteTarget />
              </FollowedProvider>
            </ProposalsProvider>
          </EditorProvider>
        </ClubProviders>
      ) : (
        page
      )}
    </VisibleEventsProvider>
  );
  return (
    <ClubSettingsContext value={desktop?.club ?? undefined}>
      {desktop?.club ? <TeamsProvider user={desktop.club.name}>{events}</TeamsProvider> : events}
    </ClubSettingsContext>
  );
}
