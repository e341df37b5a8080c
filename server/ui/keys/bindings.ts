import type { Event } from '../../contract.ts';
import type { VisibleEvents } from '../events/shown.tsx';
import { indexAt } from '../filter/matching.ts';
import { neighboursOf } from '../panel/neighbours.ts';
import { type Place, unfiltered, views } from '../place/place.ts';
import { goToToday } from '../place/today.ts';
import { adjustPlace, goTo } from '../place/use-place.ts';
import { dayOf, startOf } from '../time/days.ts';

/** State of the page when a key is pressed. */
export type KeyContext = {
  readonly shown: Pick<VisibleEvents, 'events' | 'all' | 'today'>;
  readonly place: Place;
  readonly openHelp: () => void;
};

/** Returns the neighbour of the event in the panel, or without one, of the start of today. */
export function eventBeside(
  { shown: { events, all, today }, place }: Pick<KeyContext, 'shown' | 'place'>,
  direction: 'before' | 'after',
): Event | undefined {
  const chosen = place.event === null ? undefined : all?.byId.get(place.event);
  if (chosen !== undefined) {
    const { previous, next } = neighboursOf(chosen, events);
    return direction === 'before' ? previous : next;
  }
  const firstComing = indexAt(events, startOf(today));
  return events[direction === 'before' ? firstComing - 1 : firstComing];
}

/** Opens an event and scrolls its row into view; without a rendered row, shows its day. */
function openEvent(event: Event | undefined): void {
  if (event === undefined) return;
  goTo({ event: event.id });
  const row = document.querySelector(`[data-event="${event.id}"]`);
  if (row) row.scrollIntoView({ block: 'nearest' });
  else adjustPlace({ day: dayOf(event.date) });
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#search');
  field?.focus();
  field?.select();
}

export const bindings: Readonly<Record<string, (context: KeyContext) => void>> = {
  '?': ({ openHelp }) => openHelp(),
  '/': focusSearch,
  ...Object.fromEntries(views.map((view, index) => [String(index + 1), () => goTo({ view })])),
  t: goToToday,
  j: (context) => openEvent(eventBeside(context, 'after')),
  k: (context) => openEvent(eventBeside(context, 'before')),
  p: () => goTo({ sheet: 'list' }),
  c: () => goTo(unfiltered),
};
