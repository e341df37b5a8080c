import { ActionIcon, CloseButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../contract.ts';
import { useVisibleEvents } from '../events/shown.tsx';
import { goTo } from '../place/use-place.ts';
import { dayOf } from '../time/days.ts';
import { useFormats } from '../time/format.ts';
import { neighboursOf } from './neighbours.ts';

/** Closes the panel. */
export function closePanel(): void {
  goTo({ event: null });
}

/** Goes to an event, and takes along a view that does not have it on screen. */
function stepTo({ id, date }: Event): void {
  const row = document.querySelector(`[data-event="${id}"]`);
  row?.scrollIntoView({ block: 'nearest' });
  goTo(row === null ? { event: id, day: dayOf(date) } : { event: id });
}

const ways = [
  ['previous', IconChevronUp],
  ['next', IconChevronDown],
] as const;

/** From the event in the panel to its neighbours in the list; nowhere without one. */
function Steps({ event }: { readonly event: Event }) {
  const { t } = useTranslation('panel');
  const formats = useFormats();
  const { events } = useVisibleEvents();
  const [spoken, setSpoken] = useState('');
  const neighbours = neighboursOf(event, events);
  return (
    <>
      {ways.map(([way, Icon]) => {
        const neighbour = neighbours[way];
        const step = () => {
          if (neighbour === undefined) return;
          setSpoken(`${neighbour.name.slice(0, 300)}, ${formats.at('longDay', neighbour.date)}`);
          stepTo(neighbour);
        };
        return (
          <ActionIcon
            key={way}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t(way)}
            // Not `disabled`, which would lose the focus at the last event.
            aria-disabled={neighbour === undefined}
            {...(neighbour === undefined && { 'data-disabled': true })}
            onClick={step}
          >
            <Icon size={20} aria-hidden />
          </ActionIcon>
        );
      })}
      <span role="status" className="only-spoken">
        {spoken}
      </span>
    </>
  );
}

/** The ways from an event to another, and out of the panel. */
export function PanelBar({ event }: { readonly event: Event | undefined }) {
  const { t } = useTranslation('panel');
  return (
    <div className="panel-bar">
      {event && <Steps event={event} />}
      <CloseButton className="panel-close" size="lg" aria-label={t('close')} onClick={closePanel} />
    </div>
  );
}
