import type { EventType } from '../../db/model.ts';
import type { teamMatcher } from '../../db/team-filter.ts';
import { minuteMs } from '../dates/units.ts';
import { noteOf } from '../event/values.ts';
import type { Catalogue } from '../messages/message.ts';
import { fileNameOf } from './file-name.ts';
import { escapeHtml, fill, outsideLink, writeIcon, writeLinkedText } from './html-text.ts';
import type { ExportedEvent } from './ics.ts';
import { mapAddress } from './links-in-text.ts';
import { type EventNews, endOf, endOfDays, type Formats, movesOf, timesOf } from './members.ts';

/** The parts of the options that an event needs. */
export type ItemOptions = {
  readonly words: Pick<Catalogue, 'membersPage' | 'event' | 'panel' | 'value'>;
  /** News of events, by id. */
  readonly news?: ReadonlyMap<number, EventNews> | undefined;
  /** The tests for the teams of the club. */
  readonly teams: readonly ReturnType<typeof teamMatcher>[];
  /** True if the club opens the registration of some events: then the others say that theirs is closed. */
  readonly hasRegistration: boolean;
};

/** Shapes of the types, for readers who do not see their colours. */
const shapes: Readonly<Record<EventType, string>> = {
  club: '●',
  regional: '■',
  national: '▲',
  international: '◆',
};

/** Returns a local day whose text order is its time order, up to the year 99999. */
export function dayOf(moment: Date, { clock }: Formats): string {
  return clock.dayOf(moment).padStart(11, '0');
}

/** The id of the element of an event, by which an address opens it. */
export const anchorOf = ({ id }: ExportedEvent): string => `event-${id}`;

const badgeOf = (text: string, kind: string, more = ''): string =>
  `<p class="badge ${kind}"${more}>${escapeHtml(text)}</p>`;

/** Writes the badge and the line of an event that moved or is new; nothing for any other. */
export function writeNews(
  event: ExportedEvent,
  news: EventNews | undefined,
  formats: Formats,
  { event: words, membersPage: page }: ItemOptions['words'],
): { readonly badge: string; readonly moves: string; readonly line: string } {
  const none = { badge: '', moves: '', line: '' };
  if (news === undefined) return none;
  const { before, changedAt, until, memory } = news;
  const end = ` data-until="${until.toISOString()}"`;
  const { kind, texts } = movesOf(event, before, formats);
  if (kind === 'new') return { ...none, badge: badgeOf(words.new, 'news', end) };
  if (before === null || texts.length === 0) return none;
  // Times alone do not say of which day.
  const areTimes = kind === 'moved' && texts[0]?.[0] === timesOf(before, formats);
  const day = areTimes ? [escapeHtml(formats.weekday.format(new Date(event.date)))] : [];
  const moves = texts.map(([from, to]) => {
    const [old, now] = [escapeHtml(from), escapeHtml(to)];
    return `<s><bdi>${old}</bdi></s> → <b><bdi>${now}</bdi></b>`;
  });
  const since = escapeHtml(fill(page.changedOn, { day: formats.weekday.format(changedAt) }));
  const remembered =
    memory === undefined
      ? ''
      : ` <span class="quiet">· ${escapeHtml(
          fill(page.movedTimes, {
            shown: String(memory.times),
            first: formats.dayAndMonth.format(new Date(memory.first)),
          }),
        )}</span>`;
  return {
    badge: badgeOf(words[kind], 'news', end),
    moves: [...day, ...moves].join(', '),
    line: `<p class="moved"${end}>${[...day, ...moves, since].join(', ')}${remembered}</p>`,
  };
}

/** Writes a place, with the link to a map that only a click opens. */
function writePlace(location: string, hasMap: boolean, { panel }: Catalogues): string {
  const map = hasMap ? mapAddress(location) : null;
  const text = `<span class="at">${writeLinkedText(location)}</span>`;
  if (map === null) return text;
  return `${text} ${outsideLink(map)} class="map">${escapeHtml(panel.map)}</a>`;
}

type Catalogues = ItemOptions['words'];

/** Writes times whose end can stand below their start. */
function writeTimes(times: string): string {
  const [start = '', end] = times.split('–', 2);
  if (times === '') return '';
  const rest = end === undefined ? '' : `–<wbr><span>${escapeHtml(end)}</span>`;
  return `<span class="time"><span>${escapeHtml(start)}</span>${rest}</span>`;
}

