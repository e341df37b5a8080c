import type { Day } from '../../../dates/days.ts';
import { softHyphens } from '../../base/hyphens.ts';
import { TypeMark } from '../../base/type-mark.tsx';
import type { Entry } from './entries.tsx';
import { fillPages, type List, listContents } from './list-pages.tsx';
import { heightOf, type Measure, slack, withMeasure } from './measure.tsx';
import { type Cell, planMonth, shareHeight } from './month-plan.ts';
import {
  type Frame,
  lineHeight,
  type PageContent,
  pageSize,
  type Sheets,
  textSizes,
} from './paper.tsx';

/** A month with its events. */
type Month = {
  readonly day: Day;
  readonly title: string;
  readonly entries: readonly Entry[];
};

/** A month on its page; it `hasFoot` if the box of the sheet is at its foot. */
type PlannedMonth = Month & { readonly hasFoot: boolean };

/** Details below the name of an event. */
type Details = { readonly places: boolean; readonly notes: boolean };

/** A cell with the number of its events that it shows; the others are on the next page. */
type DayCell = Cell<Entry> & { readonly shown: number };

type Weeks = readonly (readonly DayCell[])[];

type Months = {
  readonly months: readonly Month[];
  /** Details to show if there is room. */
  readonly details: Details;
  readonly weekStart: number;
  readonly weekdays: readonly string[];
  /** Returns the name of the holiday of a day; empty for an ordinary one. */
  readonly holidayOn: (day: Day) => string;
  /** The style of the list of events that do not fit, and its title. */
  readonly style: List['style'];
  readonly continued: List['continued'];
  readonly more: (count: number) => string;
  readonly moreNote: string;
};

function DayEntry(props: {
  readonly entry: Entry;
  readonly details: Details;
  readonly hasMarks: boolean;
}) {
  const { entry, details, hasMarks } = props;
  const { time, name, status, place, note, isCancelled, type } = entry;
  const hasMark = hasMarks && type !== null;
  return (
    <li>
      {(time !== '' || hasMark) && (
        <span className="sheet-time">
          {hasMark && <TypeMark type={type} />} {time}
        </span>
      )}
      <b dir="auto" data-cancelled={isCancelled || undefined}>
        {softHyphens(name)}
      </b>
      {status !== '' && <span>{status}</span>}
      {details.places && !isCancelled && place !== '' && (
        <span dir="auto">{softHyphens(place)}</span>
      )}
      {details.notes && note !== '' && <span dir="auto">{softHyphens(note)}</span>}
    </li>
  );
}

