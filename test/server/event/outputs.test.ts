import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import {
  type ActionName,
  type ActionResult,
  catalogue,
} from '../../../server/actions/catalogue.ts';
import { commandOutputs } from '../../../server/cli/results/results.ts';
import { type ActionTools, thisMachine } from '../../../server/club/tools.ts';
import { dayMs } from '../../../server/dates/units.ts';
import { zoneNamed } from '../../../server/dates/zone.ts';
import { listUnannounced } from '../../../server/event/announced.ts';
import { valuesOfFields } from '../../../server/event/changes.ts';
import { createEventTimes } from '../../../server/event/times.ts';
import { writeChanges } from '../../../server/event/write-message.ts';
import type { Event } from '../../../server/http/contract.ts';
import { message } from '../../../server/messages/message.ts';
import { startTexts } from '../../../server/ui/base/i18n.ts';
import { stateAfter } from '../../../server/ui/data/announced.ts';
import { changedEvent } from '../../../server/ui/data/changed-event.ts';
import { createChangeWords } from '../../../server/ui/manage/parts/change-words.ts';
import { createMonths } from '../../../server/ui/views/print/entries.tsx';
import { sharedBrowser } from '../../support/browser.ts';
import { makeTestFolder, makeTestHome } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { readOnce } from '../../support/patience.ts';
import { callTool, connectAssistant } from '../mcp/assistant.ts';

const clock = zoneNamed('Europe/Berlin');

// Each way in which the program tells of a change crossed with each kind of change.

const user = 'Rovers';
const language = 'en';
const wording = { clock, tag: 'en-GB', here: new Intl.DateTimeFormat().resolvedOptions().timeZone };
const today = '2026-11-28';

beforeAll(() => {
  vi.stubGlobal('navigator', { languages: ['en-GB', 'de-DE'] });
  startTexts();
});
// Other files of this worker share the page's modules.
afterAll(() => {
  vi.unstubAllGlobals();
});

/** Opens a club whose members know everything until `change` is called. */
async function openClub() {
  const home = makeTestHome();
  let at = Date.parse(`${today}T11:00:00Z`) - 10 * dayMs;
  const tools = {
    ...thisMachine,
    home,
    now: () => new Date(at),
    systemTimeZone: () => 'Europe/Berlin',
  } as ActionTools;
  const run = <Name extends ActionName>(
    name: Name,
    args: object = {},
    write: (piece: string | Uint8Array) => unknown = () => undefined,
  ) =>
    catalogue[name].perform(args, {
      ...tools,
      write: async (piece) => void write(piece),
    }) as Promise<ActionResult<Name>>;
  await run('user add', { name: user, zone: 'Europe/Berlin' });
  return {
    home,
    run,
    /** Lets ten days pass, after which members know everything. */
    async tell() {
      at += 10 * dayMs;
      const read = await run('message read', { user });
      await run('message store', {
        user,
        announced: stateAfter(read, { language, unannounced: new Set() }),
      });
      at += dayMs / 24;
    },
  };
}

type Club = Awaited<ReturnType<typeof openClub>>;

async function readEvents({ run }: Club): Promise<ReadonlyMap<number, Event>> {
  const pieces: (string | Uint8Array)[] = [];
  await run('export', { user, format: 'json' }, (piece) => pieces.push(piece));
  const { events } = JSON.parse(pieces.join('')) as { events: Event[] };
  return new Map(events.map((event) => [event.id, event]));
}

/** Returns the lines of an item of the page for members, without the map. */
function itemsOf(html: string): string[] {
  const items = html.split('<li id=').slice(1);
  return items.map((item) =>
    (item.split('</li>')[0] ?? '')
      .replace(/^[^>]*>/, '')
      .replace(/ <a [^>]*class="map".*?<\/a>/g, '')
      .replace(/<\/(?:p|time)>/g, ' | ')
      .replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .replace(/(?: \|)+ *$/, '')
      .trim(),
  );
}

