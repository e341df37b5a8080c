import type { NumberedTeam } from '../../db/teams.ts';
import type { Catalogue } from '../messages/message.ts';
import { escapeHtml, fill, outsideLink, writeIcon } from './html-text.ts';
import { makeQrCode, maxQrOctets } from './qr-code.ts';

/** The addresses at which members read a page that stays up to date, and its calendars. */
export type LiveAddresses = {
  readonly page: string | null;
  /** The calendar of the events of the page. */
  readonly calendar: string | null;
  /** The calendars that have the events of one team, by the number of the team. */
  readonly teamCalendars?: ReadonlyMap<number, string> | undefined;
};

type Words = Pick<Catalogue, 'membersPage' | 'manage' | 'print' | 'published'>;

/** A choice of members: all events, or those of a team. */
type Chip = {
  /** `all`, or the place of the team among those of the club. */
  readonly key: string;
  readonly team: NumberedTeam | null;
  /** The calendar of exactly these events. */
  readonly calendar: string | null;
};

/** Returns the choices of members: the first one is everybody's. */
export function chipsOf(
  teams: readonly NumberedTeam[],
  live: LiveAddresses | undefined,
): readonly Chip[] {
  return [
    { key: 'all', team: null, calendar: live?.calendar ?? null },
    ...teams.map((team, at) => ({
      key: String(at),
      team,
      calendar: live?.teamCalendars?.get(team.id) ?? null,
    })),
  ];
}

/** Returns the classes of an element that only these choices show. */
export const shownFor = (keys: readonly string[]): string =>
  ['for', ...keys.map((key) => `for-${key}`)].join(' ');

/** Writes the style that shows the rows and the parts of the chosen team. It depends on their number only. */
export function teamStyle(count: number): string {
  return Array.from({ length: count }, (_, at) => {
    const chosen = `body:has(#only-${at}:checked)`;
    const own = `[data-teams~="${at}"]`;
    return `${chosen} :is(.for:not(.for-${at}), .month li:not(${own}), .month:not(:has(${own}))) { display: none; }
${chosen} :is(#changed:not(:has(${own})), #changed li:not(${own})) { display: none; }
${chosen} #next:not(:has(.for-${at})) { display: none; }
${chosen} #coming:not(:has(${own})) .none-${at} { display: block; }
`;
  }).join('');
}

/** Writes the teams as radio buttons; nothing for a page without teams. */
export function writeChips(chips: readonly Chip[], { membersPage: page }: Words): string {
  const labels = chips.map(({ key, team }) => {
    const mark =
      team === null
        ? ''
        : `<span class="team c${team.colour}" aria-hidden="true">${escapeHtml(team.letters)}</span>`;
    const name = escapeHtml(team?.name ?? page.everyone);
    return `<label><input type="radio" name="only" id="only-${key}"${team === null ? ' checked' : ''}><span class="chip" dir="auto">${mark}${name}</span></label>\n`;
  });
  if (labels.length === 1) return '<div id="teams"></div>\n';
  return `<fieldset id="teams"><legend class="spoken">${escapeHtml(page.eventsOf)}</legend>
${labels.join('')}</fieldset>
`;
}

/** Writes the sentences for teams without an event to come, of which a style shows one. */
export function writeEmptyTeams(chips: readonly Chip[], { membersPage: page }: Words): string {
  return chips
    .flatMap(({ key, team }) =>
      team === null
        ? []
        : `<p class="none none-${key}">${escapeHtml(fill(page.nothingFor, { team: team.name }))}</p>\n`,
    )
    .join('');
}

/** Writes the ways to subscribe to a calendar. */
function writeWays(address: string, keys: readonly string[], words: Words, note: string): string {
  const { membersPage: page, published } = words;
  const webcal = address.replace(/^https?:/, 'webcal:');
  const google = `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal)}`;
  return `<div class="ways ${shownFor(keys)}">${note}<p>${escapeHtml(page.followWith)}</p>
<p class="buttons"><a class="b" href="${escapeHtml(webcal)}">${escapeHtml(page.apple)}</a> ${outsideLink(google)} class="b">${escapeHtml(page.google)}</a></p>
<p class="quiet">${escapeHtml(page.googleHelp)}</p>
<label>${escapeHtml(page.address)}<input type="text" readonly value="${escapeHtml(address)}"></label>
<button type="button" class="b copy">${escapeHtml(published.copyAddress)}</button></div>
`;
}

/** Writes how to follow the calendar of the chosen team, or else that of everybody, and says so. */
export function writeFollow(chips: readonly Chip[], words: Words): string {
  const { membersPage: page } = words;
  const common = chips[0]?.calendar ?? null;
  const own = chips.filter(({ team, calendar }) => team !== null && calendar !== null);
  const others = chips.filter(({ team, calendar }) => team !== null && calendar === null);
  const ofAll = common === null ? [] : ['all', ...others.map(({ key }) => key)];
  const keys = [...ofAll, ...own.map(({ key }) => key)];
  if (keys.length === 0) return '<div id="follow"></div>\n';
  const follow =
    ofAll.length === 0 ? '' : `<span class="${shownFor(ofAll)}">${escapeHtml(page.follow)}</span>`;
  const names = own.map(
    ({ key, team }) =>
      `<span class="${shownFor([key])}">${escapeHtml(fill(page.followTeam, { team: team?.name ?? '' }))}</span>`,
  );
  const notes = others.map(
    ({ key, team }) =>
      `<p class="${shownFor([key])}">${escapeHtml(fill(page.followAll, { team: team?.name ?? '' }))}</p>`,
  );
  const ways = [
    common === null ? '' : writeWays(common, ofAll, words, notes.join('')),
    ...own.map(({ key, calendar }) => writeWays(calendar ?? '', [key], words, '')),
  ];
  return `<details id="follow" class="${shownFor(keys)}"><summary class="b b-primary">${writeIcon('calendar')}${follow}${names.join('')}</summary>
${ways.join('')}</details>
`;
}

/** Returns the address of a page that shows the events of a team. */
function pageOf(address: string, { team }: Chip): string {
  const url = new URL(address);
  if (team !== null) url.searchParams.set('only', team.name);
  // A code has no room for a longer one.
  return Buffer.byteLength(url.href) > maxQrOctets ? address : url.href;
}

const shortAddress = (address: string) => address.replace(/^https?:\/\//, '').replace(/\/$/, '');

/** Writes the code of the page for the phone in a pocket; it leads to the chosen team. */
export function writePhone(
  chips: readonly Chip[],
  live: LiveAddresses | undefined,
  { membersPage: page, print }: Words,
): string {
  const { page: address = null } = live ?? {};
  if (address === null) return '<div id="phone"></div>\n';
  const codes = chips.map((chip) => {
    const target = chip.team === null ? address : pageOf(address, chip);
    const { size, path } = makeQrCode(target);
    return `<div class="code ${shownFor([chip.key])}"><svg viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" aria-hidden="true"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>
<p dir="ltr">${escapeHtml(shortAddress(target))}</p></div>`;
  });
  return `<section id="phone" class="card"><h2>${escapeHtml(page.phone)}</h2>
${codes.join('\n')}
<button type="button" class="b print" hidden>${escapeHtml(print.heading)}</button></section>
`;
}
