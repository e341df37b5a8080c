import type { Event } from '../../../http/contract.ts';
import { useToday } from '../../base/days.ts';
import { useEventTimes } from '../../base/event-words.ts';

/** Lists some events in a preview: the name, and when and where each takes place. */
export function EventList({ events }: { readonly events: readonly Event[] }) {
  const times = useEventTimes('weekdayAndDay');
  const today = useToday();
  return (
    <ul className="card ruled optional event-list">
      {events.map((event) => (
        <li key={event.id}>
          <strong dir="auto">
            {event.status === 'cancelled' ? <s>{event.name}</s> : event.name}
          </strong>
          <span className="quiet small" dir="auto">
            {times.line(event, today)}
          </span>
        </li>
      ))}
    </ul>
  );
}