// The description is that of the interface, so that an import of the file gives the same event.
const calendarLines = /^(?:DTSTART|DTEND|SUMMARY:Cancelled|STATUS)/;

const browser = sharedBrowser();

/** Returns the words of the board three days before an event, without the weeks it looks ahead. */
async function readBoard(html: string, date: string): Promise<string> {
  const path = join(makeTestFolder(), 'club.html');
  writeFileSync(path, html);
  const context = await browser.current.newContext({ locale: 'en-GB' });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.clock.setFixedTime(Date.parse(date) - 3 * dayMs);
  await page.goto(`${pathToFileURL(path).href}?board`);
  await page.locator('.board-hero').waitFor();
  const parts = page.locator('.board-hero p, .board-hero h2, .board-rows li');
  const texts = await readOnce(parts.allInnerTexts());
  return texts.map((text) => text.replaceAll(/\s+/g, ' ')).join(' | ');
}

/** Returns what every feature says about the last change of the event. */
async function collectOutputs(club: Club, known: ReadonlyMap<number, Event>) {
  const { home, run } = club;
  const events = await readEvents(club);
  const announced = await run('message read', { user });
  const now = new Date(`${today}T11:00:00Z`);
  const unannounced = listUnannounced(clock, announced.before, events, now);
  const words = createChangeWords(clock, language);
  const id = unannounced[0]?.event.id ?? [...events.keys()].at(-1) ?? 0;
  const [before, after] = [known.get(id), events.get(id) as Event];
  const notice = words.describeEvent({ ...(before && { before }), after });
  const history = await run('history', { user });
  const { timeZone } = history;
  const change = history.history[0]?.change;
  const fields = change?.fields ?? [];
  const date = change?.date ?? after.date;
  const folder = makeTestFolder();
  const publish = async (format: 'html' | 'ics') => {
    const output = join(folder, `club.${format}`);
    await run('publish add', { user, format, output, language: 'en-GB' });
    return readFileSync(output, 'utf8');
  };
  const row = {
    ...{ kind: 'changed', place: message('place:row', { row: 2 }), id, note: '' },
    ...after,
    changes: fields.map(({ field, before: from, after: to }) => ({ field, from, to })),
  };
  const counts = { added: 0, moved: 0, changed: 1, unchanged: 0, skipped: 0, kept: 0, missing: 0 };
  const file = { file: 'f', ...counts, ignored: [], notes: [], rows: [row], missingEvents: [] };
  const proposal = {
    ...{ id: 'p', kind: 'change', sender: 'Tom', sentAt: now.toISOString(), note: null },
    ...{ state: 'open', changes: fields, current: after, rivals: [], since: [], warnings: [] },
    event: { id, name: change?.name ?? '', date },
  };
  const client = await connectAssistant(home, { zone: timeZone });
  const { content } = await callTool(client, 'get_event', { id });
  const {
    localDate,
    wholeDay = false,
    localEnd = null,
  } = content['event'] as Readonly<Record<string, unknown>>;
  const [month] = createMonths(clock, language)([after]);
  const entry = month?.entries[0];
  const html = await publish('html');
  const page = itemsOf(html);
  const calendar = (await publish('ics')).replaceAll('\r\n ', '').split('\r\n');
  const own = calendar.slice(
    calendar.findLastIndex(
      (line, index) =>
        line === 'BEGIN:VEVENT' && index < calendar.indexOf(`X-CLUB-EVENTS-ID:${id}`),
    ),
    calendar.indexOf(`X-CLUB-EVENTS-ID:${id}`),
  );
  const letter = writeChanges(wording, unannounced, { club: user, team: '', link: null, today });
  return {
    one: notice.message?.replaceAll('\n', ' | '),
    all: letter.split('\n').slice(2).join(' | '),
    notice: notice.text,
    history:
      change === null || change === undefined
        ? words.describeCommon(history.history[0]?.common as never, events.size)
        : valuesOfFields(fields, date, clock).map(words.describeValue).join(', '),
    print: [entry?.weekday, entry?.date, entry?.time, entry?.status, entry?.note].join(' | '),
    page: page.find((item) => item.includes(after.name)),
    board: await readBoard(html, after.date),
    calendar: own.filter((line) => calendarLines.test(line)).join(' | '),
    preview: createEventTimes(wording, 'weekdayAndDay').line(after, today),
    importPreview: String(
      await commandOutputs.import.toText({ files: [file], dryRun: false, timeZone } as never),
    ).split(`${after.name}: `)[1],
    proposal: String(
      await commandOutputs['proposal review'].toText({
        ...{ proposals: [proposal], unreadable: [], timeZone },
      } as never),
    )
      .split('\n')[0]
      ?.replace(/^p +/, ''),
    assistant: JSON.stringify({ localDate, wholeDay, localEnd }),
    historyOfCommands: String(await commandOutputs.history.toText(history))
      .split('\n')[1]
      ?.replace(/^.*\d {2,}(?=\S*\D)/, ''),
    command: String(commandOutputs['event edit'].toText({ event: after, timeZone } as never))
      .split('\n')
      .filter((line) => /^(?:date|end|description|status)/.test(line))
      .map((line) => line.replace(/ {2,}/, ' '))
      .join(' | '),
  };
}