/** Writes that registration is open, or closed if the club opens that of others. */
function writeRegistration(
  { registrationOpen, status }: ExportedEvent,
  { words, hasRegistration }: ItemOptions,
): string {
  const { registrationIsOpen, registrationIsNot } = words.panel;
  if (status === 'cancelled' || registrationOpen === undefined) return '';
  if (!registrationOpen && !hasRegistration) return '';
  const text = registrationOpen ? registrationIsOpen : registrationIsNot;
  return `<p class="registration${registrationOpen ? ' open' : ''}">${escapeHtml(text)}</p>`;
}

/** Writes an event as a row of the list. */
export function writeItem(event: ExportedEvent, formats: Formats, options: ItemOptions): string {
  const { words, news, teams } = options;
  const { name, location, status, eventType } = event;
  const { text: note } = noteOf(event, formats.clock);
  const moment = new Date(event.date);
  const times = timesOf(event, formats);
  const end = endOfDays(event, formats);
  const type = eventType ?? 'untyped';
  const { badge, line } = writeNews(event, news?.get(event.id), formats, words);
  const own = teams.flatMap((isIn, at) => (isIn(event) ? [at] : [])).join(' ');
  const isOff = status === 'cancelled';
  const state = isOff || status === 'draft' ? badgeOf(words.event[status], `state ${status}`) : '';
  const minutes = (endOf(event, formats).getTime() - moment.getTime()) / minuteMs;
  const lasting = minutes === formats.usualLength ? '' : ` data-minutes="${minutes}"`;
  const id = anchorOf(event);
  const where = location === '' ? '' : writePlace(location, !isOff, words);
  const parts = [
    `<li id="${id}"${lasting}${own === '' ? '' : ` data-teams="${own}"`} class="${status} t-${type}">`,
    `<time datetime="${event.date}"><span class="day"><span>${escapeHtml(formats.shortWeekday.format(moment))}</span> <b>${escapeHtml(formats.dayOfMonth.format(moment))}</b></span> ${writeTimes(times)}</time>`,
    badge + state === '' ? '' : `<div class="badges">${badge}${state}</div>`,
    '<div class="what">',
    `<p class="name" dir="auto">${escapeHtml(name)}</p>`,
    end === '' ? '' : `<p class="end">${escapeHtml(end)}</p>`,
    where === '' ? '' : `<p class="place" dir="auto">${where}</p>`,
    line,
    eventType === null ? '' : `<p class="type">${shapes[eventType]} ${words.event[eventType]}</p>`,
    writeRegistration(event, options),
    note === '' ? '' : `<p class="note" dir="auto">${writeLinkedText(note)}</p>`,
    '</div></li>\n',
  ];
  // The line breaks also keep the texts apart in the search.
  return parts.filter((part) => part !== '').join('\n');
}

/** Writes events in the given order, under a heading for each month. */
export function* writeMonths(
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

/**
 * Writes an event as the next one of some chips: of everybody, or of teams. Without a script, its link
 * has its calendar.
 */
export function writeHero(
  event: ExportedEvent,
  chips: string,
  formats: Formats,
  { words, entry }: Pick<ItemOptions, 'words'> & { readonly entry: string },
): string {
  const { name, location, eventType } = event;
  const { membersPage: page } = words;
  const times = timesOf(event, formats);
  const end = endOfDays(event, formats);
  const when = [formats.longDay.format(new Date(event.date)), times].filter(Boolean).join(', ');
  const address = `data:text/calendar;charset=utf-8,${encodeURIComponent(entry)}`;
  const id = anchorOf(event);
  return `<div class="hero ${chips} t-${eventType ?? 'untyped'}" data-event="${id}"><div>
<p class="eyebrow"><b>${escapeHtml(page.next)}</b> <span class="soon quiet"></span></p>
<h2 dir="auto"><a href="#${id}">${escapeHtml(name)}</a></h2>
<p class="when">${escapeHtml(when)}</p>
<p class="end">${escapeHtml(end)}</p>
<p class="place" dir="auto">${location === '' ? '' : writePlace(location, true, words)}</p></div>
<a class="b add" download="${escapeHtml(fileNameOf(name))}.ics" href="${escapeHtml(address)}">${writeIcon('add')}${escapeHtml(page.addOne)}</a></div>
`;
}
