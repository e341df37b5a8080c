import { hash } from 'node:crypto';
import { teamMatcher } from '../../db/team-filter.ts';
import { type CopyFacts, writeCopy } from '../copy/club-copy.ts';
import { timeOfEvents } from '../copy/facts.ts';
import { replaceCopyInPage, writeCopyInPage } from '../copy/page.ts';
import type { Catalogue } from '../messages/message.ts';
import { fileNameOf } from './file-name.ts';
import { script, style } from './html-assets.ts';
import { escapeHtml, fill, markAddress, writeMark } from './html-text.ts';
import { type ExportedEvent, type IcsOptions, writeIcs } from './ics.ts';
import {
  createFormats,
  createMembersForm,
  type EventNews,
  endOf,
  type FormatOptions,
  type Formats,
} from './members.ts';
import {
  anchorOf,
  dayOf,
  type ItemOptions,
  writeHero,
  writeMonths,
  writeNews,
} from './members-row.ts';
import {
  chipsOf,
  type LiveAddresses,
  shownFor,
  teamStyle,
  writeChips,
  writeEmptyTeams,
  writeFollow,
  writePhone,
} from './members-side.ts';

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
  readonly words: Pick<
    Catalogue,
    'membersPage' | 'event' | 'panel' | 'print' | 'value' | 'manage' | 'published'
  >;
  /** The addresses of a page that stays up to date. */
  readonly live?: LiveAddresses | undefined;
  /** News of events, by id. */
  readonly news?: ReadonlyMap<number, EventNews> | undefined;
  /** The times until which cancellations are news, by the id of the event. */
  readonly cancellations?: ReadonlyMap<number, Date> | undefined;
  /** True for a page of some events, in which a team would seem to have no others. */
  readonly isChosen?: boolean | undefined;
};

/** Writes the news of events to come: those that moved and those that were cancelled. */
function writeChanged(
  events: readonly ExportedEvent[],
  formats: Formats,
  { words, news, cancellations }: HtmlOptions,
  teams: ItemOptions['teams'],
): string {
  const items = events.flatMap((event) => {
    const { badge, moves } = writeNews(event, news?.get(event.id), formats, words);
    const cancelledUntil = event.status === 'cancelled' ? cancellations?.get(event.id) : undefined;
    const until = cancelledUntil ?? (moves === '' ? undefined : news?.get(event.id)?.until);
    if (until === undefined) return [];
    const day = escapeHtml(formats.longDay.format(new Date(event.date)));
    const [mark, text] = cancelledUntil
      ? [`<p class="badge cancelled">${escapeHtml(words.event.cancelled)}</p>`, day]
      : [badge, moves];
    const own = teams.flatMap((isIn, at) => (isIn(event) ? [at] : [])).join(' ');
    return `<li data-until="${until.toISOString()}" data-teams="${own}">${mark}<p><a href="#${anchorOf(event)}" dir="auto">${escapeHtml(event.name)}</a> <span>${text}</span></p></li>\n`;
  });
  if (items.length === 0) return '<div id="changed"></div>\n';
  return `<section id="changed" class="card"><h2>${escapeHtml(words.membersPage.changedThisWeek)}</h2><ul>
${items.slice(0, maxChanged).join('')}</ul></section>
`;
}

/** Changes beside the list; more are in the list only. */
const maxChanged = 8;

/** Writes the next event of everybody and of each team; one that several share stands once. */
function writeNext(
  events: readonly ExportedEvent[],
  formats: Formats,
  { now, words }: HtmlOptions,
  teams: ItemOptions['teams'],
  calendar: IcsOptions,
): string {
  const chips = [{ key: 'all', isIn: (_: ExportedEvent) => true }].concat(
    teams.map((isIn, at) => ({ key: String(at), isIn })),
  );
  const open = events.filter(
    (event) =>
      event.status !== 'cancelled' && event.status !== 'draft' && endOf(event, formats) > now,
  );
  const found = Map.groupBy(chips, ({ isIn }) => open.find(isIn));
  const heroes = [...found].map(([event, of]) => {
    if (event === undefined) return '';
    const entry = [...writeIcs([event], calendar)].join('');
    return writeHero(event, shownFor(of.map(({ key }) => key)), formats, { words, entry });
  });
  const label = escapeHtml(words.membersPage.next);
  return `<section id="next" aria-label="${label}">\n${heroes.join('')}</section>\n`;
}