const gala = { name: 'Gala', date: '2027-02-20T19:00', location: 'Town Hall' };

type Case = {
  readonly begin: (club: Club) => Promise<unknown>;
  readonly change: (club: Club) => Promise<unknown>;
};

const add =
  (event: object, more: object = {}) =>
  (club: Club) =>
    club.run('event add', { user, event, ...more });
const edit =
  (changes: object, more: object = {}) =>
  (club: Club) =>
    club.run('event edit', { user, id: 1, changes, ...more });
const cancel = (reason: string) => (club: Club) =>
  club.run('event cancel', { user, id: 1, reason });

const cases: Readonly<Record<string, Case>> = {
  'an end': { begin: add(gala, { end: '23:00' }), change: edit({}, { end: '22:00' }) },
  'several days': {
    begin: add({ ...gala, name: 'Camp', date: '2027-04-09' }, { end: '2027-04-11' }),
    change: edit({}, { end: '2027-04-12' }),
  },
  'a note of two lines': {
    begin: add({ ...gala, description: 'Bring shoes\nBus at 8' }, { end: '23:00' }),
    change: edit({ description: 'Until 23:00\nBring shoes\nBus at 9' }),
  },
  'a reason': { begin: add(gala, { end: '23:00' }), change: cancel('Hall flooded') },
  'a reason above a note': {
    begin: add({ ...gala, description: 'Bring shoes' }),
    change: cancel('Hall flooded'),
  },
  'no reason': { begin: add({ ...gala, description: 'Bring shoes' }), change: cancel('') },
  'a series': {
    begin: async () => undefined,
    change: add(
      { name: 'Yoga', date: '2026-11-30T18:00', location: 'Gym' },
      { repeat: 'every Monday until 1 March 2027', end: '19:30' },
    ),
  },
  'an event that takes place after all': {
    async begin(club) {
      await add(gala, { end: '23:00' })(club);
      await cancel('Hall flooded')(club);
    },
    change: edit({ status: 'active' }),
  },
  'a whole day': {
    begin: add({ ...gala, date: '2027-07-04' }),
    change: edit({ date: '2027-07-05' }),
  },
  'an event that moves with its end': {
    begin: add(gala, { end: '23:00' }),
    change: edit({ date: '2027-02-21T18:00' }),
  },
  'another language': {
    begin: add(gala, { end: '23:00', language: 'de' }),
    change: edit({ location: 'Gym' }),
  },
};

