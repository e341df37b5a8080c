import type { ActionResult } from '../../actions/catalogue.ts';
import type { followActions } from '../../actions/followed.ts';
import { problemMessage } from '../../messages/message.ts';
import { count, datesOf, loadWords, type OutputsOf, table, undoNote, valueText } from './text.ts';

type Found = ActionResult<'follow add'>;
type Listed = ActionResult<'follow list'>['calendars'][number];
type Reading = ActionResult<'follow now'>['calendars'][number];

/** The most events of a preview; `--json` has more. */
const maxRows = 20;

function foundText({ id, name, host, user, events, ...found }: Found): string {
  const { first, last, everyMinutes, shown, timeZone, added = 0, changed = 0 } = found;
  const localDate = datesOf(timeZone);
  const period = first === null ? '' : `, from ${first} to ${last}`;
  const every = everyMinutes === 60 ? 'hour' : count(everyMinutes / 60, 'hour');
  const head = `"${name}" at ${host}: ${count(events, 'event')}${period}; read every ${every}.`;
  if (id !== undefined) {
    const others = changed > 0 ? `, ${count(changed, 'event')} changed` : '';
    return `${head}\n"${user}" follows it now, as number ${id}: ${count(added, 'event')} added${others}.`;
  }
  const rows = shown.slice(0, maxRows).map((event) => {
    const place = event.location === '' ? '' : `, ${event.location}`;
    const mark = event.status === 'cancelled' ? ' (cancelled)' : '';
    return `  ${event.name}, ${localDate(event.date)}${place}${mark}`;
  });
  const rest = shown.length - rows.length;
  const more = rest > 0 ? [`  … and ${count(rest, 'more event')} (--json lists them).`] : [];
  return [head, ...rows, ...more, 'Nothing was stored.'].join('\n');
}

function foundNotes({ leftOut, unreadable }: Found): string[] {
  return [
    ...(leftOut > 0 ? [`Left out by the words: ${count(leftOut, 'event')}.`] : []),
    ...unreadable.map((name) => `Cannot be read and was left out: ${name}`),
  ];
}

/** Lists the questions of a calendar with the commands that answer them. */
function questionsText({ id, missing, isMany, events, values, timeZone }: Listed): string[] {
  const localDate = datesOf(timeZone);
  const [first] = missing;
  const ids = missing.map((event) => event.id).join(' ');
  const many =
    isMany && first
      ? [
          `  ${missing.length} of ${count(events, 'event')} are missing at once since ${localDate(first.since)}; often a calendar shows only a part for a while. Keep them all with "club-events follow answer ${id} --keep ${ids}"; --json lists each.`,
        ]
      : [];
  const single = isMany ? [] : missing;
  return [
    ...many,
    ...single.map(
      (event) =>
        `  ${event.id} ${event.name}, ${localDate(event.date)}: no longer in the calendar since ${localDate(event.since)}; answer with "club-events follow answer ${id} --cancel ${event.id}" or "--keep ${event.id}".`,
    ),
    ...values.map((event) => {
      const [here, theirs] = [event.here, event.theirs].map((value) =>
        value === null || value === '' ? 'empty' : valueText(event.field, value, localDate),
      );
      return `  ${event.id} ${event.name}, ${localDate(event.date)}: ${event.field} is ${here} here and ${theirs} in the calendar; answer with "club-events follow answer ${id} --keep ${event.id}" or "--take ${event.id}".`;
    }),
  ];
}

async function listText(calendars: readonly Listed[]): Promise<string> {
  const word = await loadWords();
  const rows = calendars.map(({ timeZone, ...one }) => {
    const localDate = datesOf(timeZone);
    const time = (at: string | null) => (at === null ? '' : localDate(at));
    const use = { events: one.state, look: 'only look', daysOff: 'days off' }[one.rules.use];
    return [
      ...[String(one.id), one.user, one.name, one.host, String(one.events)],
      ...[use, time(one.goodAt), time(one.nextAt)],
    ];
  });
  const none =
    'No calendar is followed; add one with "club-events follow add ADDRESS --user NAME".';
  const headings = ['ID', 'CLUB', 'NAME', 'HOST', 'EVENTS', 'STATE', 'LAST READ', 'NEXT'];
  const lines = calendars.flatMap((one) => {
    const { failure, unreadable } = one;
    const reason = failure === null ? [] : [`  ${word(problemMessage(failure))}`];
    const bad = unreadable.map((name) => `  Cannot be read, and keeps its last version: ${name}`);
    const all = [...reason, ...bad, ...questionsText(one)];
    return all.length === 0 ? [] : [`${one.id} ${one.name}:`, ...all];
  });
  return [table(headings, rows, none), ...lines].join('\n');
}

async function readingText(calendars: readonly Reading[]): Promise<string> {
  const word = await loadWords();
  if (calendars.length === 0) {
    return 'No calendar was read: there is none, or each was read in the last ten minutes.';
  }
  return calendars
    .map(({ id, name: own, added, changed, failure }) => {
      // Several may have the same name.
      const name = `${id} ${own}`;
      if (failure !== null) return `${name}: ${word(problemMessage(failure))}`;
      if (added + changed === 0) return `${name}: nothing new.`;
      return `${name}: ${count(added, 'event')} added, ${count(changed, 'event')} changed.`;
    })
    .join('\n');
}

const undoNotes = ({ batch }: { readonly batch?: number }) =>
  batch === undefined ? [] : [undoNote(batch)];

/** The outputs of the commands for followed calendars. */
export const followOutputs: OutputsOf<typeof followActions> = {
  'follow add': { toText: foundText, toNotes: foundNotes },
  'follow list': { toText: ({ calendars }) => listText(calendars) },
  'follow now': { toText: ({ calendars }) => readingText(calendars) },
  'follow change': { toText: (calendar) => listText([calendar]) },
  'follow answer': {
    toText: ({ cancelled, kept, taken }) =>
      `Cancelled ${cancelled}, kept ${kept}, taken over ${taken}.`,
    toNotes: undoNotes,
  },
  'follow remove': {
    toText({ name, removed, kept }) {
      const gone = removed > 0 ? ` Removed ${count(removed, 'event')} to come.` : '';
      const stay = kept > 0 ? ` ${count(kept, 'event')} of it stay.` : '';
      return `"${name}" is no longer followed.${gone}${stay}`;
    },
    toNotes: undoNotes,
  },
};
