import { memo } from 'react';
import type { Event } from '../../contract.ts';
import { Highlighted } from '../events/highlight.tsx';
import { Marks } from '../events/marks.tsx';
import { goTo } from '../place/use-place.ts';
import { useFormats } from '../time/format.ts';

/** Maximum length of a text in a row, in characters: far more than any row can show. */
const maxTextLength = 300;

export const AgendaEvent = memo(function AgendaEvent({
  event,
  searched,
  isChosen,
  isTabStop,
}: {
  readonly event: Event;
  readonly searched: readonly string[];
  readonly isChosen: boolean;
  readonly isTabStop: boolean;
}) {
  const formats = useFormats();
  const date = new Date(event.date);
  const time = formats.at('time', date);
  return (
    <button
      type="button"
      className="agenda-event"
      data-event={event.id}
      data-cancelled={event.status === 'cancelled' || undefined}
      aria-current={isChosen}
      tabIndex={isTabStop ? 0 : -1}
      onClick={() => goTo({ event: event.id })}
    >
      <span className="agenda-day">
        <span>{formats.at('weekday', date)}</span>
        <b>{date.getDate()}</b>
      </span>
      <span className="agenda-time">{time}</span>
      <span className="agenda-what">
        <strong dir="auto">
          <Highlighted text={event.name.slice(0, maxTextLength)} searched={searched} />
        </strong>
        <span dir="auto">
          <Highlighted text={event.location.slice(0, maxTextLength)} searched={searched} />
        </span>
      </span>
      <Marks event={event} />
    </button>
  );
});
