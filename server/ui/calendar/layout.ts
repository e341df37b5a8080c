import type { Span } from '../place/place.ts';
import type { Size } from '../shell/use-size.ts';
import type { Range } from './range.ts';

export type CalendarLayout = {
  readonly view: 'dayGridMonth' | 'dayGridWeek' | 'listWeek' | 'year';
  /** How many items a day has room for; null where it only has room for their number. */
  readonly room: number | null;
};

/** Below this width, in rem, seven days side by side have no room for names. */
const narrow = 40;
/** As in the style sheet, in rem. */
const head = 2;
const dayTop = 2;
const roomyTop = 0.25;
const item = 1.5;
const roomyItem = 5;
/** In a list of days there is no end of room, but of patience. */
const listRoom = 20;

/** How a span is shown in the room there is. */
export function layoutOf(span: Span, { width, height }: Size, { days }: Range): CalendarLayout {
  if (span === 'year') return { view: 'year', room: null };
  if (span === 'week') {
    if (width < narrow) return { view: 'listWeek', room: listRoom };
    return { view: 'dayGridWeek', room: Math.floor((height - head - roomyTop) / roomyItem) };
  }
  if (width < narrow) return { view: 'dayGridMonth', room: null };
  const row = (height - head) / (days.length / 7);
  return { view: 'dayGridMonth', room: Math.floor((row - dayTop) / item) };
}
