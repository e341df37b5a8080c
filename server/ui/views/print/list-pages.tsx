import { type Entry, type Group, Groups, type RowStyle } from './entries.tsx';
import { heightOf, type Measure, slack, withMeasure } from './measure.tsx';
import { type Frame, type PageContent, type Sheets, textSizes } from './paper.tsx';

/** Rows to lay out in pages. */
export type List = {
  readonly groups: readonly Group[];
  readonly style: RowStyle;
  readonly subtitle: string;
  /** Returns the title of a group on its further pages. */
  readonly continued: (title: string) => string;
  /** True if the box of the sheet is at the foot of the last page. */
  readonly hasFoot: boolean;
};

/** The groups on each page. */
type Pages = readonly (readonly Group[])[];

/** Rows that are measured at once. */
const rowsPerStep = 20;

/**
 * Fills pages with rows, whole, each below a heading, and leaves room for the foot of the last one.
 * Returns undefined if they need more pages than `maxPages`.
 */
export async function fillPages(
  { groups, style, subtitle, continued, hasFoot }: List,
  size: number,
  maxPages: number,
  measure: Measure,
  onProgress: (share: number) => void = () => undefined,
): Promise<Pages | undefined> {
  const pages: Group[][] = [[]];
  const heightWith = (foot: boolean) =>
    heightOf(measure.render(size, { subtitle, body: null, hasFoot: foot }));
  const footHeight = hasFoot ? heightWith(false) - heightWith(true) : 0;
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
  if (free >= footHeight) return pages;
  return pages.length === maxPages ? undefined : [...pages, []];
}

/** Returns the contents of filled pages. */
export function listContents(
  { style, subtitle, hasFoot }: Pick<List, 'style' | 'subtitle' | 'hasFoot'>,
  pages: Pages,
): PageContent[] {
  return pages.map((groups, index) => ({
    subtitle,
    body: <Groups groups={groups} style={style} />,
    hasFoot: hasFoot && index === pages.length - 1,
  }));
}

/** Number of pages up to which larger text is tried again. */
const maxPagesToEnlarge = 5;

/** Lays out a list in the largest text that fits on one page, or on as few pages as possible. */
export async function layOutList(
  input: Omit<List, 'hasFoot'> & {
    /** A sentence for a list without events. */
    readonly empty: string;
  },
  frame: Frame,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Sheets> {
  const { empty, groups, subtitle } = input;
  const list: List = { ...input, hasFoot: frame.foot !== null };
  const sizes = textSizes(frame.paper);
  const [largest = 0, smallest = 0] = [sizes[0], sizes.at(-1)];
  if (groups.length === 0) {
    const body = <p className="sheet-empty">{empty}</p>;
    return { size: largest, pages: [{ subtitle, body, hasFoot: true }], isReduced: false };
  }
  const texts = groups.flatMap(({ entries }) => entries.map((entry) => entry.name + entry.place));
  return withMeasure(frame, texts.join(''), signal, async (measure) => {
    const finish = (size: number, pages: Pages): Sheets => ({
      size,
      pages: listContents(list, pages),
      isReduced: false,
    });
    const findLargest = async (candidates: readonly number[], maxPages: number) => {
      for (const size of candidates) {
        const pages = await fillPages(list, size, maxPages, measure);
        if (pages) return finish(size, pages);
      }
      return undefined;
    };
    const onePage = await findLargest(sizes, 1);
    if (onePage !== undefined) return onePage;
    const pages = await fillPages(list, smallest, Number.POSITIVE_INFINITY, measure, onProgress);
    const count = pages?.length ?? 0;
    const larger =
      count <= maxPagesToEnlarge ? await findLargest(sizes.slice(0, -1), count) : undefined;
    return larger ?? finish(smallest, pages ?? []);
  });
}