/** The words of each output, by case. */
const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'an end': {
    one: 'Moved: Gala | Saturday 20 February 2027, 19:00–23:00 → Saturday 20 February 2027, 19:00–22:00 | Town Hall',
    all: 'Moved | • Gala: Saturday 20 February 2027, 19:00–22:00 (was Saturday 20 February 2027, 19:00–23:00), Town Hall',
    notice: 'Ends: 23:00 → 22:00',
    history: 'Ends: 23:00 → 22:00',
    print: 'Sat | 20 | 19:00–22:00 |  | ',
    page: 'Sat 20 19:00–22:00 | Moved | Gala | Town Hall | Saturday, 19:00–23:00 → 19:00–22:00, changed on Saturday',
    board: 'in 3 days | Saturday 20 February, 19:00–22:00 | Gala | Town Hall',
    calendar:
      'DTSTART;TZID=Europe/Berlin:20270220T190000 | DTEND;TZID=Europe/Berlin:20270220T220000 | STATUS:CONFIRMED',
    preview: 'Sat 20 Feb 2027, 19:00–22:00 · Town Hall',
    importPreview: 'end 23:00 → 22:00',
    proposal: 'Gala (1), Sat 20 Feb 2027, 19:00: end 23:00 → 22:00',
    assistant:
      '{"localDate":"Sat 20 Feb 2027 19:00","wholeDay":false,"localEnd":"Sat 20 Feb 2027 22:00"}',
    historyOfCommands: 'Gala: end 23:00 → 22:00',
    command: 'date Sat 20 Feb 2027, 19:00 | end Sat 20 Feb 2027, 22:00 | status active',
  },
  'several days': {
    one: 'Moved: Camp | Friday 9 to Sunday 11 April 2027 → Friday 9 to Monday 12 April 2027 | Town Hall',
    all: 'Moved | • Camp: Friday 9 to Monday 12 April 2027 (was Friday 9 to Sunday 11 April 2027), Town Hall',
    notice: 'Ends: Sun 11 Apr 2027 → Mon 12 Apr 2027',
    history: 'Ends: Sun 11 Apr 2027 → Mon 12 Apr 2027',
    print: 'Fri | 9–12 |  |  | Until Mon 12 April',
    page: 'Fri 9 | Moved | Camp | Until Mon 12 April | Town Hall | Fri 9 Apr – Sun 11 Apr → Fri 9 Apr – Mon 12 Apr, changed on Saturday',
    board: 'in 3 days | Friday 9 April | Camp | Until Mon 12 April · Town Hall',
    calendar: 'DTSTART;VALUE=DATE:20270409 | DTEND;VALUE=DATE:20270413 | STATUS:CONFIRMED',
    preview: 'Fri 9 to Mon 12 Apr 2027 · Town Hall',
    importPreview: 'end Sun 11 Apr 2027 → Mon 12 Apr 2027',
    proposal: 'Camp (1), Fri 9 Apr 2027: end Sun 11 Apr 2027 → Mon 12 Apr 2027',
    assistant: '{"localDate":"Fri 9 Apr 2027","wholeDay":true,"localEnd":"Mon 12 Apr 2027"}',
    historyOfCommands: 'Camp: end Sun 11 Apr 2027 → Mon 12 Apr 2027',
    command: 'date Fri 9 Apr 2027 | end Mon 12 Apr 2027 | status active',
  },
  'a note of two lines': {
    one: 'Changed: Gala | Saturday 20 February 2027, 19:00–23:00 | Town Hall | Bring shoes | Bus at 9',
    all: 'Changed | • Gala: Saturday 20 February 2027, 19:00–23:00, Town Hall, Bus at 9',
    notice: 'new note',
    history: 'new note',
    print: 'Sat | 20 | 19:00–23:00 |  | Bring shoes · Bus at 9',
    page: 'Sat 20 19:00–23:00 | Gala | Town Hall | Bring shoes Bus at 9',
    board: 'in 3 days | Saturday 20 February, 19:00–23:00 | Gala | Town Hall',
    calendar:
      'DTSTART;TZID=Europe/Berlin:20270220T190000 | DTEND;TZID=Europe/Berlin:20270220T230000 | STATUS:CONFIRMED',
    preview: 'Sat 20 Feb 2027, 19:00–23:00 · Town Hall',
    importPreview: 'note "Bring shoes\\nBus at 8" → "Bring shoes\\nBus at 9"',
    proposal:
      'Gala (1), Sat 20 Feb 2027, 19:00: note "Bring shoes\\nBus at 8" → "Bring shoes\\nBus at 9"',
    assistant:
      '{"localDate":"Sat 20 Feb 2027 19:00","wholeDay":false,"localEnd":"Sat 20 Feb 2027 23:00"}',
    historyOfCommands: 'Gala: note "Bring shoes\\nBus at 8" → "Bring shoes\\nBus at 9"',
    command:
      'date Sat 20 Feb 2027, 19:00 | end Sat 20 Feb 2027, 23:00 | description Bring shoes | status active',
  },
  'a reason': {
    one: 'Cancelled: Gala | Saturday 20 February 2027, 19:00–23:00 | Town Hall | Hall flooded',
    all: 'Cancelled | • Gala, Saturday 20 February 2027: Hall flooded',
    notice: 'Planned → Cancelled, Hall flooded',
    history: 'Planned → Cancelled, Hall flooded',
    print: 'Sat | 20 | 19:00–23:00 | Cancelled | Hall flooded',
    page: 'Sat 20 19:00–23:00 | Cancelled | Gala | Town Hall | Hall flooded',
    board: 'Nothing planned in the next eight weeks | Sat 20 19:00 Gala Town Hall Cancelled',
    calendar:
      'DTSTART;TZID=Europe/Berlin:20270220T190000 | DTEND;TZID=Europe/Berlin:20270220T230000 | SUMMARY:Cancelled: Gala | STATUS:CONFIRMED',
    preview: 'Cancelled · Sat 20 Feb 2027, 19:00–23:00 · Town Hall',
    importPreview: 'cancelled; reason "Hall flooded"',
    proposal: 'Gala (1), Sat 20 Feb 2027, 19:00: cancelled; reason "Hall flooded"',
    assistant:
      '{"localDate":"Sat 20 Feb 2027 19:00","wholeDay":false,"localEnd":"Sat 20 Feb 2027 23:00"}',
    historyOfCommands: 'Gala: cancelled; reason "Hall flooded"',
    command:
      'date Sat 20 Feb 2027, 19:00 | end Sat 20 Feb 2027, 23:00 | description Hall flooded | status cancelled',
  },
  'a reason above a note': {
    one: 'Cancelled: Gala | Saturday 20 February 2027, 19:00 | Town Hall | Hall flooded',
    all: 'Cancelled | • Gala, Saturday 20 February 2027: Hall flooded',
    notice: 'Planned → Cancelled, Hall flooded',
    history: 'Planned → Cancelled, Hall flooded',
    print: 'Sat | 20 | 19:00 | Cancelled | Hall flooded · Bring shoes',
    page: 'Sat 20 19:00 | Cancelled | Gala | Town Hall | Hall flooded Bring shoes',
    board: 'Nothing planned in the next eight weeks | Sat 20 19:00 Gala Town Hall Cancelled',
    calendar:
      'DTSTART;TZID=Europe/Berlin:20270220T190000 | DTEND;TZID=Europe/Berlin:20270220T210000 | SUMMARY:Cancelled: Gala | STATUS:CONFIRMED',
    preview: 'Cancelled · Sat 20 Feb 2027, 19:00 · Town Hall',
    importPreview: 'cancelled; reason "Hall flooded"',
    proposal: 'Gala (1), Sat 20 Feb 2027, 19:00: cancelled; reason "Hall flooded"',
    assistant: '{"localDate":"Sat 20 Feb 2027 19:00","wholeDay":false,"localEnd":null}',
    historyOfCommands: 'Gala: cancelled; reason "Hall flooded"',
    command: 'date Sat 20 Feb 2027, 19:00 | description Hall flooded | status cancelled',
  },
  'no reason': {
    one: 'Cancelled: Gala | Saturday 20 February 2027, 19:00 | Town Hall',
    all: 'Cancelled | • Gala, Saturday 20 February 2027',
    notice: 'Planned → Cancelled',
    history: 'Planned → Cancelled',
    print: 'Sat | 20 | 19:00 | Cancelled | Bring shoes',
    page: 'Sat 20 19:00 | Cancelled | Gala | Town Hall | Bring shoes',
    board: 'Nothing planned in the next eight weeks | Sat 20 19:00 Gala Town Hall Cancelled',
    calendar:
      'DTSTART;TZID=Europe/Berlin:20270220T190000 | DTEND;TZID=Europe/Berlin:20270220T210000 | SUMMARY:Cancelled: Gala | STATUS:CONFIRMED',
    preview: 'Cancelled · Sat 20 Feb 2027, 19:00 · Town Hall',
    importPreview: 'cancelled',
    proposal: 'Gala (1), Sat 20 Feb 2027, 19:00: cancelled',
    assistant: '{"localDate":"Sat 20 Feb 2027 19:00","wholeDay":false,"localEnd":null}',
    historyOfCommands: 'Gala: cancelled',
    command: 'date Sat 20 Feb 2027, 19:00 | description Bring shoes | status cancelled',
  },
  'a series': {
    one: 'New: Yoga | Monday 30 November 2026, 18:00–19:30 | Gym',
    all: 'New | • Yoga: Mondays 18:00–19:30, 30 November 2026 to 1 March 2027, 14 dates, Gym',
    notice: 'added, Mon 30 Nov, 18:00–19:30',
    history: '14 events added',
    print: 'Mon | 30 | 18:00–19:30 |  | ',
    page: 'Mon 30 18:00–19:30 | Yoga | Gym',
    board:
      'in 3 days | Monday 30 November, 18:00–19:30 | Yoga | Gym | Mon 7 December 18:00 Yoga Gym | Mon 14 December 18:00 Yoga Gym | Mon 21 December 18:00 Yoga Gym | Mon 28 December 18:00 Yoga Gym | Mon 4 January 18:00 Yoga Gym',
    calendar:
      'DTSTART;TZID=Europe/Berlin:20261130T180000 | DTEND;TZID=Europe/Berlin:20261130T193000 | STATUS:CONFIRMED',
    preview: 'Mon 30 Nov, 18:00–19:30 · Gym',
    assistant:
      '{"localDate":"Mon 30 Nov 2026 18:00","wholeDay":false,"localEnd":"Mon 30 Nov 2026 19:30"}',
    historyOfCommands: '14 events added',
    command: 'date Mon 30 Nov 2026, 18:00 | end Mon 30 Nov 2026, 19:30 | status active',
  },
  'an event that takes place after all': {
    one: 'Takes place after all: Gala | Saturday 20 February 2027, 19:00–23:00 | Town Hall',
    all: 'New | • Gala: Saturday 20 February 2027, 19:00–23:00, Town Hall, Takes place after all',
    notice: 'Cancelled → Planned',
    history: 'Cancelled → Planned',
    print: 'Sat | 20 | 19:00–23:00 |  | ',
    page: 'Sat 20 19:00–23:00 | Gala | Town Hall',
    board: 'in 3 days | Saturday 20 February, 19:00–23:00 | Gala | Town Hall',
    calendar:
      'DTSTART;TZID=Europe/Berlin:20270220T190000 | DTEND;TZID=Europe/Berlin:20270220T230000 | STATUS:CONFIRMED',
    preview: 'Sat 20 Feb 2027, 19:00–23:00 · Town Hall',
    importPreview: 'status "cancelled" → "active"',
    proposal: 'Gala (1), Sat 20 Feb 2027, 19:00: status "cancelled" → "active"',
    assistant:
      '{"localDate":"Sat 20 Feb 2027 19:00","wholeDay":false,"localEnd":"Sat 20 Feb 2027 23:00"}',
    historyOfCommands: 'Gala: status "cancelled" → "active"',
    command: 'date Sat 20 Feb 2027, 19:00 | end Sat 20 Feb 2027, 23:00 | status active',
  },
  'a whole day': {
    one: 'Moved: Gala | Sunday 4 July 2027 → Monday 5 July 2027 | Town Hall',
    all: 'Moved | • Gala: Monday 5 July 2027 (was Sunday 4 July 2027), Town Hall',
    notice: 'Sun 4 Jul 2027 → Mon 5 Jul 2027',
    history: 'Sun 4 Jul 2027 → Mon 5 Jul 2027',
    print: 'Mon | 5 |  |  | ',
    page: 'Mon 5 | Moved | Gala | Town Hall | Sun 4 Jul → Mon 5 Jul, changed on Saturday',
    board: 'in 3 days | Monday 5 July | Gala | Town Hall',
    calendar: 'DTSTART;VALUE=DATE:20270705 | STATUS:CONFIRMED',
    preview: 'Mon 5 Jul 2027 · Town Hall',
    importPreview: 'date Sun 4 Jul 2027 → Mon 5 Jul 2027',
    proposal: 'Gala (1), Sun 4 Jul 2027: date Sun 4 Jul 2027 → Mon 5 Jul 2027',
    assistant: '{"localDate":"Mon 5 Jul 2027","wholeDay":true,"localEnd":null}',
    historyOfCommands: 'Gala: Sun 4 Jul 2027 → Mon 5 Jul 2027',
    command: 'date Mon 5 Jul 2027 | status active',
  },
  'an event that moves with its end': {
    one: 'Moved: Gala | Saturday 20 February 2027, 19:00–23:00 → Sunday 21 February 2027, 18:00–22:00 | Town Hall',
    all: 'Moved | • Gala: Sunday 21 February 2027, 18:00–22:00 (was Saturday 20 February 2027, 19:00–23:00), Town Hall',
    notice: 'Sat 20 Feb 2027, 19:00 → Sun 21 Feb 2027, 18:00',
    history: 'Sat 20 Feb 2027, 19:00 → Sun 21 Feb 2027, 18:00',
    print: 'Sun | 21 | 18:00–22:00 |  | ',
    page: 'Sun 21 18:00–22:00 | Moved | Gala | Town Hall | Sat 20 Feb, 19:00–23:00 → Sun 21 Feb, 18:00–22:00, changed on Saturday',
    board: 'in 3 days | Sunday 21 February, 18:00–22:00 | Gala | Town Hall',
    calendar:
      'DTSTART;TZID=Europe/Berlin:20270221T180000 | DTEND;TZID=Europe/Berlin:20270221T220000 | STATUS:CONFIRMED',
    preview: 'Sun 21 Feb 2027, 18:00–22:00 · Town Hall',
    importPreview: 'date Sat 20 Feb 2027, 19:00 → Sun 21 Feb 2027, 18:00',
    proposal:
      'Gala (1), Sat 20 Feb 2027, 19:00: date Sat 20 Feb 2027, 19:00 → Sun 21 Feb 2027, 18:00',
    assistant:
      '{"localDate":"Sun 21 Feb 2027 18:00","wholeDay":false,"localEnd":"Sun 21 Feb 2027 22:00"}',
    historyOfCommands: 'Gala: Sat 20 Feb 2027, 19:00 → Sun 21 Feb 2027, 18:00',
    command: 'date Sun 21 Feb 2027, 18:00 | end Sun 21 Feb 2027, 22:00 | status active',
  },
  'another language': {
    one: 'New place: Gala | Saturday 20 February 2027, 19:00–23:00 | Town Hall → Gym',
    all: 'Moved | • Gala: Saturday 20 February 2027, 19:00–23:00, Gym (was Town Hall)',
    notice: 'Town Hall → Gym',
    history: 'Town Hall → Gym',
    print: 'Sat | 20 | 19:00–23:00 |  | ',
    page: 'Sat 20 19:00–23:00 | New place | Gala | Gym | Town Hall → Gym, changed on Saturday',
    board: 'in 3 days | Saturday 20 February, 19:00–23:00 | Gala | Gym',
    calendar:
      'DTSTART;TZID=Europe/Berlin:20270220T190000 | DTEND;TZID=Europe/Berlin:20270220T230000 | STATUS:CONFIRMED',
    preview: 'Sat 20 Feb 2027, 19:00–23:00 · Gym',
    importPreview: 'location "Town Hall" → "Gym"',
    proposal: 'Gala (1), Sat 20 Feb 2027, 19:00: location "Town Hall" → "Gym"',
    assistant:
      '{"localDate":"Sat 20 Feb 2027 19:00","wholeDay":false,"localEnd":"Sat 20 Feb 2027 23:00"}',
    historyOfCommands: 'Gala: location "Town Hall" → "Gym"',
    command: 'date Sat 20 Feb 2027, 19:00 | end Sat 20 Feb 2027, 23:00 | status active',
  },
};

