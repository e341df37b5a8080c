/** Style of the page for members, with the colours of the program. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fff; --line: #e2e7ea; --field: #7e8993;
  --ink: #172026; --ink-2: #4f5b65; --brand: #0b7285; --on-brand: #fff; --bad: #bf2424;
  --club: #1c63c7; --regional: #2b7a3d; --national: #ab4a06; --international: #7b3fc4; --none: #5c6770;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14181b; --line: #2c343a; --field: #7d8994;
    --ink: #e4e9ed; --ink-2: #a9b4bd; --brand: #62cfe0; --on-brand: #04232a; --bad: #ff8f8f;
    --club: #7fb4ff; --regional: #7fd491; --national: #ffb168; --international: #c9a6ff; --none: #a9b4bd;
  }
}
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
.as-of, .place, .type, .registration, .none { color: var(--ink-2); }
.as-of, .place, .type, .registration, .state { font-size: 0.8125rem; line-height: 1.125rem; }
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
  .tools { display: none; }
  .month { content-visibility: visible; }
  h3 { break-after: avoid; }
  body { max-width: none; padding: 0; }
}
`;

/**
 * Script of the page for members: saves the calendar, folds away the events that have passed since
 * the export, and searches for beginnings of words like the service. Without it, the page still
 * shows all events.
 */
export const script = `
'use strict';
const byId = (id) => document.getElementById(id);
const coming = byId('coming');
const past = byId('past');

byId('save').addEventListener('click', ({ currentTarget }) => {
  const parts = JSON.parse(byId('calendar').textContent);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type: 'text/calendar;charset=utf-8' }));
  link.download = currentTarget.dataset.file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
});

const days = new Intl.DateTimeFormat('sv', { timeZone: document.body.dataset.zone });
const today = days.format(new Date()).padStart(11, '0');
for (const event of coming.querySelectorAll('li')) {
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

const similar = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i', ς: 'σ' };
const fold = (text) => ' ' + text
  .replace(/\\p{S}/gu, ' ')
  .normalize('NFKD')
  .replace(/[\\p{M}\\p{DI}]/gu, '')
  .toLowerCase()
  .replace(/[ßæœøłđıς]/g, (letter) => similar[letter])
  .replace(/[^\\p{L}\\p{N}]+/gu, ' ');

const search = byId('search');
const found = byId('found');
const plural = new Intl.PluralRules(document.documentElement.lang);
const number = new Intl.NumberFormat(document.documentElement.lang);
let months;
let wasOpen = false;
const readMonths = () => [...document.querySelectorAll('.month')].map((month) => ({
  month,
  events: [...month.querySelectorAll('li')].map((event) => ({ event, text: fold(event.textContent) })),
}));
search.addEventListener('input', () => {
  const words = fold(search.value).split(' ').filter((word) => word !== '');
  months ??= readMonths();
  let count = 0;
  for (const { month, events } of months) {
    let matches = 0;
    for (const { event, text } of events) {
      event.hidden = !words.every((word) => text.includes(' ' + word));
      if (!event.hidden) matches += 1;
    }
    month.hidden = matches === 0;
    count += matches;
  }
  if (found.textContent === '') wasOpen = past.open;
  past.open = words.length === 0 ? wasOpen : past.querySelector('.month:not([hidden])') !== null;
  const form = plural.select(count) === 'one' ? found.dataset.one : found.dataset.other;
  found.textContent = words.length === 0 ? '' : form.replace('{{shown}}', number.format(count));
});
byId('tools').hidden = false;
`;
