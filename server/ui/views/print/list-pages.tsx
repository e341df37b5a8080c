import type { CSSProperties, ReactNode } from 'react';
import type { EventType } from '../../../../db/model.ts';
import type { Day } from '../../base/days.ts';
import { TypeMark } from '../../base/type-mark.tsx';
import { heightOf, type Measure, slack, withMeasure } from './measure.tsx';
import { type Frame, type PageContent, type Sheets, textSizes } from './paper.tsx';

/** The texts of an event. */
export type Entry = {
  readonly id: number;
  readonly day: Day;
  readonly weekday: string;
  readonly date: string;
  readonly time: string;
  readonly name: string;
  /** "Cancelled" or "Draft"; empty for any other status. */
  readonly status: string;
  readonly place: string;
  readonly note: string;
  readonly isCancelled: boolean;
  readonly type: EventType | null;
};

/** Entries below a heading. */
export type Group = { readonly title: string; readonly entries: readonly Entry[] };

/** Properties that all rows of a sheet share, so that a row is as high on each page. */
type RowStyle = {
  /** True to show the marks of types. */
  readonly hasMarks: boolean;
  /** Length of the longest time of day, in characters. */
  readonly timeLength: number;
};

/** Returns the style for rows; marks are only useful where there are several types. */
export function styleOf(entries: readonly Entry[], types: readonly (EventType | null)[]): RowStyle {
  const timeLength = entries.reduce((most, { time }) => Math.max(most, time.length), 0);
  return { hasMarks: types.length > 0, timeLength };
}

/** Returns the text below the name; the place of a cancelled event is no longer of interest. */
function detailsOf({ status, place, note, isCancelled }: Entry): string {
  return [status, isCancelled ? '' : place, note].filter((part) => part !== '').join('. ');
}

function Row({ entry, hasMarks }: { readonly entry: Entry; readonly hasMarks: boolean }) {
  return (
    <li>
      <span className="sheet-day">
        {entry.weekday} <b>{entry.date}</b>
      </span>
      <span>{entry.time}</span>
      <span>
        {hasMarks && entry.type !== null && <TypeMark type={entry.type} />}
        <b dir="auto" data-cancelled={entry.isCancelled || undefined}>
          {entry.name}
        </b>
        <span className="sheet-details" dir="auto">
          {detailsOf(entry)}
        </span>
      </span>
    </li>
  );
}

/** The events of each month under its name. */
function Groups({
  groups,
  style,
}: {
  readonly groups: readonly Group[];
  readonly style: RowStyle;
}) {
  return groups.map(({ title, entries }) => (
    <section key={title}>
      <h3>{title}</h3>
      <ul style={{ '--time-length': style.timeLength } as CSSProperties}>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} hasMarks={style.hasMarks} />
        ))}
      </ul>
    </section>
  ));
}

/** Rows to lay out in pages. */
export type List = {
  readonly groups: readonly Group[];
  readonly style: RowStyle;
  readonly subtitle: string;
  /** Returns the title of a group on its further pages. */
  readonly continued: (title: string) => string;
};

type Filled = {
  readonly pages: readonly (readonly Group[])[];
  /** Free height of the last page in pixels. */
  readonly free: number;
};

/** Rows that are measured at once. */
const rowsPerStep = 20;

/**
 * Fills pages with rows, whole, each below a heading. Returns undefined if they need more pages
 * than `maxPages`.
 */
export async function fillPages(
  { groups, style, subtitle, continued }: List,
  size: number,
  maxPages: number,
  measure: Measure,
  onProgress: (share: number) => void = () => undefined,
): Promise<Filled | undefined> {
  const pages: Group[][] = [[]];
  let free = Number.POSITIVE_INFINITY;
  let done = 0;
  const total = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  for (const { title, entries } of groups) {
    let current: Entry[] | undefined;
    for (let from = 0; from < entries.length; from += rowsPerStep) {
      const some = { title, entries: entries.slice(from, from + rowsPerStep) };
      const body = measure.render(size, {
        subtitle,
        body: <Groups groups={[some]} style={style} />,
      });
      const whole = heightOf(body) - slack;
      const heading = heightOf(body.querySelector('h3') as Element);
      const rows = Array.from(body.querySelectorAll('li'), heightOf);
      free = Math.min(free, whole);
      for (const [index, entry] of some.entries.entries()) {
        const row = rows[index] ?? 0;
        const page = pages.at(-1) as Group[];
        const isFull = row + (current === undefined ? heading : 0) > free;
        if (isFull && page.length > 0) {
          if (pages.length === maxPages) return undefined;
          pages.push([]);
          free = whole;
          const isContinued = from + index > 0;
          current = [];
          pages.at(-1)?.push({ title: isContinued ? continued(title) : title, entries: current });
          free -= heading;
        } else if (current === undefined) {
          current = [];
          page.push({ title, entries: current });
          free -= heading;
        }
        current.push(entry);
        free -= row;
      }
      done += some.entries.length;
      onProgress(done / total);
      await measure.pause();
    }
  }
  return { pages, free };
}

/** Returns the contents of filled pages. */
export function listContents(
  { style, subtitle }: Pick<List, 'style' | 'subtitle'>,
  pages: Filled['pages'],
): PageContent[] {
  return pages.map((groups) => ({ subtitle, body: <Groups groups={groups} style={style} /> }));
}

/** Number of pages up to which larger text is tried again. */
const maxPagesToEnlarge = 5;

/** Lays out a list in the largest text that fits on one page, or on as few pages as possible. */
export async function layOutList(
  list: List & {
    /** The QR code of the next event below the list; null for none. */
    readonly code: ReactNode;
    /** A sentence for a list without events. */
    readonly empty: string;
  },
  frame: Frame,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Sheets> {
  const { code, empty, groups, subtitle } = list;
  const sizes = textSizes(frame.paper);
  const [largest = 0, smallest = 0] = [sizes[0], sizes.at(-1)];
  if (groups.length === 0) {
    const body = <p className="sheet-empty">{empty}</p>;
    return { size: largest, pages: [{ subtitle, body }], isReduced: false };
  }
  const texts = groups.flatMap(({ entries }) => entries.map((entry) => entry.name + entry.place));
  return withMeasure(frame, texts.join(''), signal, async (measure) => {
    const codeHeight = (size: number) => {
      const body = measure.render(size, { subtitle, body: code });
      return code === null ? 0 : heightOf(body.firstElementChild as Element);
    };
    const finish = (size: number, { pages, free }: Filled): Sheets => {
      const contents = listContents(list, pages);
      const last = contents.at(-1);
      if (last && free >= codeHeight(size)) {
        contents[contents.length - 1] = {
          ...last,
          body: (
            <>
              {last.body}
              {code}
            </>
          ),
        };
      }
      return { size, pages: contents, isReduced: false };
    };
    const findLargest = async (candidates: readonly number[], maxPages: number) => {
      for (const size of candidates) {
        const filled = await fillPages(list, size, maxPages, measure);
        if (filled && filled.free >= codeHeight(size)) return finish(size, filled);
      }
      return undefined;
    };
    const onePage = await findLargest(sizes, 1);
    if (onePage !== undefined) return onePage;
    const filled = await fillPages(list, smallest, Number.POSITIVE_INFINITY, measure, onProgress);
    const count = filled?.pages.length ?? 0;
    const larger =
      count <= maxPagesToEnlarge ? await findLargest(sizes.slice(0, -1), count) : undefined;
    return larger ?? finish(smallest, filled as Filled);
  });
}