const withoutZone = (text: unknown) => String(text).replaceAll(' (Europe/Berlin)', '');

const tried = Object.entries(cases);

it.each(
  choose(
    tried,
    tried.filter((_, at) => at % 2 === 0),
  ),
)('every output tells %s', async (name, { begin, change }) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(`${today}T12:00:00Z`) });
  onTestFinished(() => void vi.useRealTimers());
  const club = await openClub();
  await begin(club);
  await club.tell();
  const known = await readEvents(club);
  await change(club);
  const outputs = await collectOutputs(club, known);
  const texts = Object.entries(outputs).map(([output, text]) => [output, withoutZone(text)]);
  expect(Object.fromEntries(texts)).toMatchObject(expected[name] ?? {});
});

it.each(['keep', 'convert'] as const)(
  'a corrected zone with “%s” moves nothing that members read',
  { tags: 'long' },
  async (times) => {
    const club = await openClub();
    await add({ ...gala, date: '2027-02-06' })(club);
    await add(gala, { end: '23:00' })(club);
    await club.tell();
    await club.run('user zone', { name: user, zone: 'Europe/London', times });
    const events = await readEvents(club);
    const announced = await club.run('message read', { user });
    const changes = listUnannounced(
      zoneNamed('Europe/London'),
      announced.before,
      events,
      new Date(`${today}T11:00:00Z`),
    );
    expect(changes.filter(({ event }) => event.id === 1)).toEqual([]);
    const [hours, end] = times === 'keep' ? ['19:00', 'Until 23:00'] : ['18:00', 'Until 22:00'];
    expect(events.get(2)).toMatchObject({
      date: `2027-02-20T${times === 'keep' ? 19 : 18}:00:00.000Z`,
      description: end,
    });
    const output = join(makeTestFolder(), 'club.html');
    await club.run('publish add', { user, format: 'html', output, language: 'en-GB' });
    const items = itemsOf(readFileSync(output, 'utf8'));
    expect(items[0]).toBe('Sat 6 | Gala | Town Hall');
    expect(items[1]).toContain(`Sat 20 ${hours}–${end.slice(-5)}`);
    expect(items.join()).not.toContain('Moved');
  },
);

it.each<[string, Parameters<typeof changedEvent>[2]]>([
  ['a time with an end', { kind: 'time', time: '20:00', end: '22:30', language: 'de' }],
  ['a time', { kind: 'time', time: '20:00' }],
  ['an end alone', { kind: 'time', end: '22:30', language: 'en' }],
  ['a move', { kind: 'move', days: 9 }],
  ['a weekday', { kind: 'weekday', weekday: 1 }],
  ['a step', { kind: 'shift', minutes: -30 }],
  ['a cancellation', { kind: 'cancel', reason: 'Hall flooded' }],
])('the preview of %s is the event that the change makes', async (_, change) => {
  const club = await openClub();
  await add({ ...gala, description: 'Bring shoes' }, { end: '21:00' })(club);
  await add({ ...gala, date: '2027-02-21' }, { end: '2027-02-23' })(club);
  await add(gala)(club);
  const before = await readEvents(club);
  const ids = [...before.keys()];
  const previews = [...before.values()].map((event) => changedEvent(clock, event, change));
  await club.run('events change', { user, ids, change });
  expect(previews).toEqual([...(await readEvents(club)).values()]);
});
