import { hash } from 'node:crypto';
import type { EventType } from '../../db/model.ts';
import { teamMatcher } from '../../db/team-filter.ts';
import { type CopyFacts, writeCopy } from '../copy/club-copy.ts';
import { timeOfEvents } from '../copy/facts.ts';
import { replaceCopyInPage, writeCopyInPage } from '../copy/page.ts';
import { noteOf } from '../event/values.ts';
import type { Catalogue } from '../messages/message.ts';
import { fileNameOf } from './file-name.ts';
import { script, style } from './html-assets.ts';
import { type ExportedEvent, type IcsOptions, writeIcs } from './ics.ts';
import { splitLinks } from './links-in-text.ts';
import {
  createFormats,
  createMembersForm,
  type EventNews,
  endOf,
  endOfDays,
  type FormatOptions,
  type Formats,
  movesOf,
  timesOf,
} from './members.ts';
import { makeQrCode } from './qr-code.ts';

export type HtmlOptions = FormatOptions & {
  readonly club: string;
  /** The time that divides past events from those to come. */
  readonly now: Date;
  /** The club's random part of generated UIDs. */
  readonly uidBase: string;
  /** Returns the time of the last change of an event in the calendar; by default, `now`. */
  readonly changedAt?: IcsOptions['changedAt'];
  /** The facts about the club for the copy in the page, which another computer reads. */
  readonly copy: CopyFacts;
  /** The messages of the language. */
  readonly words: Pick<Catalogue, 'membersPage' | 'event' | 'panel' | 'print' | 'value'>;
  /** The addresses at which members read a page that stays up to date, and its calendar. */
  readonly live?: { readonly page: string | null; readonly calendar: string | null } | undefined;
  /** News of events, by id. */
  readonly news?: ReadonlyMap<number, EventNews> | undefined;
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML, also in an attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Writes an untrusted text, in which web addresses are links. */
function writeLinkedText(text: string): string {
  return Array.from(splitLinks(text), ({ text: part, isLink }) => {
    const escaped = escapeHtml(part);
    if (!isLink) return escaped;
    return `<a href="${escaped}" target="_blank" rel="noopener noreferrer">${escaped}</a>`;
  }).join('');
}

/** Shapes of the types, for readers who do not see their colours. */
const shapes: Readonly<Record<EventType, string>> = {
  club: '●',
  regional: '■',
  national: '▲',
  international: '◆',
};

/** Returns a local day whose text order is its time order, up to the year 99999. */
function dayOf(moment: Date, { clock }: Formats): string {
  return clock.dayOf(moment).padStart(11, '0');
}

/** Writes the badge and the line of an event that moved or is new; nothing for any other. */
function writeNews(
  event: ExportedEvent,
  news: EventNews | undefined,
  formats: Formats,
  { event: words, membersPage: page }: HtmlOptions['words'],
): { readonly badge: string; readonly line: string } {
  if (news === undefined) return { badge: '', line: '' };
  const { before, changedAt, until } = news;
  const badgeOf = (text: string) =>
    `<p class="news" data-until="${until.toISOString()}">${escapeHtml(text)}</p>`;
  const { kind, texts } = movesOf(event, before, formats);
  if (kind === 'new') return { badge: badgeOf(words.new), line: '' };
  if (texts.length === 0) return { badge: '', line: '' };
  const moves = texts.map(([from, to]) => {
    const [old, now] = [escapeHtml(from), escapeHtml(to)];
    return `<s><bdi>${old}</bdi></s> → <b><bdi>${now}</bdi></b>`;
  });
  const day = page.changedOn.replace('{{day}}', () => formats.weekday.format(changedAt));
  const line = [...moves, escapeHtml(day)].join(', ');
  return {
    badge: badgeOf(words[kind]),
    line: `<p class="moved" data-until="${until.toISOString()}">${line}</p>`,
  };
}

/** The parts of the options that an event needs, and the tests for the teams of the club. */
type ItemOptions = Pick<HtmlOptions, 'words' | 'news'> & {
  readonly teams: readonly ReturnType<typeof teamMatcher>[];
};

function writeItem(
  event: ExportedEvent,
  formats: Formats,
  { words, news, teams }: ItemOptions,
): string {
  const { name, location, status, eventType, registrationOpen } = event;
  const { text: note } = noteOf(event, formats.clock);
  const { registrationIsOpen, registrationIsNot } = words.panel;
  const registration = registrationOpen ? registrationIsOpen : registrationIsNot;
  const moment = new Date(event.date);
  const times = timesOf(event, formats);
  const time = times === '' ? '' : ` <span>${escapeHtml(times)}</span>`;
  const end = endOfDays(event, formats);
  const shape = eventType === null ? '○' : shapes[eventType];
  const type = eventType ?? 'untyped';
  const { badge, line } = writeNews(event, news?.get(event.id), formats, words);
  const own = teams.flatMap((isIn, at) => (isIn(event) ? [at] : [])).join(' ');
  const isUnusual = status === 'draft' || status === 'cancelled';
  const parts = [
    `<li data-day="${dayOf(moment, formats)}" data-id="${event.id}" data-end="${endOf(event, formats).toISOString()}"${own === '' ? '' : ` data-teams="${own}"`} class="${status}">`,
    `<time datetime="${event.date}"><span>${escapeHtml(formats.day.format(moment))}</span>${time}</time><div>`,
    badge,
    `<p class="name" dir="auto"><span class="mark ${type}" aria-hidden="true">${shape}</span>${escapeHtml(name)}</p>`,
    isUnusual ? `<p class="state">${words.event[status]}</p>` : '',
    end === '' ? '' : `<p class="end">${escapeHtml(end)}</p>`,
    location === '' ? '' : `<p class="place" dir="auto">${escapeHtml(location)}</p>`,
    line,
    eventType === null ? '' : `<p class="type ${type}">${words.event[eventType]}</p>`,
    registrationOpen === undefined ? '' : `<p class="registration">${escapeHtml(registration)}</p>`,
    note === '' ? '' : `<p class="note" dir="auto">${writeLinkedText(note)}</p>`,
    '</div></li>\n',
  ];
  // The line breaks also keep the texts apart in the search.
  return parts.filter((part) => part !== '').join('\n');
}

/** Writes events in the given order, under a heading for each month. */
function* writeMonths(
  events: readonly ExportedEvent[],
  formats: Formats,
  options: ItemOptions,
): Generator<string> {
  let current = '';
  for (const event of events) {
    const moment = new Date(event.date);
    const month = dayOf(moment, formats).slice(0, -3);
    if (month !== current) {
      if (current !== '') yield '</ul></section>\n';
      current = month;
      const heading = escapeHtml(formats.month.format(moment));
      yield `<section class="month" data-month="${month}"><h3>${heading}</h3><ul>\n`;
    }
    yield writeItem(event, formats, options);
  }
  if (current !== '') yield '</ul></section>\n';
}

/** Writes the link that subscribes to the calendar, which each system opens with its own program. */
function writeSubscribeLink({ live, words }: HtmlOptions): string {
  if (!live?.calendar) return '';
  const href = escapeHtml(live.calendar.replace(/^https:/, 'webcal:'));
  return `<a class="subscribe" href="${href}">${escapeHtml(words.print.subscribe)}</a>\n`;
}

/** Writes the code of the page, for the phone in the pocket of a person at a large screen. */
function writePhone({ live, words }: HtmlOptions): string {
  if (!live?.page) return '';
  const address = escapeHtml(live.page.replace(/^https:\/\//, '').replace(/\/$/, ''));
  const { size, path } = makeQrCode(live.page);
  return `<aside class="phone"><h2>${escapeHtml(words.membersPage.phone)}</h2>
<svg viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" aria-hidden="true"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>
<p>${address}</p></aside>
`;
}

/** Writes the parts of the board, which only the script shows. */
function writeBoard({ words: { membersPage: page, print } }: HtmlOptions): string {
  const texts = {
    now: page.now,
    none: page.nothingSoon,
    'as-of': page.boardAsOf,
    page: print.pageOf,
  };
  const data = Object.entries(texts).map(([name, text]) => ` data-${name}="${escapeHtml(text)}"`);
  return `<template id="board"${data.join('')}><div class="board" role="main">
<section class="board-now"><h1 class="board-club" dir="auto"></h1><div><p class="board-clock"></p><p class="board-date"></p></div><div class="board-scan"></div></section>
<section class="board-next"><div class="board-hero"></div><ol class="board-rows"></ol><p class="board-foot b1"><span class="board-state"></span><span class="board-pages" role="img"></span></p></section>
</div></template>
`;
}

/** Writes pieces of text as a JSON array that cannot end its script element. */
function* writeData(pieces: Iterable<string>): Generator<string> {
  let separator = '[';
  for (const piece of pieces) {
    yield separator + JSON.stringify(piece).replaceAll('<', '\\u003c');
    separator = ',\n';
  }
  yield ']';
}

/** Writes the copy of the club in the page, so that an import and another computer can read it. */
function writeEvents(events: readonly ExportedEvent[], { copy }: HtmlOptions): string {
  const list = events.map(({ sourceKey, ...event }) => event);
  return writeCopyInPage(writeCopy(list, copy));
}

const sourceOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;

/** Only the program's own style and script apply; nothing is loaded but the page itself. */
const policy = [
  "default-src 'none'",
  `script-src ${sourceOf(script)}`,
  `style-src ${sourceOf(style)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Writes the names of the teams, for `?only=`. */
function writeTeamNames({ teams = [] }: CopyFacts): string {
  if (teams.length === 0) return '';
  return ` data-teams="${escapeHtml(JSON.stringify(teams.map(({ name }) => name)))}"`;
}

function writeHead(options: HtmlOptions, formats: Formats): string {
  const { club, now, timeZone, words, live, copy } = options;
  const time = timeOfEvents(copy);
  const { membersPage: page, event } = words;
  const title = escapeHtml(club);
  const zone = formats.zone.formatToParts(now).find(({ type }) => type === 'timeZoneName');
  const asOf = page.asOf
    .replace('{{day}}', () => (live ? formats.moment : formats.date).format(time))
    .replace('{{zone}}', () => zone?.value ?? timeZone);
  return `<!doctype html>
<html lang="${escapeHtml(options.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body data-zone="${escapeHtml(timeZone)}" data-as-of="${time.toISOString()}" data-revision="${escapeHtml(copy.revision)}"${writeTeamNames(copy)}${live ? ' data-live' : ''}>
<header>
<h1 id="title" dir="auto">${title}</h1>
<p class="as-of"><span id="as-of">${escapeHtml(asOf)}</span></p>
<p class="as-of" id="offline" aria-live="polite" data-text="${escapeHtml(page.offline)}"></p>
<p id="only" dir="auto" data-text="${escapeHtml(page.only)}" hidden></p>
${writeSubscribeLink(options)}<div class="tools" id="tools" role="search" hidden>
<label>${escapeHtml(page.search)}<input type="search" id="search" autocomplete="off"></label>
<button type="button" id="save" data-file="${escapeHtml(fileNameOf(club))}.ics">${escapeHtml(page.calendar)}</button>
<p role="status" id="found" data-one="${escapeHtml(event.number_one)}" data-other="${escapeHtml(event.number_other)}"></p>
</div>
</header>
<main>
<section id="coming">
<h2>${escapeHtml(page.coming)}</h2>
<p class="none">${escapeHtml(page.nothingComing)}</p>
`;
}

/**
 * Writes events as one HTML file for members, in pieces: upcoming ones first, past ones folded
 * away, latest first. It works offline and contains the same events as a calendar and as JSON.
 */
export function* writeHtml(
  events: Iterable<ExportedEvent>,
  options: HtmlOptions,
): Generator<string> {
  const { club, now, uidBase, words, timeZone, changedAt, copy } = options;
  const teams = (copy.teams ?? []).map(teamMatcher);
  const formats = createFormats(options);
  // In memory, as events come by id: a list for people to read is small.
  const byDate = Array.from(events).toSorted((one, other) =>
    one.date < other.date ? -1 : Number(one.date > other.date),
  );
  const today = dayOf(now, formats);
  const start = byDate.findIndex(({ date }) => dayOf(new Date(date), formats) >= today);
  const count = start === -1 ? byDate.length : start;
  yield writeHead(options, formats);
  yield* writeMonths(byDate.slice(count), formats, { ...options, teams });
  const summary = `<summary><h2>${escapeHtml(words.membersPage.past)}</h2></summary>`;
  yield `</section>\n<details id="past"${count === 0 ? ' hidden' : ''}>${summary}\n`;
  yield* writeMonths(byDate.slice(0, count).toReversed(), formats, { words, teams });
  yield `</details>\n</main>\n${writePhone(options)}${writeBoard(options)}`;
  yield '<script type="application/json" id="calendar">';
  // Nobody reads it again: a line about a move would stay.
  const forMembers = createMembersForm({ ...options, news: undefined });
  const calendar = { calendarName: club, now, uidBase, timeZone, changedAt, forMembers };
  yield* writeData(writeIcs(byDate, calendar));
  yield '</script>\n';
  yield writeEvents(byDate, options);
  yield `<script>${script}</script>\n</body>\n</html>\n`;
}

/** Adds a sentence to a page that is kept up to date no more, and replaces the copy in it. */
export function closePage(
  page: string,
  { sentence, copy }: { readonly sentence: string; readonly copy: string },
): string {
  const notice = `<p class="as-of" role="status">${escapeHtml(sentence)}</p>\n`;
  return replaceCopyInPage(page, copy).replace(
    '<p class="as-of" id="offline"',
    (end) => notice + end,
  );
}
