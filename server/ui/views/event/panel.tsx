import './panel.css';
import { Button, Skeleton } from '@mantine/core';
import { useFocusTrap, useMediaQuery, useMergedRef } from '@mantine/hooks';
import { type RefObject, useDeferredValue, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../http/contract.ts';
import { useEscape } from '../../base/browser.ts';
import { IconEye } from '../../base/icons.ts';
import { useRoute } from '../../base/navigation.ts';
import { TypeName } from '../../base/type-mark.tsx';
import type { DraftEvent } from '../../data/editor.ts';
import { lookedShown, useFollowed } from '../../data/followed.ts';
import { type Finding, useEvent } from '../../data/visible-events.tsx';
import { Details, EditButtons, TellMembers } from './actions.tsx';
import { PlaceNotes } from './changes.tsx';
import { EventFacts } from './details.tsx';
import { Badges } from './marks.tsx';
import { AddedTogether, EventChanges, useMemory } from './memory.tsx';
import { closePanel, PanelBar } from './panel-bar.tsx';
import { EventQuestions } from './questions.tsx';

/** Returns the focus to the event in the view if the closed panel had it. */
function useReturnedFocus(id: number | null): void {
  const previous = useRef<number | null>(null);
  useLayoutEffect(() => {
    const closed = previous.current;
    previous.current = id;
    // A focus elsewhere on the page stays there.
    if (id !== null || closed === null || document.activeElement !== document.body) return;
    const row = document.querySelector<HTMLElement>(`[data-event="${closed}"]`);
    (row ?? document.getElementById('events'))?.focus();
  }, [id]);
}

/**
 * Moves the focus to the panel's heading, unless it is in the panel or in the search field, where
 * Enter steps through the hits.
 */
function useHeadingFocus(
  id: number,
  panel: RefObject<HTMLElement | null>,
  heading: RefObject<HTMLElement | null>,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each event
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (panel.current?.contains(activeElement) || activeElement?.id === 'search') return;
    heading.current?.focus({ preventScroll: true });
  }, [id, panel, heading]);
}

/** Scrolls to the top for each event. */
function useScrollToTop(id: number, panel: RefObject<HTMLElement | null>): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each event
  useLayoutEffect(() => {
    if (panel.current !== null) panel.current.scrollTop = 0;
  }, [id, panel]);
}

/** Length in characters above which a name is in smaller letters and scrolls. */
const longName = 200;

/** The content of the panel without an event: a placeholder, or a message with a button. */
function NoEvent({ finding }: { readonly finding: Exclude<Finding, { state: 'found' }> }) {
  const { t } = useTranslation(['panel', 'shell']);
  if (finding.state === 'looking') {
    return (
      <div aria-hidden>
        <Skeleton height="1.25rem" width="60%" mb="md" />
        <Skeleton height="8rem" />
      </div>
    );
  }
  return (
    <div role="status" className="stack loose">
      <p>{t(finding.state === 'absent' ? 'absentNext' : 'failedNext')}</p>
      <Button className="alone" onClick={finding.state === 'absent' ? closePanel : finding.again}>
        {t(finding.state === 'absent' ? 'close' : 'shell:again')}
      </Button>
    </div>
  );
}

function useHeading(finding: Finding): string {
  const { t } = useTranslation('panel');
  return finding.state === 'found' ? finding.event.name : t(finding.state);
}

/** Everything about an event below its name. */
function EventBody({ event }: { readonly event: Event }) {
  const memory = useMemory(event);
  return (
    <>
      <EventFacts event={event}>
        <AddedTogether memory={memory} />
      </EventFacts>
      <EventQuestions event={event} />
      <EventChanges event={event} memory={memory} />
      <PlaceNotes event={event} />
      <EditButtons event={event} />
      <div className="panel-uses">
        <TellMembers event={event} />
        <Details event={event} />
      </div>
    </>
  );
}

/** Windows in which the panel covers the calendar: elsewhere it is beside or below it. */
const coveredCalendar = '(width <= 700px), (width <= 1080px) and (height < 500px)';

function Panel({ id }: { readonly id: number }) {
  const finding = useEvent(id);
  const heading = useHeading(finding);
  const panel = useRef<HTMLElement>(null);
  const headingElement = useRef<HTMLHeadingElement>(null);
  const { view } = useRoute();
  const covered = view === 'calendar' ? coveredCalendar : '(width < 60rem)';
  const coversPage = useMediaQuery(covered, false, { getInitialValueInEffect: false });
  const refs = useMergedRef(panel, useFocusTrap(coversPage));
  useHeadingFocus(id, panel, headingElement);
  useScrollToTop(id, panel);
  useEscape({ own: '.panel', within: 'main' }, closePanel);
  const event = finding.state === 'found' ? finding.event : undefined;
  // In slices of time: the form that the panel takes the place of is closed before. At once in the
  // place of the print view, which returns the focus to a button of the body.
  const hasBody = useDeferredValue(true, document.querySelector('.studio') !== null);
  const isLong = heading.length > longName;
  return (
    <section
      ref={refs}
      className="panel"
      aria-labelledby="panel-name"
      {...(coversPage && { role: 'dialog', 'aria-modal': true })}
    >
      <PanelBar event={event} />
      <div className="stack wide panel-body">
        <header>
          {event && (
            <div className="cluster optional panel-marks">
              {event.eventType && <TypeName type={event.eventType} />}
              <Badges event={event} />
            </div>
          )}
          <h2
            ref={headingElement}
            id="panel-name"
            className="panel-name"
            data-autofocus
            data-long={isLong || undefined}
            data-cancelled={event?.status === 'cancelled' || undefined}
            tabIndex={isLong ? 0 : -1}
            dir="auto"
          >
            {heading}
          </h2>
        </header>
        {finding.state === 'found' ? (
          hasBody && <EventBody event={finding.event} />
        ) : (
          <NoEvent finding={finding} />
        )}
      </div>
    </section>
  );
}

/** An event that the club only looks at: it can be copied, and not edited. */
function LookedPanel({ event }: { readonly event: DraftEvent }) {
  const { t } = useTranslation('follow');
  const { copy } = useFollowed();
  const heading = useRef<HTMLHeadingElement>(null);
  const close = () => {
    lookedShown.set(null);
    document.querySelector<HTMLElement>(`[data-looked="${event.id}"]`)?.focus();
  };
  useEscape({ own: '.panel', within: 'main' }, close);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each event
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), [event.id]);
  return (
    <section className="panel" aria-labelledby="panel-name">
      <PanelBar event={undefined} onClose={close} />
      <div className="stack wide panel-body">
        <header>
          <p className="row tight small quiet">
            <IconEye size={16} stroke={1.75} aria-hidden />
            <span dir="auto">{t('lookedFrom', { name: event.lookedFrom })}</span>
          </p>
          <h2 ref={heading} id="panel-name" className="panel-name" tabIndex={-1} dir="auto">
            {event.name}
          </h2>
        </header>
        <EventFacts event={event}>{null}</EventFacts>
        <div className="flow">
          <Button variant="default" onClick={() => void copy(event)}>
            {t('copyToOurs')}
          </Button>
        </div>
      </div>
    </section>
  );
}

/** The chosen event, beside the view or, on narrow screens, over the whole page. */
export function EventPanel() {
  const { event } = useRoute();
  const looked = lookedShown.use();
  useReturnedFocus(event);
  if (event !== null) return <Panel id={event} />;
  return looked && <LookedPanel event={looked} />;
}
