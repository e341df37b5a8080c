import { iconAddress } from './html-text.ts';

const light = `
  color-scheme: light;
  --paper: #fff; --quiet: #f5f7f8; --line: #e2e7ea; --line-button: #c5cdd3; --field: #7e8993;
  --ink: #172026; --ink-2: #4f5b65; --brand: #0b7285; --on-brand: #fff; --brand-soft: #dff1f4;
  --bad: #bf2424; --good: #22713a; --news: #ffe58f; --on-news: #4a3900; --news-soft: #fff8e0;
  --club: #1c63c7; --regional: #2b7a3d; --national: #ab4a06; --international: #7b3fc4; --none: #5c6770;
  --team-1: #a3246a; --team-2: #2f5d8a; --team-3: #7a5200; --team-4: #4f6100; --team-5: #6b3fa0; --on-team: #fff;
`;
const dark = `
  color-scheme: dark;
  --paper: #14181b; --quiet: #0e1113; --line: #2c343a; --line-button: #455059; --field: #7d8994;
  --ink: #e4e9ed; --ink-2: #a9b4bd; --brand: #62cfe0; --on-brand: #04232a; --brand-soft: #123c46;
  --bad: #ff8f8f; --good: #7fd491; --news: #5c4a0c; --on-news: #ffe58f; --news-soft: #29240f;
  --club: #7fb4ff; --regional: #7fd491; --national: #ffb168; --international: #c9a6ff; --none: #a9b4bd;
  --team-1: #ff9ccb; --team-2: #9cc6f2; --team-3: #e8bd6a; --team-4: #c3d36c; --team-5: #cfb2ff; --on-team: #14181b;
`;

