import './day-dialog.css';
import { Button, Modal } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Day } from '../../../dates/days.ts';
import type { Event } from '../../../http/contract.ts';
import { useClock } from '../../base/days.ts';
import { useShortEnd } from '../../base/event-words.ts';
import { useFormats } from '../../base/format.ts';
import { IconPlus } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { TypeMark, typeClass } from '../../base/type-mark.tsx';
import { useEditor } from '../../data/editor.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { NoticeMarks, StateMark } from '../event/marks.tsx';
import { eventsOn } from './contents.ts';

/** Maximum number of events to list, and of characters of a text. */
const maxEvents = 200;
const maxTextLength = 300;

function DayEvent(props: {
  readonly day: Day;
  readonly event: Event;
  readonly isPast: boolean;
  readonly onOpen: () => void;
}) {
  const { day, event, isPast, onOpen } = props;
  const clock = useClock();
  const { t } = useTranslation('event');
  const formats = useFormats();
  const end = useShortEnd()(event);
  // In the dialog of a later day, the time would be that of another one.
  const time = clock.dayOf(event.date) === day ? formats.time(event.date) : '';
  return (
    <li>
      <button
        type="button"
        className={`pressable day-event ${typeClass(event.eventType)}`}
        data-status={event.status}
        data-past={isPast || undefined}
        onClick={onOpen}
      >
        <span className="figures">
          {[time, end && !end.span && `–${end.to}`].filter(Boolean).join('')}
        </span>
        <span className="upright day-event-what">
          <strong dir="auto">{event.name.slice(0, maxTextLength)}</strong>
          <span className="small quiet" dir="auto">
            {[event.location.slice(0, maxTextLength), end?.span].filter(Boolean).join(' · ')}
          </span>
          <span className="inline marks">
            <NoticeMarks event={event} />
            <StateMark event={event} />
          </span>
        </span>
        {event.eventType && (
          <span className="day-event-type" title={t(event.eventType)}>
            <TypeMark type={event.eventType} />
            <span className="only-spoken">{t(event.eventType)}</span>
          </span>
        )}
      </button>
    </li>
  );
}

function DayEvents({ day, onLeave }: { readonly day: Day; readonly onLeave: () => void }) {
  const { t } = useTranslation('calendar');
  const { events, today, clock } = useVisibleEvents();
  const formats = useFormats();
  const isDesktop = useEditor() !== undefined;
  const ofDay = eventsOn(clock, events, day);
  const leaveTo = (place: Parameters<typeof goTo>[0]) => {
    onLeave();
    goTo(place);
  };
  return (
    <>
      <div className="row day-head">
        <Modal.Title className="day-title">{formats.on('longDay', day)}</Modal.Title>
        <Modal.CloseButton aria-label={t('closeDay')} />
      </div>
      {ofDay.length === 0 && <p className="day-nothing">{t('nothingOnDay')}</p>}
      <ul className="ruled day-events">
        {ofDay.slice(0, maxEvents).map((event) => (
          <DayEvent
            key={event.id}
            day={day}
            event={event}
            isPast={day < today}
            onOpen={() => leaveTo({ event: event.id })}
          />
        ))}
      </ul>
      <div className="flow day-foot">
        {isDesktop && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => leaveTo({ form: 'new', formDay: day, event: null })}
          >
            {t('newOnDay')}
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" onClick={() => leaveTo({ view: 'agenda', day })}>
          {t('showInList')}
        </Button>
      </div>
    </>
  );
}

/** All events of a day, over the calendar; null for no day. Escape returns the focus. */
export function DayDialog(props: { readonly day: Day | null; readonly onClose: () => void }) {
  const { day, onClose } = props;
  const opener = useRef<Element | null>(null);
  // Before the dialog takes the focus.
  useLayoutEffect(() => {
    if (day !== null) opener.current = document.activeElement;
  }, [day]);
  const close = () => {
    onClose();
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
  return (
    <Modal.Root
      opened={day !== null}
      onClose={close}
      // An event or a form that is opened from here takes the focus itself.
      returnFocus={false}
      size="22rem"
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
