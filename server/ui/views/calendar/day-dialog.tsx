import './day-dialog.css';
import { Button, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../contract.ts';
import type { Day } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { goTo } from '../../base/navigation.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { Marks } from '../event/marks.tsx';
import { indexRangeOf } from './contents.ts';

/** Maximum number of events to list, and of characters of a text. */
const maxEvents = 200;
const maxTextLength = 300;

function DayEvent({ event, onOpen }: { readonly event: Event; readonly onOpen: () => void }) {
  const formats = useFormats();
  return (
    <li>
      <button type="button" className="day-event" onClick={onOpen}>
        <span className="day-event-time">{formats.time(event.date)}</span>
        <span className="day-event-what">
          <strong dir="auto" data-cancelled={event.status === 'cancelled' || undefined}>
            {event.name.slice(0, maxTextLength)}
          </strong>
          <span dir="auto">{event.location.slice(0, maxTextLength)}</span>
        </span>
        <Marks event={event} />
      </button>
    </li>
  );
}

function DayEvents({ day, onLeave }: { readonly day: Day; readonly onLeave: () => void }) {
  const { t } = useTranslation('calendar');
  const { events } = useVisibleEvents();
  const formats = useFormats();
  const [first, end] = indexRangeOf(events, day);
  const leaveTo = (place: Parameters<typeof goTo>[0]) => {
    onLeave();
    goTo(place);
  };
  return (
    <>
      <div className="day-head">
        <Modal.Title className="day-title">{formats.on('longDay', day)}</Modal.Title>
        <Modal.CloseButton aria-label={t('closeDay')} />
      </div>
      <ul className="day-events">
        {events.slice(first, Math.min(end, first + maxEvents)).map((event) => (
          <DayEvent key={event.id} event={event} onOpen={() => leaveTo({ event: event.id })} />
        ))}
      </ul>
      <Button size="compact-sm" variant="default" onClick={() => leaveTo({ view: 'agenda', day })}>
        {t('showInList')}
      </Button>
    </>
  );
}

/** All events of a day, over the calendar; null for no day. Focuses the day when it is closed. */
export function DayDialog({
  day,
  onClose,
}: {
  readonly day: Day | null;
  readonly onClose: () => void;
}) {
  const close = () => {
    onClose();
    document.querySelector<HTMLElement>(`[data-more="${day}"]`)?.focus();
  };
  return (
    <Modal.Root
      opened={day !== null}
      onClose={close}
      // An event that is opened from here takes the focus itself.
      returnFocus={false}
      size="lg"
      centered
      lockScroll={false}
    >
      <Modal.Overlay />
      <Modal.Content>
        {/* Modal.Header would add a second banner landmark. */}
        <Modal.Body className="day-body">
          {day !== null && <DayEvents day={day} onLeave={onClose} />}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