/** A month as a calendar. Without heights, rows are as high as their content. */
function MonthTable(props: {
  readonly input: Months;
  readonly weeks: Weeks;
  readonly details: Details;
  readonly heights?: readonly number[];
  /** True if words that do not fit stick out, false if they are broken. */
  readonly keepsWords?: boolean;
}) {
  const { input, weeks, details, heights, keepsWords } = props;
  return (
    <table className="sheet-grid" data-keeps-words={keepsWords || undefined}>
      <thead>
        <tr>
          {input.weekdays.map((weekday) => (
            <th key={weekday} scope="col">
              {weekday}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((cells, week) => (
          <tr key={cells.map(({ label }) => label).join()} style={{ height: heights?.[week] }}>
            {cells.map(({ label, entries, shown, off }, weekday) => (
              <td key={input.weekdays[weekday]} data-off={off === '' ? undefined : true}>
                <p className="sheet-date">{label}</p>
                {/* Once a week, as in the calendar on the screen. */}
                {off !== '' && off !== cells[weekday - 1]?.off && (
                  <p className="sheet-off" dir="auto">
                    {softHyphens(off)}
                  </p>
                )}
                {shown > 0 && (
                  <ul>
                    {entries.slice(0, shown).map((entry) => (
                      <DayEntry
                        key={entry.id}
                        entry={entry}
                        details={details}
                        hasMarks={input.style.hasMarks}
                      />
                    ))}
                  </ul>
                )}
                {shown < entries.length && (
                  <p className="sheet-more">{input.more(entries.length - shown)}</p>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Size in points up to which a word without hyphens, such as an address, may be broken anywhere. */
const maxSizeOfBrokenWords = 12;

type Fit = {
  readonly rows: readonly HTMLTableRowElement[];
  readonly needed: readonly number[];
  /** Height for all rows, in pixels. */
  readonly available: number;
  readonly fits: boolean;
};

function measureMonth(
  input: Months,
  month: PlannedMonth,
  weeks: Weeks,
  size: number,
  details: Details,
  measure: Measure,
  keepsWords = size > maxSizeOfBrokenWords,
): Fit {
  const table = (
    <MonthTable input={input} weeks={weeks} details={details} keepsWords={keepsWords} />
  );
  const { title: subtitle, hasFoot } = month;
  const body = measure.render(size, { subtitle, body: table, hasFoot });
  const rows = Array.from(body.querySelectorAll<HTMLTableRowElement>('tbody tr'));
  const needed = rows.map(heightOf);
  const head = heightOf(body.querySelector('thead') as Element);
  const available = heightOf(body) - head - slack;
  const isWhole = needed.reduce((sum, height) => sum + height, 0) <= available;
  const breaksWords =
    keepsWords &&
    Array.from(body.querySelectorAll('td')).some((cell) => cell.scrollWidth > cell.clientWidth);
  return { rows, needed, available, fits: isWhole && !breaksWords };
}

/** Events of a day that are measured; on no paper is there room for more. */
const maxShown = 40;

const withShown = (weeks: readonly (readonly Cell<Entry>[])[]): Weeks =>
  weeks.map((cells) =>
    cells.map((cell) => ({ ...cell, shown: Math.min(maxShown, cell.entries.length) })),
  );

/** Returns the height in points that the weeks need at least: a line for each event and each date. */
function leastHeight(weeks: Weeks, size: number): number {
  const lines = weeks.map((cells) => Math.max(...cells.map(({ entries }) => entries.length + 1)));
  return lines.reduce((sum, count) => sum + count, 0) * size * lineHeight;
}

/** Leaves out the events for which there is no room, and returns them beside the rest. */
function cutWeeks(
  weeks: Weeks,
  { rows, needed, available }: Fit,
): { readonly weeks: Weeks; readonly cut: readonly Entry[] } {
  const cut: Entry[] = [];
  const heights = shareHeight(needed, available);
  const cutCell = (cell: DayCell, row: HTMLTableRowElement, column: number, height: number) => {
    const td = row.cells[column] as HTMLTableCellElement;
    const date = td.querySelector('.sheet-date') as Element;
    const { top } = td.getBoundingClientRect();
    const room = height - Number.parseFloat(getComputedStyle(td).paddingBottom);
    const bottoms = Array.from(
      td.querySelectorAll('li'),
      (item) => item.getBoundingClientRect().bottom - top,
    );
    const isWhole = cell.shown === cell.entries.length;
    if (isWhole && (bottoms.at(-1) ?? 0) <= room) return cell;
    // The line with the number of the rest is as high as that of the date.
    const shown = bottoms.filter((bottom) => bottom + heightOf(date) <= room).length;
    cut.push(...cell.entries.slice(shown));
    return { ...cell, shown };
  };
  const left = weeks.map((cells, week) =>
    cells.map((cell, column) =>
      cutCell(cell, rows[week] as HTMLTableRowElement, column, heights[week] ?? 0),
    ),
  );
  return { weeks: left, cut };
}

/**
 * Lays out one page for each month, and pages for the events that do not fit in their day. The box
 * of the sheet is on the last page, and on one of its own if events would have to give way to it.
 */
export async function layOutMonths(
  input: Months,
  frame: Frame,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Sheets> {
  const sizes = textSizes(frame.paper);
  const smallest = sizes.at(-1) ?? 0;
  const maxHeight = (pageSize(frame).height / 25.4) * 72;
  const planned = input.months.map((month, index) => ({
    month: { ...month, hasFoot: index === input.months.length - 1 },
    weeks: withShown(planMonth(month.entries, month.day, input.weekStart, input.holidayOn)),
  }));
  const busiestFirst = planned.toSorted(
    (one, other) => other.month.entries.length - one.month.entries.length,
  );
  const texts = input.months.flatMap(({ entries }) => entries.map((entry) => entry.name));
  return withMeasure(frame, texts.join(''), signal, async (measure) => {
    const fitsAll = async (
      size: number,
      details: Details,
      { hasBox, keepsWords }: { readonly hasBox: boolean; readonly keepsWords: boolean },
    ) => {
      for (const { month, weeks } of busiestFirst) {
        if (leastHeight(weeks, size) > maxHeight) return false;
        const shown = { ...month, hasFoot: hasBox && month.hasFoot };
        const fit = measureMonth(input, shown, weeks, size, details, measure, keepsWords);
        if (!fit.fits) return false;
        await measure.pause();
      }
      return true;
    };
    const findFit = async (hasBox: boolean) => {
      const { places } = input.details;
      const choices = [input.details, { places, notes: false }, { places: false, notes: false }];
      for (const [index, details] of choices.entries()) {
        const before = choices[index - 1];
        if (before?.places === details.places && before.notes === details.notes) continue;
        for (const keepsWords of [true, false]) {
          for (const size of sizes) {
            if (!keepsWords && size > maxSizeOfBrokenWords) continue;
            if (await fitsAll(size, details, { hasBox, keepsWords })) return { size, details };
          }
        }
      }
      return undefined;
    };
    const withoutBox = async () => (frame.foot === null ? undefined : await findFit(false));
    const none = { size: smallest, details: { places: false, notes: false } };
    const { size, details } = (await findFit(true)) ?? (await withoutBox()) ?? none;
    const pages: PageContent[] = [];
    const cutMonth = (month: PlannedMonth, weeks: Weeks) => {
      const fit = measureMonth(input, month, weeks, size, details, measure);
      return { month, fit, ...cutWeeks(weeks, fit) };
    };
    for (const [index, { month: ofMonth, weeks }] of planned.entries()) {
      const whole = cutMonth(ofMonth, weeks);
      const hasBoxAfter = frame.foot !== null && ofMonth.hasFoot && whole.cut.length > 0;
      const laidOut = hasBoxAfter ? cutMonth({ ...ofMonth, hasFoot: false }, weeks) : whole;
      const { month, fit, weeks: shown, cut } = laidOut;
      // The other weeks get the room of events that are left out.
      const { needed } = measureMonth(input, month, shown, size, details, measure);
      const heights = shareHeight(needed, fit.available);
      pages.push({
        subtitle: month.title,
        body: <MonthTable input={input} weeks={shown} details={details} heights={heights} />,
        note: cut.length > 0 ? input.moreNote : undefined,
        hasFoot: month.hasFoot,
      });
      if (cut.length > 0) {
        const title = input.continued(month.title);
        const groups = [{ title, entries: cut }];
        const list = {
          groups,
          style: input.style,
          subtitle: month.title,
          continued: () => title,
          hasFoot: hasBoxAfter,
        };
        const filled = await fillPages(list, size, Number.POSITIVE_INFINITY, measure);
        pages.push(...listContents(list, filled ?? []));
      } else if (hasBoxAfter) pages.push({ subtitle: month.title, body: null, hasFoot: true });
      onProgress((index + 1) / planned.length);
      await measure.pause();
    }
    const isReduced =
      details.places !== input.details.places || details.notes !== input.details.notes;
    return { size, pages, isReduced };
  });
}