/** Style of the page for members, with the colours of the program. */
export const pageStyle = `
:root {${light}}
@media screen and (prefers-color-scheme: dark) { :root:not([data-theme="light"]) {${dark}} }
@media screen { :root[data-theme="dark"] {${dark}} }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  max-width: 62rem; margin: 0 auto; padding: 0 1.5rem 3rem;
  background: var(--paper); color: var(--ink);
  font: 0.9375rem/1.375rem "Inter Variable", Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif;
  overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, fieldset { margin: 0; padding: 0; border: 0; }
h1 { font-size: 1.5rem; line-height: 1.875rem; letter-spacing: -0.015em; }
h2, h3 { font-size: 1.125rem; font-weight: 650; line-height: 1.5rem; }
ul { list-style: none; }
a { color: var(--brand); text-underline-offset: 0.18em; }
b { font-weight: 650; }
.quiet, .as-of, .end, .place, .type, #only, .none { color: var(--ink-2); }
.as-of, .end, .place, .type, .registration, .moved, .card li, .eyebrow, .note, footer { font-size: 0.8125rem; line-height: 1.25rem; }
.spoken, .type { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
.i { width: 1.125rem; height: 1.125rem; flex: none; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
.b {
  display: inline-flex; align-items: center; justify-content: center; gap: 0.5rem; min-height: 2.25rem; padding: 0.25rem 0.875rem;
  border: 1px solid var(--line-button); border-radius: 7px; background: var(--paper); color: var(--ink);
  font-family: inherit; font-size: 0.9375rem; font-weight: 550; line-height: 1.25; text-decoration: none; cursor: pointer;
}
.b-primary, body:not(:has(details#follow)) #save { border-color: var(--brand); background: var(--brand); color: var(--on-brand); }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; }

.head { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center; padding: 1.5rem 0 1rem; }
.head > svg { flex: none; width: 3.25rem; }
.head > div { flex: 1 1 12rem; min-width: 0; }
.old { padding: 0.125rem 0.375rem; border-radius: 4px; background: var(--news); color: var(--on-news); }
.old::before { content: "⚠ "; content: "⚠ " / ""; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) 17rem; gap: 2rem; align-items: start; }
.columns:not(:has(.card)) { grid-template-columns: minmax(0, 48rem); }
main { min-width: 0; }
.side { display: grid; gap: 1rem; }
.card { padding: 1rem; border: 1px solid var(--line); border-radius: 12px; }
#changed.card { background: var(--news-soft); border-color: var(--news); }
#changed:not(:has(li)) { display: none; }
#changed li { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: 0.625rem; align-items: start; margin-top: 0.5rem; }
#changed .badge { justify-self: start; }
#changed a { display: block; color: var(--ink); font-weight: 650; text-decoration: none; }
#changed s { color: var(--ink-2); }
.code { margin: 0.75rem 0; text-align: center; font-weight: 650; }
.code svg { display: block; width: 9.5rem; margin: 0 auto 0.5rem; border-radius: 7px; }
#phone .b { display: flex; min-height: 1.75rem; margin: 0 auto; padding: 0 0.625rem; font-size: 0.8125rem; }
footer { margin-top: 2rem; padding-top: 0.75rem; border-top: 1px solid var(--line); }

#next:not(:has(.hero)) { display: none; }
.hero { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.25rem 1.5rem; align-items: end; margin-bottom: 0.75rem; padding: 1rem 1.25rem; border-radius: 12px; background: var(--brand-soft); }
.hero h2 { font-size: 1.5rem; line-height: 1.875rem; letter-spacing: -0.015em; }
.hero h2 a { color: inherit; text-decoration: none; }
.hero .when { font-size: 1.125rem; font-weight: 650; line-height: 1.5rem; }
.hero .place, .hero .place a { color: var(--ink); font-size: 0.9375rem; }
.hero .soon { margin-inline-start: 0.5rem; }
.hero p:empty { display: none; }

fieldset#teams { display: flex; flex-wrap: wrap; gap: 0.375rem; min-width: 0; margin-bottom: 0.75rem; }
#teams label { position: relative; max-width: 100%; }
#teams input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.chip { display: inline-flex; align-items: center; gap: 0.375rem; max-width: 100%; min-height: 2.25rem; padding: 0.25rem 0.75rem; border: 1px solid var(--line-button); border-radius: 2rem; }
#teams input:checked + .chip { border-color: var(--brand); background: var(--brand-soft); font-weight: 650; box-shadow: inset 0 0 0 1px var(--brand); }
#teams input:focus-visible + .chip { outline: 2px solid var(--brand); outline-offset: 2px; }
.team { display: inline-grid; place-items: center; min-width: 1.5rem; margin-inline-start: -0.25rem; padding: 0 0.25rem; border-radius: 4px; background: var(--team); color: var(--on-team); font-size: 0.8125rem; font-weight: 650; line-height: 1.125rem; white-space: nowrap; }
.c1 { --team: var(--team-1); } .c2 { --team: var(--team-2); } .c3 { --team: var(--team-3); } .c4 { --team: var(--team-4); } .c5 { --team: var(--team-5); }
body:not(:has([name="only"]:not(#only-all):checked)) .for:not(.for-all) { display: none; }
@supports not selector(:has(a)) { #teams, .for:not(.for-all) { display: none; } }

#only { margin-bottom: 0.75rem; }
.bar { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: flex-start; margin-bottom: 0.5rem; }
#follow:empty, #teams:empty, #phone:empty { display: none; }
#follow summary { list-style: none; }
#follow summary::-webkit-details-marker { display: none; }
#follow[open] { flex: 1 0 100%; }
.ways { display: grid; gap: 0.75rem; justify-items: start; margin-top: 0.75rem; padding: 1rem; border: 1px solid var(--line); border-radius: 12px; }
.ways label { display: grid; gap: 0.25rem; width: 100%; font-size: 0.8125rem; }
.tools { display: flex; flex: 1 1 20rem; flex-wrap: wrap; gap: 0.5rem 0.75rem; }
.tools [role="search"] { flex: 1 1 9rem; max-width: 13rem; margin-inline-start: auto; }
input:not([type="radio"]) { width: 100%; min-height: 2.25rem; padding: 0 0.75rem; border: 1px solid var(--field); border-radius: 7px; background: var(--paper); color: var(--ink); font: inherit; }
:root:not(.js) .copy, #past .add { display: none; }

.month { content-visibility: auto; contain-intrinsic-size: auto 40rem; }
h3 { padding: 1rem 0 0.375rem; border-bottom: 1px solid var(--line); }
.month li {
  display: grid; grid-template-columns: 3.25rem var(--times) minmax(0, 1fr) auto 2.25rem; column-gap: 0.75rem; align-items: start;
  padding: 0.625rem 0; border-bottom: 1px solid var(--line); break-inside: avoid; scroll-margin-top: 1rem;
}
.month :where(.day, .time, .what, .badges, .add:not(.b)) { grid-row: 1; }
body { --times: 3.5rem; }
.h12 { --times: 5rem; }
.month li:target { background: var(--brand-soft); }
.month li:target :is(.type, .place) { position: static; width: auto; height: auto; clip-path: none; white-space: normal; color: var(--ink); }
time { display: contents; font-variant-numeric: tabular-nums; }
.month .day { display: grid; justify-items: center; grid-column: 1; color: var(--ink-2); font-size: 0.8125rem; line-height: 1rem; white-space: nowrap; }
.month .day b { color: var(--ink); font-size: 1.125rem; line-height: 1.375rem; letter-spacing: -0.01em; }
.month .today :is(.day, .day b) { color: var(--brand); }
.month .time { grid-column: 2; text-align: end; }
.time span { white-space: nowrap; }
.what { position: relative; min-width: 0; padding-inline-start: 0.875rem; }
.month .what { grid-column: 3; }
.what::before { content: ""; position: absolute; inset-block: 0.1875rem; inset-inline-start: 0; border-inline-start: 4px solid var(--type); border-radius: 2px; }
.t-club { --type: var(--club); } .t-regional { --type: var(--regional); } .t-national { --type: var(--national); }
.t-international { --type: var(--international); } .t-untyped { --type: var(--none); }
.name { font-weight: 650; letter-spacing: -0.005em; }
.name a { color: inherit; text-decoration: none; }
:is(.name, .hero h2) a:hover { text-decoration: underline; }
.place a { color: inherit; }
.registration.open { color: var(--good); font-weight: 650; }
.note { color: var(--ink-2); white-space: pre-line; }
.month .cancelled :is(.name, .time > span) { text-decoration: line-through; }
.cancelled .name { color: var(--ink-2); }
.cancelled .note { color: var(--ink); }
.moved s { color: var(--ink-2); }
.acts { margin-top: 0.5rem; }
.badges { display: flex; flex-wrap: wrap; gap: 0.375rem; grid-column: 4; justify-content: end; }
.badge { padding: 0.0625rem 0.5rem; border: 1px solid transparent; border-radius: 1rem; font-size: 0.8125rem; font-weight: 650; line-height: 1.125rem; white-space: nowrap; }
.badge.news { background: var(--news); color: var(--on-news); }
.badge.cancelled { border-color: currentColor; color: var(--bad); }
.badge.draft { border: 1px dashed var(--field); color: var(--ink-2); }
button.add:not(.b) { display: grid; grid-column: 5; place-items: center; width: 2.25rem; height: 2rem; padding: 0; border: 0; border-radius: 7px; background: none; color: var(--brand); cursor: pointer; }
button.add:not(.b)::before { content: ""; width: 1.125rem; height: 1.125rem; background: currentColor; mask: url("${iconAddress('add')}") center / contain; }
#past :is(.news, .moved, .registration) { display: none; }
#past :is(.name, .day b) { color: var(--ink-2); }
.none { display: none; }
body:not(:has([name="only"]:not(#only-all):checked)) #coming:not(:has(li)) .none-all { display: block; }
summary { cursor: pointer; }
#past summary { margin-top: 1.5rem; padding: 0.625rem 0; }
#past summary h2 { display: inline; }

@media (width < 54rem) {
  .columns, .columns:not(:has(.card)) { grid-template-columns: minmax(0, 1fr); }
  .side { display: none; }
  .hero { grid-template-columns: minmax(0, 1fr); }
}
@media (width < 44rem) {
  body { padding-inline: 1rem; }
  .month li { position: relative; grid-template-columns: 3rem auto minmax(0, 1fr) 2.25rem; column-gap: 0.375rem; }
  .month .day { grid-row: 1 / span 3; width: 2.625rem; }
  .month .what { display: contents; }
  .month .what::before { inset-block: 0.8125rem; inset-inline-start: 3.375rem; }
  .month :is(.what > *, .badges) { grid-column: 2 / 4; padding-inline-start: 0.875rem; }
  .month .time { grid-column: 2; grid-row: 2; padding-inline-start: 0.875rem; color: var(--ink-2); font-size: 0.8125rem; line-height: 1.25rem; white-space: nowrap; }
  time:has(~ .what .place) .time::after { content: " ·"; }
  .month .what > .name { grid-row: 1; }
  .month .what > .place { grid-column: 3; grid-row: 2; padding: 0; }
  .month li:not(:has(.time)) .what > .place { grid-column: 2 / 4; padding-inline-start: 0.875rem; }
  .month .badges { grid-row: auto; justify-content: start; margin-top: 0.25rem; }
  .month .add:not(.b) { grid-column: 4; grid-row: 1 / span 2; }
  #follow, #follow summary, .tools { flex: 1 1 100%; width: 100%; }
  .tools .b { flex: 1 1 12rem; }
  .tools [role="search"] { flex: 1 1 100%; max-width: none; margin: 0; }
}
@media (width < 44rem) and (height >= 30rem) {
  fieldset#teams { flex-wrap: nowrap; overflow-x: auto; padding: 3px; margin: -3px -3px 0.625rem; }
  #teams label { flex: none; max-width: 80vw; }
}
@media (pointer: coarse) { .b, .chip, input:not([type="radio"]) { min-height: 2.75rem; } button.add:not(.b) { height: 2.75rem; } }
@media (forced-colors: active) {
  .badge, .hero, .team { border: 1px solid CanvasText; }
  #teams input:checked + .chip { outline: 2px solid Highlight; outline-offset: -2px; }
  button.add:not(.b)::before { forced-color-adjust: none; background: ButtonText; }
}
@media print {
  #next, #teams, .bar, #offline, .b, button.add:not(.b), .acts, .map, #changed, #past:not([open]), #past summary { display: none !important; }
  body { max-width: none; padding: 0; }
  .columns, .columns:not(:has(.card)) { display: block; }
  .side { display: block; break-inside: avoid; margin-top: 1rem; }
  .card, .hero { padding: 0.5rem 0; border: 0; background: none; }
  .month { content-visibility: visible; }
  .month li { grid-template-columns: 3.25rem var(--times) minmax(0, 1fr) auto; }
  h3 { break-after: avoid; }
  a { color: inherit; text-decoration: none; }
}
`;
