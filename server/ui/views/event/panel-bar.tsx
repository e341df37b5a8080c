import { ActionIcon, Button, CloseButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Clock } from '../../../dates/clock.ts';
import type { Event } from '../../../http/contract.ts';
import { useFormats } from '../../base/format.ts';
import { IconArrowLeft, IconChevronDown, IconChevronUp } from '../../base/icons.ts';
import { currentRoute, goTo, useRoute } from '../../base/navigation.ts';
import { neighboursOf } from '../../data/event-queries.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';

export function closePanel(): void {
  goTo({ event: null, form: null });
}

/** Opens an event; a view that has not rendered it shows its day. */
function stepTo(clock: Clock, { id, date }: Event): void {
  const row = document.querySelector(`[data-event="${id}"]`);
  row?.scrollIntoView({ block: 'nearest' });
  const opened = { event: id, form: null };
  goTo(row === null ? { ...opened, day: clock.dayOf(date) } : opened);
}

const directions = [
  ['previous', IconChevronUp],
  ['next', IconChevronDown],
] as const;

/** Buttons for the previous and the next event in the list. */
function Steps({ event }: { readonly event: Event }) {
  const { t } = useTranslation('panel');
  const formats = useFormats();
  const { events, all, clock } = useVisibleEvents();
  const [announcement, setAnnouncement] = useState('');
  const neighbours = neighboursOf(event, events);
  return (
    <>
      {directions.map(([direction, Icon]) => {
        const isLast = neighbours[direction] === undefined;
        const step = () => {
          // The panel may not show the last step yet.
          const from = all?.byId.get(currentRoute().event ?? event.id) ?? event;
          const to = neighboursOf(from, events)[direction];
          if (to === undefined) return;
          setAnnouncement(`${to.name.slice(0, 300)}, ${formats.at('longDay', to.date)}`);
          stepTo(clock, to);
        };
        return (
          <ActionIcon
            key={direction}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t(direction)}
            // Not `disabled`, which would lose the focus at the last event.
            aria-disabled={isLast}
            {...(isLast && { 'data-disabled': true })}
            onClick={step}
          >
            <Icon size={20} aria-hidden />
          </ActionIcon>
        );
      })}
      <span role="status" className="only-spoken">
        {announcement}
      </span>
    </>
  );
}

/** The way back where the panel covers the page: an arrow with the name of the view. */
function Back({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('shell');
  const { view } = useRoute();
  return (
    <Button
      className="panel-back small-button"
      variant="subtle"
      color="gray"
      leftSection={<IconArrowLeft size={18} stroke={1.75} aria-hidden />}
      onClick={onClose}
    >
      {t(view)}
    </Button>
  );
}

export function PanelBar(props: {
  readonly event: Event | undefined;
  readonly onClose?: () => void;
}) {
  const { event, onClose = closePanel } = props;
  const { t } = useTranslation('panel');
  return (
    <div className="row panel-bar">
      <Back onClose={onClose} />
      {event && <Steps event={event} />}
      <CloseButton
        className="panel-close"
        size="lg"
        iconSize={20}
        aria-label={t('close')}
        onClick={onClose}
      />
    </div>
  );
}
