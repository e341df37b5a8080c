import type { Event } from '../../contract.ts';
import type { VisibleEvents } from '../events/shown.tsx';
import { indexAt } from '../filter/matching.ts';
import { neighboursOf } from '../panel/neighbours.ts';
import { type Place, unfiltered, views } from '../place/place.ts';
import { goToToday } from '../place/today.ts';
import { adjustPlace, goTo } from '../place/use-place.ts';
import { dayOf, startOf } from '../time/days.ts';

/** What a key is pressed upon. */
export type Situation = {
  readonly shown: Pick<VisibleEvents, 'events' | 'all' | 'today'>;
  readonly place: Place;
  readonly openHelp: () => void;
};

/** The event next to the one in the panel, or without one next to now. */
export function eventBeside(
  { shown: { events, all, today }, place }: Pick<Situation, 'shown' | 'place'>,
  way: 'before' | 'after',
): Event | undefined {
  const chosen = place.event === null ? undefined : all?.byId.get(place.event);
  if (chosen !== undefined) {
    const { previous, next } = neighboursOf(chosen, events);
    return way === 'before' ? previous : next;
  }
  const now = indexAt(events, startOf(today));
  return events[way === 'before' ? now - 1 : now];
}

/** Opens an event and brings its row into view, wherever the view has to turn for that. */
function open(event: Event | undefined): void {
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

/** What each key does. */
export const bindings: Readonly<Record<string, (situation: Situation) => void>> = {
  '?': ({ openHelp }) => openHelp(),
  '/': focusSearch,
  ...Object.fromEntries(views.map((view, index) => [String(index + 1), () => goTo({ view })])),
  t: goToToday,
  j: (situation) => open(eventBeside(situation, 'after')),
  k: (situation) => open(eventBeside(situation, 'before')),
  p: () => goTo({ sheet: 'list' }),
  c: () => goTo(unfiltered),
};
