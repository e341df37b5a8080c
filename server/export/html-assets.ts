import { boardScript, boardStyle } from './members-board.ts';

const light = `
  color-scheme: light;
  --paper: #fff; --quiet: #f4f6f8; --line: #e2e7ea; --field: #7e8993;
  --ink: #172026; --ink-2: #4f5b65; --brand: #0b7285; --on-brand: #fff; --brand-soft: #dff1f5;
  --bad: #bf2424; --news: #ffe08a; --on-news: #3d2e00;
  --club: #1c63c7; --regional: #2b7a3d; --national: #ab4a06; --international: #7b3fc4; --none: #5c6770;
`;
const dark = `
  color-scheme: dark;
  --paper: #14181b; --quiet: #0d1114; --line: #2c343a; --field: #7d8994;
  --ink: #e4e9ed; --ink-2: #a9b4bd; --brand: #62cfe0; --on-brand: #04232a; --brand-soft: #123a43;
  --bad: #ff8f8f; --news: #5a4708; --on-news: #ffe9ad;
  --club: #7fb4ff; --regional: #7fd491; --national: #ffb168; --international: #c9a6ff; --none: #a9b4bd;
`;

/** Style of the page for members, with the colours of the program. */
export const style = `
:root {${light}}
@media screen and (prefers-color-scheme: dark) { :root:not([data-theme="light"]) {${dark}} }
@media screen { :root[data-theme="dark"] {${dark}} }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  max-width: 48rem; margin: 0 auto; padding: 1.5rem 1rem 3rem;
  background: var(--paper); color: var(--ink);
  font: 0.9375rem/1.375rem system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif;
  overflow-wrap: anywhere;
}
h1 { margin: 0; font-size: 1.5rem; line-height: 1.875rem; }
h2, h3 { font-size: 1.125rem; line-height: 1.5rem; }
h2 { margin: 1.5rem 0 0; }
h3 { margin: 0; padding: 1rem 0 0.25rem; border-bottom: 1px solid var(--line); }
p { margin: 0; }
.as-of, .end, .place, .type, .registration, .none { color: var(--ink-2); }
.as-of, .end, .place, .type, .registration, .state { font-size: 0.8125rem; line-height: 1.125rem; }
.old { padding: 0.125rem 0.375rem; border-radius: 4px; background: var(--news); color: var(--on-news); }
.old::before { content: "⚠ "; content: "⚠ " / ""; }
.subscribe { display: inline-block; margin-top: 0.75rem; padding: 0.6875rem 1rem; border-radius: 7px; background: var(--brand); color: var(--on-brand); text-decoration: none; }
body:has(.subscribe) #save { background: var(--paper); color: var(--brand); }
.phone { display: none; }
.phone svg { display: block; width: 10rem; margin: 0.75rem auto; }
.phone h2 { margin: 0; }
.phone p:last-child { font-weight: 650; text-align: center; }
@media screen and (width >= 70rem) {
  body:has(.phone) { display: grid; grid-template-columns: 1fr 17rem; gap: 0 2rem; align-content: start; max-width: 68rem; }
  body > header { grid-column: 1 / -1; }
  .phone { display: block; align-self: start; margin-top: 1.5rem; padding: 1rem; border: 1px solid var(--line); border-radius: 12px; }
}
.tools { display: flex; flex-wrap: wrap; align-items: end; gap: 0.5rem; margin-top: 1rem; }
.tools label { display: grid; flex: 1 1 12rem; gap: 0.25rem; font-size: 0.8125rem; }
.tools p { flex-basis: 100%; }
input, button { min-height: 2.75rem; border-radius: 7px; font: inherit; }
input { width: 100%; padding: 0 0.75rem; border: 1px solid var(--field); background: var(--paper); color: var(--ink); }
button { padding: 0 1rem; border: 1px solid var(--brand); background: var(--brand); color: var(--on-brand); cursor: pointer; }
:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
ul { margin: 0; padding: 0; list-style: none; }
li { display: grid; grid-template-columns: 8rem 1fr; gap: 0 1rem; padding: 0.625rem 0; border-bottom: 1px solid var(--line); break-inside: avoid; }
time { display: flex; justify-content: space-between; gap: 0.5rem; font-variant-numeric: tabular-nums; }
.name { font-weight: 650; }
.cancelled .name { text-decoration: line-through; }
.state { font-weight: 650; }
.cancelled .state { color: var(--bad); }
.note { white-space: pre-line; }
a { color: var(--brand); }
.news { float: inline-end; margin-inline-start: 0.5rem; padding: 0.0625rem 0.5rem; border-radius: 1rem; background: var(--news); color: var(--on-news); font-size: 0.8125rem; line-height: 1.25rem; font-weight: 650; }
.moved { font-size: 0.8125rem; line-height: 1.125rem; }
.moved s { color: var(--ink-2); }
#past .news, #past .moved { display: none; }
#past .registration, .cancelled .registration { display: none; }
.mark { display: inline-block; width: 1.25rem; }
.club { color: var(--club); } .regional { color: var(--regional); } .national { color: var(--national); }
.international { color: var(--international); } .untyped { color: var(--none); }
#coming:has(li) .none { display: none; }
summary { margin-top: 1.5rem; padding: 0.625rem 0; cursor: pointer; }
summary h2 { display: inline; }
.month { content-visibility: auto; contain-intrinsic-size: auto 40rem; }
@media (width < 30rem) { li { grid-template-columns: 1fr; } time { justify-content: start; } }
@media print {
  .tools, .subscribe, #offline { display: none; }
  .month { content-visibility: visible; }
  h3 { break-after: avoid; }
  body { max-width: none; padding: 0; }
}
${boardStyle}`;

