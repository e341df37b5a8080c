import './panel.css';
import { Button, Skeleton } from '@mantine/core';
import { useFocusTrap, useMediaQuery, useMergedRef } from '@mantine/hooks';
import { IconPrinter } from '@tabler/icons-react';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../contract.ts';
import { goTo, usePlace } from '../../base/navigation.ts';
import { type Finding, useEvent } from '../../data/visible-events.tsx';
import { CalendarButton } from './calendar-button.tsx';
import { CopyButtons } from './copy-buttons.tsx';
import { EventDetails } from './details.tsx';
import { closePanel, PanelBar } from './panel-bar.tsx';

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
function useScrollToTop(id: number, body: RefObject<HTMLElement | null>): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each event
  useLayoutEffect(() => {
    if (body.current !== null) body.current.scrollTop = 0;
  }, [id, body]);
}

/** Elements that Escape closes before the panel. */
const opened = '[role="dialog"], [role="menu"], [role="listbox"], [aria-expanded="true"]';

/** Closes the panel with Escape, from within it or from the view beside it. */
function useEscape(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      const target = event.target as Element;
      const isHere = target === document.body || target.closest('.page-main') !== null;
      const inner = target.closest(opened);
      if (isHere && (inner === null || inner === panel.current)) closePanel();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [panel]);
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
    <div role="status">
      <p>{t(finding.state === 'absent' ? 'absentNext' : 'failedNext')}</p>
      {finding.state === 'failed' && <Button onClick={finding.again}>{t('shell:again')}</Button>}
      {finding.state === 'absent' && <Button onClick={closePanel}>{t('close')}</Button>}
    </div>
  );
}

function PanelFoot({ event }: { readonly event: Event }) {
  const { t } = useTranslation('panel');
  return (
    <div className="panel-copies">
      <CalendarButton event={event} />
      <CopyButtons event={event} />
      <Button
        id="print-event"
        size="compact-sm"
        fw={500}
        variant="default"
        leftSection={<IconPrinter size={15} aria-hidden />}
        onClick={() => goTo({ sheet: 'event' })}
      >
        {t('print')}
      </Button>
    </div>
  );
}

function useHeading(finding: Finding): string {
  const { t } = useTranslation('panel');
  return finding.state === 'found' ? finding.event.name : t(finding.state);
}

function Panel({ id }: { readonly id: number }) {
  const finding = useEvent(id);
  const heading = useHeading(finding);
  const panel = useRef<HTMLElement>(null);
  const headingElement = useRef<HTMLHeadingElement>(null);
  const coversPage = useMediaQuery('(width < 60rem)', false, { getInitialValueInEffect: false });
  const refs = useMergedRef(panel, useFocusTrap(coversPage));
  const body = useRef<HTMLDivElement>(null);
  useHeadingFocus(id, panel, headingElement);
  useScrollToTop(id, body);
  useEscape(panel);
  const event = finding.state === 'found' ? finding.event : undefined;
  const isLong = heading.length > longName;
  return (
    <section
      ref={refs}
      className="panel"
      aria-labelledby="panel-name"
      {...(coversPage && { role: 'dialog', 'aria-modal': true })}
    >
      <PanelBar event={event} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it */}
      {/* biome-ignore lint/a11y/useSemanticElements: not a group of form fields */}
      <div className="panel-body" ref={body} tabIndex={0} role="group" aria-labelledby="panel-name">
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
        {finding.state === 'found' ? (
          <EventDetails event={finding.event} />
        ) : (
          <NoEvent finding={finding} />
        )}
      </div>
      {event && <PanelFoot event={event} />}
    </section>
  );
}

/** The chosen event, beside the view or, on narrow screens, over the whole page. */
export function EventPanel() {
  const { event } = usePlace();
  useReturnedFocus(event);
  return event === null ? null : <Panel id={event} />;
}
