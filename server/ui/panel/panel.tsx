import './panel.css';
import { Button, Skeleton } from '@mantine/core';
import { useFocusTrap, useMediaQuery, useMergedRef } from '@mantine/hooks';
import { IconPrinter } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../contract.ts';
import { goTo, usePlace } from '../place/use-place.ts';
import { CopyButtons } from './copy-buttons.tsx';
import { EventDetails } from './event-details.tsx';
import { closePanel, PanelBar } from './panel-bar.tsx';
import { type Finding, useEvent } from './use-event.ts';
import { useEscape, useHeadingFocus, useReturnedFocus, useScrollToTop } from './use-panel-focus.ts';

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
