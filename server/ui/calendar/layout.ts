import type { Span } from '../place/place.ts';
import type { Size } from '../shell/use-size.ts';
import type { Range } from './range.ts';

export type CalendarLayout = {
  readonly view: 'dayGridMonth' | 'dayGridWeek' | 'listWeek' | 'year';
  /** Number of items that fit in a day; null if only their number fits. */
  readonly room: number | null;
};

/** Width in rem below which seven columns are too narrow for names. */
const narrow = 40;
/** Heights in rem, as in the style sheet. */
const head = 2;
const dayTop = 2;
const roomyTop = 0.25;
const item = 1.5;
const roomyItem = 5;
/** Maximum number of items of a day in the list, which could show more. */
const listRoom = 20;

/** Chooses the layout of a span for the available size. */
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
