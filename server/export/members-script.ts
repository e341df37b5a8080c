import { dayMs, hourMs, minuteMs } from '../dates/units.ts';

/**
 * Script of the page for members. It leaves the events of the team in the address, searches for
 * beginnings of words like the service, saves events for a calendar, opens one, and brings the page
 * up to the present: the next event, those that have passed, news that are old, a newer version.
 */
export const pageScript = `
'use strict';
const byId = (id) => document.getElementById(id);
const root = document.documentElement;
const { lang } = root;
const query = new URLSearchParams(location.search);
root.classList.add('js');

const similar = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i', ς: 'σ' };
const fold = (text) => ' ' + text
  .replace(/\\p{S}/gu, ' ')
  .normalize('NFKD')
  .replace(/[\\p{M}\\p{DI}]/gu, '')
  .toLowerCase()
  .replace(/[ßæœøłđıς]/g, (letter) => similar[letter])
  .replace(/[^\\p{L}\\p{N}]+/gu, ' ');
const wordsOf = (text) => fold(text).split(' ').filter((word) => word !== '');
const hasWords = (text, words) => words.every((word) => text.includes(' ' + word));
const plural = new Intl.PluralRules(lang);
const number = new Intl.NumberFormat(lang);
const counted = ({ one, other }, count) =>
  (plural.select(count) === 'one' ? one : other).replace('{{shown}}', () => number.format(count));

const timeZone = document.body.dataset.zone;
const formatOf = (options) => new Intl.DateTimeFormat(lang, { timeZone, ...options });
const formats = {
  day: new Intl.DateTimeFormat('sv', { timeZone }),
  time: formatOf({ hour: '2-digit', minute: '2-digit' }),
  long: formatOf({ weekday: 'long', day: 'numeric', month: 'long' }),
  weekday: formatOf({ weekday: 'long' }),
  date: formatOf({ day: 'numeric', month: 'long' }),
  month: formatOf({ month: 'long' }),
  shortWeekday: formatOf({ weekday: 'short' }),
  dayOfMonth: formatOf({ day: 'numeric' }),
};
const near = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' });
const capital = (text) => text.slice(0, 1).toLocaleUpperCase(lang) + text.slice(1);
/** The local day of a moment, whose text order is its time order. */
const dayOf = (moment) => formats.day.format(moment).padStart(11, '0');
const daysUntil = (moment, now) =>
  Math.round((Date.parse(formats.day.format(moment)) - Date.parse(formats.day.format(now))) / ${dayMs});

const startOf = (row) => Date.parse(row.querySelector('time').dateTime);
const endOf = (row) => startOf(row) + (row.dataset.minutes ?? document.body.dataset.usual) * ${minuteMs};
const takesPlace = ({ classList }) => !classList.contains('cancelled') && !classList.contains('draft');
const textIn = (row, selector) => row.querySelector(selector)?.textContent ?? '';

/** Words the day and the time of an event, and how far it is. */
function whenOf(start, time, now, words) {
  const days = daysUntil(start, now);
  const hours = Math.round((start - now) / ${hourMs});
  const minutes = Math.max(1, Math.round((start - now) / ${minuteMs}));
  const isNow = start <= now;
  const isNear = days === 0 || days === 1;
  const day = isNow ? words.now : capital(isNear ? near.format(days, 'day') : formats.long.format(start));
  const distance =
    hours < 1 ? near.format(minutes, 'minute') : days < 1 ? near.format(hours, 'hour') : near.format(days, 'day');
  // "Tomorrow" says it already, and a day without a time has no hours.
  const soon = isNow || days === 1 || (days === 0 && time === '') ? '' : distance;
  return { when: [day, time].filter((text) => text !== '').join(', '), soon };
}

const teamNames = () => JSON.parse(document.body.dataset.teams ?? '[]');
/** The chosen team as the place of its name, or "all". */
const chosen = () => byId('teams').querySelector(':checked')?.id.slice(5) ?? 'all';
const isIn = (row, key) => key === 'all' || (row.dataset.teams ?? '').split(' ').includes(key);
const rowsIn = (part) => [...part.querySelectorAll('.month li')];
const search = byId('search');
function shownIn(part) {
  const key = chosen();
  return rowsIn(part).filter((row) => !row.hidden && isIn(row, key));
}

let only = (query.get('only') ?? '').trim();
/** True if the page has fewer rows than its calendar has events. */
let isReduced = false;

/** Leaves the events with some words, for a club without teams; false if there is none. */
function keepWords(words) {
  const rows = rowsIn(document);
  const kept = new Set(rows.filter((row) => hasWords(fold(row.textContent), words)));
  isReduced = kept.size > 0 && kept.size < rows.length;
  if (kept.size === 0) return false;
  for (const row of rows) if (!kept.has(row)) row.remove();
  for (const month of document.querySelectorAll('.month')) {
    if (month.querySelector('li') === null) month.remove();
  }
  return true;
}

/** Shows the events of the team in the address, or everybody's if there is no such team. */
function showOnly() {
  const note = byId('only');
  const words = wordsOf(only);
  const names = teamNames();
  const isNamed = (name) => name === only || (words.length > 0 && fold(name).trim() === words.join(' '));
  const at = names.findIndex(isNamed);
  const chip = byId('only-' + (at === -1 ? 'all' : at));
  if (chip !== null) chip.checked = true;
  const isFound = only === '' || at !== -1;
  const isKept = !isFound && words.length > 0 && names.length === 0 && keepWords(words);
  note.hidden = isFound;
  note.textContent = isFound ? '' : note.dataset[isKept ? 'words' : 'none'].replace('{{words}}', () => only);
  const { title } = document.body.dataset;
  document.title = at === -1 ? title : names[at] + ' · ' + title;
}

/** Keeps the chosen team in the address, which people share. */
function chooseTeam(key) {
  only = key === 'all' ? '' : teamNames()[key];
  const url = new URL(location.href);
  if (only === '') url.searchParams.delete('only');
  else url.searchParams.set('only', only);
  history.replaceState(null, '', url);
  showOnly();
  if (search.value !== '') find();
  showCount();
}

function removeOldNews() {
  for (const part of document.querySelectorAll('[data-until]')) {
    if (Date.parse(part.dataset.until) <= Date.now()) part.remove();
  }
}

function foldPast() {
  const today = dayOf(Date.now());
  const past = byId('past');
  for (const row of byId('coming').querySelectorAll('li')) {
    const day = dayOf(startOf(row));
    row.classList.toggle('today', day === today);
    if (day > today) break;
    if (day === today) continue;
    const from = row.closest('.month');
    let to = past.querySelector('.month');
    if (to === null || to.dataset.month !== from.dataset.month) {
      to = from.cloneNode(true);
      to.querySelector('ul').replaceChildren();
      past.querySelector('summary').after(to);
    }
    to.querySelector('ul').prepend(row);
    if (from.querySelector('li') === null) from.remove();
  }
  past.hidden = past.querySelector('li') === null;
}

/**
 * Gives the events of a month their links and, if they are to come and take place, their buttons. In the
 * file, these would be a tenth of it; on a phone, thousands would take a second.
 */
function dressMonth(month) {
  const shape = byId('add').content.firstElementChild;
  const isComing = byId('coming').contains(month);
  for (const name of month.querySelectorAll('.name:not(:has(a))')) {
    const row = name.closest('li');
    const link = document.createElement('a');
    link.href = '#' + row.id;
    link.append(...name.childNodes);
    name.append(link);
    if (!isComing || row.classList.contains('cancelled')) continue;
    const button = shape.cloneNode(true);
    const day = textIn(row, '.day').trim();
    button.ariaLabel = shape.ariaLabel.replace('{{name}}', () => name.textContent).replace('{{day}}', day);
    row.append(button);
  }
}
const nearMonths = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) dressMonth(target);
}, { rootMargin: '100%' });

/** Shows the next event of everybody and of each team as it is now. */
function showNext() {
  const section = byId('next');
  const shape = section.querySelector('.hero');
  if (shape === null) return;
  const now = Date.now();
  const open = new Set(['all', ...teamNames().keys()].map(String));
  const found = new Map();
  for (const row of byId('coming').querySelectorAll('li')) {
    if (open.size === 0) break;
    if (!takesPlace(row) || endOf(row) <= now) continue;
    const keys = [...open].filter((key) => isIn(row, key));
    for (const key of keys) open.delete(key);
    if (keys.length > 0) found.set(row, keys);
  }
  const heroes = [...found].map(([row, keys]) => {
    const hero = shape.cloneNode(true);
    const type = [...row.classList].find((name) => name.startsWith('t-'));
    hero.className = ['hero', 'for', ...keys.map((key) => 'for-' + key), type].join(' ');
    hero.dataset.event = row.id;
    const link = hero.querySelector('h2 a');
    link.textContent = textIn(row, '.name');
    link.href = '#' + row.id;
    const { when, soon } = whenOf(startOf(row), textIn(row, '.time'), now, byId('board').dataset);
    hero.querySelector('.when').textContent = when;
    hero.querySelector('.soon').textContent = soon;
    hero.querySelector('.end').textContent = textIn(row, '.end');
    hero.querySelector('.place').replaceChildren(...(row.querySelector('.place')?.cloneNode(true).childNodes ?? []));
    return hero;
  });
  if (heroes.length > 0) section.replaceChildren(...heroes);
  section.hidden = heroes.length === 0;
}

const found = byId('found');
let months;
let wasOpen = false;
const readMonths = () => [...document.querySelectorAll('.month')].map((month) => ({
  month,
  events: [...month.querySelectorAll('li')].map((event) => ({ event, text: fold(event.textContent) })),
}));
function find() {
  const words = wordsOf(search.value);
  const past = byId('past');
  const key = chosen();
  months ??= readMonths();
  let count = 0;
  for (const { month, events } of months) {
    let matches = 0;
    for (const { event, text } of events) {
      event.hidden = !hasWords(text, words);
      if (!event.hidden && isIn(event, key)) matches += 1;
    }
    month.hidden = words.length > 0 && matches === 0;
    count += matches;
  }
  if (found.textContent === '') wasOpen = past.open;
  past.open = words.length === 0 ? wasOpen : past.querySelector('.month:not([hidden])') !== null;
  found.textContent = words.length === 0 ? '' : counted(found.dataset, count);
  showCount();
}

const isAll = (rows) => !isReduced && rows.length === rowsIn(document).length;

/** Says how many events the button saves, and how many have passed. */
function showCount() {
  const shown = shownIn(document);
  const save = byId('save');
  save.textContent = isAll(shown) ? save.dataset.all : counted(save.dataset, shown.length);
  const past = shownIn(byId('past')).length;
  byId('past-count').textContent = past === 0 ? '' : ', ' + number.format(past);
}

/** Saves the calendar of the page, or only some of its events. */
function save(rows, file) {
  const parts = JSON.parse(byId('calendar').textContent);
  const ids = rows && new Set(rows.map(({ id }) => id.slice(6)));
  // In a text, a line never begins so.
  const idOf = (part) => /^X-CLUB-EVENTS-ID:(.*)\\r$/m.exec(part)?.[1];
  const pieces = ids === undefined
    ? parts
    : parts.filter((part, at) => at === 0 || at === parts.length - 1 || ids.has(idOf(part)));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(pieces, { type: 'text/calendar;charset=utf-8' }));
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), ${minuteMs});
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Only secure pages have a clipboard.
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
}

/** Gives an event to another program of the phone, or else copies it with its address. */
async function share(row, button) {
  const title = textIn(row, '.name');
  const { when } = whenOf(startOf(row), textIn(row, '.time'), 0, byId('board').dataset);
  const text = [title, when, textIn(row, '.at')].filter((part) => part !== '').join(', ');
  const { page = /^https?:$/.test(location.protocol) ? location.href : '' } = document.body.dataset;
  const url = page === '' ? '' : page.split('#')[0] + '#' + row.id;
  if (navigator.share !== undefined) {
    // A person may close the list of programs again.
    await navigator.share({ title, text, ...(url !== '' && { url }) }).catch(() => undefined);
    return;
  }
  await copy([text, url].join('\\n').trim());
  button.textContent = button.dataset.done;
}

/** Gives the event in the address its buttons; null without one. */
function showActs() {
  document.querySelector('main .acts')?.remove();
  const row = /^#event--?\\d+$/.test(location.hash) ? byId(location.hash.slice(1)) : null;
  if (row === null) return null;
  const acts = byId('acts').content.firstElementChild.cloneNode(true);
  if (row.classList.contains('cancelled')) acts.querySelector('.add').remove();
  row.querySelector('.what').append(acts);
  return row;
}

/** Opens the event in the address, also one that the choice or the search leaves out. */
function openEvent() {
  const row = showActs();
  if (row === null) return;
  if (!isIn(row, chosen())) chooseTeam('all');
  if (row.hidden) {
    search.value = '';
    find();
  }
  const past = byId('past');
  if (past.contains(row)) past.open = true;
  row.scrollIntoView({ block: 'nearest' });
}

addEventListener('hashchange', openEvent);
search.addEventListener('input', find);
document.addEventListener('change', ({ target }) => {
  if (target.name === 'only') chooseTeam(chosen());
});
document.addEventListener('click', (event) => {
  const button = event.target.closest('button, a.add');
  if (button === null) return;
  const id = button.closest('.hero')?.dataset.event ?? button.closest('li')?.id;
  const row = id === undefined ? null : byId(id);
  if (button.id === 'save') {
    const shown = shownIn(document);
    save(isAll(shown) ? undefined : shown, button.dataset.file);
  } else if (button.matches('.add')) {
    event.preventDefault();
    const name = textIn(row, '.name').replace(/[^\\p{L}\\p{N}]+/gu, ' ').trim().slice(0, 50);
    save([row], (name || 'club-events') + '.ics');
  } else if (button.matches('.share')) share(row, button);
  else if (button.matches('.copy')) {
    const { value } = button.parentElement.querySelector('input');
    copy(value).then(() => (button.textContent = byId('board').dataset.copied));
  } else if (button.matches('.print')) print();
});

function prepare() {
  removeOldNews();
  showOnly();
  foldPast();
  nearMonths.disconnect();
  for (const month of document.querySelectorAll('.month')) nearMonths.observe(month);
  showNext();
  showCount();
  for (const button of document.querySelectorAll('.print')) button.hidden = false;
}

/** Hours after which the state is old: the service writes a new one each day. */
const oldAfter = query.has('board') ? 24 : 72;
let isOffline = false;

function isOld() {
  const { asOf, live } = document.body.dataset;
  return live !== undefined && Date.now() - Date.parse(asOf) > oldAfter * ${hourMs};
}

function showState() {
  byId('as-of').classList.toggle('old', isOffline || isOld());
  byId('offline').textContent = isOffline ? byId('offline').dataset.text : '';
}

/** The parts of a page that a newer one has otherwise. */
const changing = ['state', 'next', 'teams', 'follow', 'coming', 'past', 'changed', 'phone', 'calendar', 'events'];

/** Takes the events of a newer page, at the same place and with the same search. */
function take(page) {
  const top = (row) => row.getBoundingClientRect().top;
  const seen = rowsIn(document).find((row) => row.checkVisibility() && top(row) >= 0);
  const before = seen && top(seen);
  const open = ['past', 'follow'].filter((id) => byId(id).open);
  for (const id of changing) byId(id).replaceWith(document.adoptNode(page.getElementById(id)));
  byId('title').textContent = page.getElementById('title').textContent;
  delete document.body.dataset.teams;
  Object.assign(document.body.dataset, page.body.dataset);
  for (const id of open) byId(id).open = true;
  months = undefined;
  prepare();
  if (search.value !== '') find();
  showActs();
  const now = seen && byId(seen.id);
  if (now) scrollBy(0, top(now) - before);
}

/** Returns true if a page has another state that is not older; a time to come proves nothing. */
function isNewer(page, own) {
  const [[epoch, number], [ownEpoch, ownNumber]] = [page, own].map(({ revision = '' }) => {
    const dot = revision.lastIndexOf('.');
    return [revision.slice(0, dot), Number(revision.slice(dot + 1))];
  });
  if (epoch === ownEpoch && number !== ownNumber) return number > ownNumber;
  const isAhead = ({ asOf }) => Date.parse(asOf) > Date.now();
  return page.asOf !== own.asOf && (isAhead(own) || (page.asOf > own.asOf && !isAhead(page)));
}

const policyOf = (page) => page.querySelector('meta[http-equiv]').content;
let asking = false;

/** Asks the address of the page for a newer state; an older, cut or foreign answer is not taken. */
async function refresh() {
  if (asking) return;
  asking = true;
  try {
    const options = { cache: 'no-cache', signal: AbortSignal.timeout(30000) };
    const answer = await fetch(location.href.split('#')[0], options);
    const text = await answer.text();
    const page = new DOMParser().parseFromString(text, 'text/html');
    const { asOf } = page.body.dataset;
    isOffline = !answer.ok || asOf === undefined || !text.trimEnd().endsWith('</html>');
    if (!isOffline && isNewer(page.body.dataset, document.body.dataset)) {
      // Another version of the program wrote it, whose script and style this page must not run.
      if (policyOf(page) !== policyOf(document)) location.reload();
      else take(page);
    }
  } catch {
    isOffline = true;
  } finally {
    asking = false;
  }
  showState();
}

byId('tools').hidden = false;
prepare();
showState();
openEvent();
if (/^https?:$/.test(location.protocol)) {
  setInterval(refresh, ${10 * minuteMs});
  addEventListener('online', refresh);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) refresh();
  });
}
setInterval(() => {
  removeOldNews();
  foldPast();
  showNext();
  showState();
}, ${minuteMs});
`;
