import type { ReactNode } from 'react';
import { heightOf, slack, withMeasure } from './measure.tsx';
import { type Frame, type PageContent, type Sheets, textSizes } from './paper.tsx';

export type EventFacts = {
  readonly status: string;
  readonly isCancelled: boolean;
  readonly day: string;
  /** Time of day; empty for none, as the other texts. */
  readonly time: string;
  readonly place: string;
  readonly registration: string;
  /** Text in full length, over several pages if necessary. */
  readonly description: string;
  /** The QR code, or the reason for its absence. */
  readonly code: ReactNode;
};

function Facts({ facts }: { readonly facts: EventFacts }) {
  const { status, isCancelled, day, time, place, registration, code } = facts;
  return (
    <div className="sheet-facts">
      <div>
        {status !== '' && <p className="sheet-state">{status}</p>}
        <p className="sheet-when" data-cancelled={isCancelled || undefined}>
          {day}
        </p>
        {time !== '' && <p className="sheet-at">{time}</p>}
        {place !== '' && (
          <p className="sheet-place" dir="auto">
            {place}
          </p>
        )}
        {registration !== '' && <p>{registration}</p>}
      </div>
      {code}
    </div>
  );
}

function EventBody(props: { readonly facts: EventFacts | undefined; readonly text: string }) {
  const { facts, text } = props;
  return (
    <>
      {facts && <Facts facts={facts} />}
      {text !== '' && (
        <p className="sheet-description" dir="auto">
          {text}
        </p>
      )}
    </>
  );
}

/** Returns the number of characters of a text that lie above a limit, in whole lines. */
function charactersAbove(text: Text, limit: number): number {
  const range = document.createRange();
  range.setStart(text, 0);
  let [most, tooMany] = [0, text.length + 1];
  while (tooMany - most > 1) {
    const middle = (most + tooMany) >>> 1;
    range.setEnd(text, middle);
    if (range.getBoundingClientRect().bottom <= limit) most = middle;
    else tooMany = middle;
  }
  return most;
}

/** Lays out the sheet of one event: in the largest text that fits on one page, else in the smallest. */
export function layOutEvent(facts: EventFacts, frame: Frame, signal: AbortSignal): Promise<Sheets> {
  const sizes = [frame.paper === 'a3' ? 28 : 18, ...textSizes(frame.paper)];
  const smallest = sizes.at(-1) ?? 0;
  const { description, day, time, place } = facts;
  return withMeasure(frame, description + day + time + place, signal, async (measure) => {
    const contentOf = (
      shown: EventFacts | undefined,
      text: string,
      hasFoot: boolean,
    ): PageContent => ({ subtitle: '', body: <EventBody facts={shown} text={text} />, hasFoot });
    const fits = (body: Element) =>
      (body.lastElementChild?.getBoundingClientRect().bottom ?? 0) <= bottomOf(body);
    const bottomOf = (body: Element) => body.getBoundingClientRect().top + heightOf(body) - slack;
    for (const size of sizes) {
      const whole = contentOf(facts, description, true);
      if (fits(measure.render(size, whole))) return { size, pages: [whole], isReduced: false };
      await measure.pause();
    }
    const pages: PageContent[] = [];
    for (let rest = description; pages.at(-1)?.hasFoot !== true; ) {
      const shown = pages.length === 0 ? facts : undefined;
      const last = contentOf(shown, rest, true);
      if (rest === '' || fits(measure.render(smallest, last))) {
        pages.push(last);
        break;
      }
      const body = measure.render(smallest, contentOf(shown, rest, false));
      const text = body.querySelector('.sheet-description')?.firstChild as Text | null;
      const count = text === null ? 0 : charactersAbove(text, bottomOf(body));
      // A page without facts takes at least one character, so that the loop ends.
      const taken = shown === undefined ? Math.max(1, count) : count;
      pages.push(contentOf(shown, rest.slice(0, taken), false));
      rest = rest.slice(taken);
      await measure.pause();
    }
    return { size: smallest, pages, isReduced: false };
  });
}