/**
 * Script of the page for members: saves the calendar, folds away the events that have passed and
 * removes the news that have become old since the export, searches for beginnings of words like the service, keeps a page from an address up to
 * date, and shows the board. Without it, the page still shows all events.
 */
export const script = `
'use strict';
const byId = (id) => document.getElementById(id);
const { lang } = document.documentElement;
const query = new URLSearchParams(location.search);

byId('save').addEventListener('click', ({ currentTarget }) => {
  const parts = JSON.parse(byId('calendar').textContent);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type: 'text/calendar;charset=utf-8' }));
  link.download = currentTarget.dataset.file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
});

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

function keepOnly() {
  const only = query.get('only') ?? '';
  const words = wordsOf(only);
  if (words.length === 0) return;
  const names = JSON.parse(document.body.dataset.teams ?? '[]');
  const team = names.findIndex((name) => fold(name).trim() === fold(only).trim());
  const isIn = (event) => team === -1
    ? hasWords(fold(event.textContent), words)
    : (event.dataset.teams ?? '').split(' ').includes(String(team));
  for (const event of document.querySelectorAll('main li')) if (!isIn(event)) event.remove();
  for (const month of document.querySelectorAll('.month')) {
    if (month.querySelector('li') === null) month.remove();
  }
  const note = byId('only');
  note.textContent = note.dataset.text.replace('{{words}}', () => query.get('only').trim());
  note.hidden = false;
}

function removeOldNews() {
  for (const part of document.querySelectorAll('[data-until]')) {
    if (Date.parse(part.dataset.until) <= Date.now()) part.remove();
  }
}

function foldPast() {
  const days = new Intl.DateTimeFormat('sv', { timeZone: document.body.dataset.zone });
  const today = days.format(Date.now()).padStart(11, '0');
  const past = byId('past');
  for (const event of byId('coming').querySelectorAll('li')) {
    if (event.dataset.day >= today) break;
    const from = event.closest('.month');
    let to = past.querySelector('.month');
    if (to === null || to.dataset.month !== from.dataset.month) {
      to = from.cloneNode(true);
      to.querySelector('ul').replaceChildren();
      past.querySelector('summary').after(to);
    }
    to.querySelector('ul').prepend(event);
    if (from.querySelector('li') === null) from.remove();
  }
  past.hidden = past.querySelector('li') === null;
}

const search = byId('search');
const found = byId('found');
const plural = new Intl.PluralRules(lang);
const number = new Intl.NumberFormat(lang);
let months;
let wasOpen = false;
const readMonths = () => [...document.querySelectorAll('.month')].map((month) => ({
  month,
  events: [...month.querySelectorAll('li')].map((event) => ({ event, text: fold(event.textContent) })),
}));
function find() {
  const words = wordsOf(search.value);
  const past = byId('past');
  months ??= readMonths();
  let count = 0;
  for (const { month, events } of months) {
    let matches = 0;
    for (const { event, text } of events) {
      event.hidden = !hasWords(text, words);
      if (!event.hidden) matches += 1;
    }
    month.hidden = matches === 0;
    count += matches;
  }
  if (found.textContent === '') wasOpen = past.open;
  past.open = words.length === 0 ? wasOpen : past.querySelector('.month:not([hidden])') !== null;
  const form = plural.select(count) === 'one' ? found.dataset.one : found.dataset.other;
  found.textContent = words.length === 0 ? '' : form.replace('{{shown}}', number.format(count));
}
search.addEventListener('input', find);

function prepare() {
  removeOldNews();
  keepOnly();
  foldPast();
}

/** Hours after which the state is old: the service writes a new one each day. */
const oldAfter = query.has('board') ? 24 : 72;
let isOffline = false;

function isOld() {
  const { asOf, live } = document.body.dataset;
  return live !== undefined && Date.now() - Date.parse(asOf) > oldAfter * 3600000;
}

function showState() {
  byId('as-of').classList.toggle('old', isOffline || isOld());
  byId('offline').textContent = isOffline ? byId('offline').dataset.text : '';
}

/** Takes the events of a newer page, at the same place and with the same search. */
function take(page) {
  const top = ({ firstElementChild: part }) => part.getBoundingClientRect().top;
  const seen = [...document.querySelectorAll('main li:not([hidden])')].find((event) => top(event) >= 0);
  const before = seen && top(seen);
  const { open } = byId('past');
  for (const id of ['coming', 'past', 'calendar', 'events']) {
    byId(id).replaceWith(document.adoptNode(page.getElementById(id)));
  }
  for (const id of ['title', 'as-of']) byId(id).textContent = page.getElementById(id).textContent;
  document.title = page.title;
  delete document.body.dataset.teams;
  Object.assign(document.body.dataset, page.body.dataset);
  byId('past').open = open;
  months = undefined;
  prepare();
  if (search.value !== '') find();
  const now = seen && document.querySelector('li[data-id="' + seen.dataset.id + '"]');
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

prepare();
showState();
byId('tools').hidden = false;
if (/^https?:$/.test(location.protocol)) {
  setInterval(refresh, 600000);
  addEventListener('online', refresh);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) refresh();
  });
  setInterval(() => {
    removeOldNews();
    foldPast();
    showState();
  }, 60000);
}
${boardScript}`;