/** Writes the parts that only the script shows: the board, and the buttons of an opened event. */
function writeTemplates({ words: { membersPage: page, print, manage } }: HtmlOptions): string {
  const texts = {
    now: page.now,
    none: page.nothingSoon,
    'as-of': page.boardAsOf,
    page: print.pageOf,
    was: page.wasBefore,
    copied: manage.copied,
  };
  const data = Object.entries(texts).map(([name, text]) => ` data-${name}="${escapeHtml(text)}"`);
  return `<template id="add"><button type="button" class="add" aria-label="${escapeHtml(page.addNamed)}"></button></template>
<template id="acts"><p class="buttons acts"><button type="button" class="b add">${escapeHtml(page.addOne)}</button> <button type="button" class="b share" data-done="${escapeHtml(page.linkCopied)}">${escapeHtml(manage.share)}</button></p></template>
<template id="board"${data.join('')}><div class="board" role="main">
<section class="board-now"><h1 class="board-club"></h1><div class="board-time"><p class="board-clock"></p><p class="board-date"></p></div><div class="board-scan"></div></section>
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

/**
 * Only the program's own style and script apply; nothing is loaded but the page itself. The pictures
 * are in it.
 */
const policyWith = (ownStyle: string) =>
  [
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    `style-src ${[style, ownStyle].map(sourceOf).join(' ')}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** Writes what a messenger shows of a link to the page. */
function writeDescription({ club, words, live, language }: HtmlOptions): string {
  const description = fill(words.membersPage.description, { club });
  const properties = {
    'og:type': 'website',
    'og:title': club,
    'og:site_name': club,
    'og:description': description,
    'og:locale': language.replace('-', '_'),
    ...(live?.page && { 'og:url': live.page }),
  };
  const lines = Object.entries(properties).map(
    ([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}">\n`,
  );
  return `<meta name="description" content="${escapeHtml(description)}">\n${lines.join('')}`;
}

type Chips = ReturnType<typeof chipsOf>;

function writeHead(options: HtmlOptions, formats: Formats, chips: Chips): string {
  const { club, now, timeZone, words, live, copy } = options;
  const time = timeOfEvents(copy);
  const { membersPage: page } = words;
  const title = escapeHtml(club);
  const zone = formats.zone.formatToParts(now).find(({ type }) => type === 'timeZoneName');
  const asOf = fill(page.asOf, {
    day: (live ? formats.moment : formats.date).format(time),
    zone: zone?.value ?? timeZone,
  });
  const names = chips.flatMap(({ team }) => team?.name ?? []);
  const teams = names.length === 0 ? '' : ` data-teams="${escapeHtml(JSON.stringify(names))}"`;
  const address = live?.page ? ` data-page="${escapeHtml(live.page)}"` : '';
  const ownStyle = teamStyle(names.length);
  const isTwelve = formats.time.resolvedOptions().hour12 ? ' class="h12"' : '';
  const chosen = chips.flatMap(({ key, team }) =>
    team === null ? [] : `<b class="${shownFor([key])}">${escapeHtml(team.name)} · </b>`,
  );
  return `<!doctype html>
<html lang="${escapeHtml(options.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyWith(ownStyle)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${writeDescription(options)}<link rel="icon" href="${escapeHtml(markAddress(club))}">
<style>${style}</style>
<style>${ownStyle}</style>
</head>
<body${isTwelve} data-title="${title}" data-usual="${options.usualLength}" data-zone="${escapeHtml(timeZone)}" data-as-of="${time.toISOString()}" data-revision="${escapeHtml(copy.revision)}"${teams}${address}${live ? ' data-live' : ''}>
<header class="head">${writeMark(club)}<div>
<h1 id="title" dir="auto">${title}</h1>
<p class="as-of" id="state">${chosen.join('')}<span id="as-of">${escapeHtml(asOf)}</span></p>
<p class="as-of" id="offline" aria-live="polite" data-text="${escapeHtml(page.offline)}"></p>
</div></header>
<div class="columns"><main>
`;
}

/** Writes the part between the next event and the list. */
function writeTools({ club, words }: HtmlOptions, chips: Chips): string {
  const { membersPage: page, event } = words;
  return `<p id="only" role="status" dir="auto" data-words="${escapeHtml(page.only)}" data-none="${escapeHtml(page.noTeam)}" hidden></p>
${writeChips(chips, words)}<div class="bar">
${writeFollow(chips, words)}<div class="tools" id="tools" hidden>
<button type="button" class="b" id="save" data-file="${escapeHtml(fileNameOf(club))}.ics" data-all="${escapeHtml(page.calendar)}" data-one="${escapeHtml(page.calendarSome_one)}" data-other="${escapeHtml(page.calendarSome_other)}">${escapeHtml(page.calendar)}</button>
<div role="search"><input type="search" id="search" autocomplete="off" aria-label="${escapeHtml(page.search)}" placeholder="${escapeHtml(page.search)}"></div>
</div></div>
<p role="status" id="found" data-one="${escapeHtml(event.number_one)}" data-other="${escapeHtml(event.number_other)}"></p>
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
  const { club, now, uidBase, words, timeZone, changedAt, copy, live } = options;
  const clubTeams = options.isChosen ? [] : (copy.teams ?? []);
  const teams = clubTeams.map(teamMatcher);
  const chips = chipsOf(clubTeams, live);
  const formats = createFormats(options);
  // In memory, as events come by id: a list for people to read is small.
  const byDate = Array.from(events).toSorted((one, other) =>
    one.date < other.date ? -1 : Number(one.date > other.date),
  );
  const today = dayOf(now, formats);
  const start = byDate.findIndex(({ date }) => dayOf(new Date(date), formats) >= today);
  const count = start === -1 ? byDate.length : start;
  const coming = byDate.slice(count);
  const { membersPage: page } = words;
  const hasRegistration = coming.some(
    ({ registrationOpen, status }) => registrationOpen && status === 'active',
  );
  // Nobody reads it again: a line about a move would stay.
  const forMembers = createMembersForm({ ...options, news: undefined });
  const calendar = { calendarName: club, now, uidBase, timeZone, changedAt, forMembers };
  yield writeHead(options, formats, chips);
  yield writeNext(coming, formats, options, teams, calendar);
  yield writeTools(options, chips);
  yield `<section id="coming">
<h2 class="spoken">${escapeHtml(page.coming)}</h2>
<p class="none none-all">${escapeHtml(page.nothingComing)}</p>
${writeEmptyTeams(chips, words)}`;
  yield* writeMonths(coming, formats, { ...options, teams, hasRegistration });
  const summary = `<summary><h2>${escapeHtml(page.past)}<span id="past-count"></span></h2></summary>`;
  yield `</section>\n<details id="past"${count === 0 ? ' hidden' : ''}>${summary}\n`;
  const past = { words, teams, hasRegistration: false };
  yield* writeMonths(byDate.slice(0, count).toReversed(), formats, past);
  yield `</details>\n</main>\n<aside class="side">${writeChanged(coming, formats, options, teams)}${writePhone(chips, live, words)}</aside></div>
<footer class="quiet">${escapeHtml(page.foot)}</footer>
${writeTemplates(options)}`;
  yield '<script type="application/json" id="calendar">';
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
