import { dayMs, minuteMs } from '../dates/units.ts';

/**
 * Style of the board: read from across the room, with nothing to press. Its sizes follow the smaller
 * side of the screen, and that of the clock the width of its column, so that it is one line on each.
 */
export const boardStyle = `
body[data-board] { display: block; max-width: none; margin: 0; padding: 0; overflow: hidden; }
body[data-board] > :not(.board) { display: none; }
.board {
  --b1: clamp(0.8125rem, 2.3vmin, 4rem); --b2: clamp(0.9375rem, 3.3vmin, 6rem); --b3: clamp(1.125rem, 5vmin, 9rem);
  --clock: clamp(2.5rem, min(15vmin, 30cqi), 27rem); --clock-12: clamp(2.25rem, min(13vmin, 22cqi), 24rem);
  display: grid; grid-template-columns: minmax(0, 31vw) minmax(0, 1fr); height: 100vh; overflow: hidden;
  font-size: var(--b2); line-height: 1.3; overflow-wrap: break-word; hyphens: auto;
}
.board.idle { cursor: none; }
.board > * { min-width: 0; min-height: 0; }
.board ol { margin: 0; padding: 0; list-style: none; }
.board .b1 { color: var(--ink-2); font-size: var(--b1); line-height: 1.35; }
.board :is(b, h1, h2) { font-weight: 650; }
.board-now { display: flex; flex-direction: column; gap: 3vmin; padding: 5vmin 4vmin 4vmin 5vmin; background: var(--quiet); border-inline-end: 1px solid var(--line); }
.board-club { display: flex; align-items: center; gap: 2vmin; min-width: 0; }
.board h1 { font-size: var(--b2); line-height: 1.3; }
.board-club svg { flex: none; width: 8vmin; height: 8vmin; }
.board-club span { min-width: 0; }
.board-time { container-type: inline-size; margin-block: auto; }
.board-clock { font-size: var(--clock); font-weight: 650; line-height: 1; letter-spacing: -0.045em; font-variant-numeric: tabular-nums; white-space: nowrap; }
.board-clock:has(.period) { font-size: var(--clock-12); }
.board-clock .period { margin-inline-start: 0.35em; font-size: var(--b2); letter-spacing: 0; }
.board-date { margin-top: 1vmin; font-size: var(--b3); font-weight: 550; line-height: 1.2; letter-spacing: -0.015em; hyphens: none; }
.board-date span { display: inline-block; white-space: nowrap; }
.board-scan { display: flex; flex-wrap: wrap; align-items: center; gap: 2.5vmin; }
.board-scan:empty { display: none; }
.board-scan svg { flex: none; width: 17vmin; height: 17vmin; border-radius: 1vmin; }
.board-scan > div { min-width: 0; }
.board-scan h2 { font-size: var(--b2); line-height: 1.3; }
.board-scan p { hyphens: none; overflow-wrap: anywhere; }
.board-next { display: flex; flex-direction: column; padding: 5vmin 5vmin 4vmin; }
.board-hero { position: relative; flex: none; padding: 3.5vmin 4vmin 3.5vmin 5vmin; border-radius: 2vmin; background: var(--brand-soft); }
.board-hero .soon { float: right; margin-inline-start: 2vmin; color: var(--ink-2); }
.board-hero .when { color: var(--brand); font-size: var(--b3); font-weight: 650; line-height: 1.15; letter-spacing: -0.015em; }
.board-hero h2 { font-size: var(--b3); line-height: 1.15; letter-spacing: -0.02em; }
.board :is(.board-hero h2, .board-hero h2 + p, .what > *) { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.board-rows { flex: 1; min-height: 0; margin: 1.5vmin 0 1vmin; overflow: hidden; }
.board-rows li { display: grid; grid-template-columns: 15vmin 13vmin minmax(0, 1fr) auto; gap: 0 2vmin; align-items: center; min-height: 11vmin; padding: 1.6vmin 4vmin 1.6vmin 0; }
.board-rows li + li { border-top: 1px solid var(--line); }
.board-rows .day { padding-inline-start: 1.2vmin; color: var(--ink-2); white-space: nowrap; }
.board-rows .day b { color: var(--ink); }
.board-rows .day .b1 { display: block; }
.board-rows .time { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.board .what { padding-inline-start: 3vmin; }
.board-hero::before, .board .what::before { content: ""; position: absolute; inset-block: 0.4vmin; inset-inline-start: 0.6vmin; border-inline-start: 0.7vmin solid var(--type); border-radius: 1vmin; }
.board-hero::before { inset-block: 3.5vmin; inset-inline-start: 2.6vmin; border-inline-start-width: 0.9vmin; }
.board .badge { max-width: 30vmin; padding: 0.2em 0.7em; border-radius: 2em; font-size: var(--b1); line-height: 1.3; white-space: normal; text-align: center; hyphens: none; }
.board .cancelled .what b { color: var(--ink-2); text-decoration: line-through; }
.board-foot { display: flex; flex: none; justify-content: space-between; gap: 2vmin; padding-top: 1vmin; }
.board-pages { display: flex; flex-wrap: wrap; gap: 1vmin; align-items: center; justify-content: end; }
.board-pages i { width: 1.3vmin; height: 1.3vmin; border: 0.25vmin solid var(--ink-2); border-radius: 50%; }
.board-pages .on { background: var(--ink); border-color: var(--ink); }
.h12 .board-rows li { grid-template-columns: 15vmin 17vmin minmax(0, 1fr) auto; }
@media (max-aspect-ratio: 3/2) {
  .board-rows li { grid-template-columns: 14.5vmin 12vmin minmax(0, 1fr) auto; gap: 0 1.5vmin; padding-inline-end: 1vmin; }
  .board-rows .day { padding-inline-start: 0.5vmin; }
  .board .badge { max-width: 21vmin; }
  .h12 .board-rows .badge { grid-column: 3; justify-self: start; max-width: none; margin-inline-start: 3vmin; }
  .h12 .board-rows :is(.day, .time) { grid-row: 1 / span 2; }
  .h12 .board-rows li:not(:has(.badge)) > * { grid-row: 1; }
  .board-scan svg { width: 14vmin; height: 14vmin; }
  .board-date { font-size: var(--b2); }
}
@media (max-aspect-ratio: 1/1) {
  .board { --clock: clamp(2.5rem, min(17vmin, 30cqi), 27rem); grid-template-columns: minmax(0, 1fr); grid-template-rows: auto minmax(0, 1fr); }
  .board-now { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2vmin 4vmin; padding: 4vmin 5vmin; border: 0; border-bottom: 1px solid var(--line); }
  .board-club { grid-column: 1 / -1; }
  .board-time { margin: 0; }
  .board-date { font-size: var(--b3); }
  .board-scan { flex-flow: column; align-items: center; gap: 1vmin; max-width: 30vmin; text-align: center; }
  .board-scan svg { width: 22vmin; height: 22vmin; }
  .board-next { padding: 4vmin 5vmin; }
  .board-rows li { grid-template-columns: 15vmin 13vmin minmax(0, 1fr) auto; gap: 0 2vmin; }
}
`;

/**
 * Script of the board. It draws every 15 seconds, so that a page turns, an event that has ended goes
 * at once, and a screen that runs for weeks keeps nothing of what it has shown.
 */
export const boardScript = `
function startBoard() {
  const theme = query.get('board');
  const words = byId('board').dataset;
  if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;
  document.body.dataset.board = '';
  document.body.append(byId('board').content.cloneNode(true));
  const board = document.querySelector('.board');
  const part = (name) => board.querySelector('.board-' + name);
  const weeks = 8;

  const create = (name, className, ...content) => {
    const element = document.createElement(name);
    element.className = className;
    element.append(...content);
    return element;
  };

  let source;
  let entries = [];
  /** Reads the events and the code again after the page took newer ones. */
  function read() {
    if (source === byId('events')) return;
    source = byId('events');
    const key = chosen();
    const { title } = document.body.dataset;
    const team = key === 'all' ? '' : ' · ' + teamNames()[key];
    part('club').replaceChildren(document.querySelector('.head > svg').cloneNode(true), create('span', '', title + team));
    const code = byId('phone').querySelector('.code.for-' + key);
    part('scan').replaceChildren();
    if (code !== null) {
      const [picture, address] = code.cloneNode(true).children;
      address.className = 'b1';
      part('scan').append(picture, create('div', '', create('h2', '', textIn(byId('phone'), 'h2')), address));
    }
    entries = rowsIn(document).filter((row) => isIn(row, key)).map((row) => ({
      start: startOf(row),
      end: endOf(row),
      time: textIn(row, '.time'),
      type: [...row.classList].find((name) => name.startsWith('t-')),
      status: row.classList[0],
      name: textIn(row, '.name'),
      place: [textIn(row, '.end'), textIn(row, '.at')].filter((text) => text !== '').join(' · '),
      state: textIn(row, '.state'),
      moved: row.querySelector('.moved'),
      was: textIn(row, '.moved s'),
    }));
    entries.sort((one, other) => one.start - other.start);
  }

  function heroOf({ start, time, type, name, place }, now) {
    const { when, soon } = whenOf(start, time, now, words);
    const hero = create('div', 'board-hero ' + type);
    if (soon !== '') hero.append(create('p', 'soon', soon));
    hero.append(create('p', 'when', when), create('h2', '', name));
    if (place !== '') hero.append(create('p', '', place));
    return hero;
  }

  function rowOf({ start, time, type, status, state, moved, was, name, place }, now) {
    const day = create('span', 'day', formats.shortWeekday.format(start) + ' ', create('b', '', formats.dayOfMonth.format(start)));
    if (dayOf(start).slice(0, -3) !== dayOf(now).slice(0, -3)) day.append(create('span', 'b1', formats.month.format(start)));
    const what = create('span', 'what', create('b', '', name));
    if (place !== '') what.append(create('span', 'b1', place));
    const row = create('li', type + ' ' + status,
      day,
      // The end has no room.
      create('span', 'time', start <= now ? words.now : time.split('–', 1)[0]),
      what);
    const isNews = moved !== null && Date.parse(moved.dataset.until) > now;
    if (state !== '') row.append(create('span', 'badge ' + status, state));
    else if (isNews && was !== '') row.append(create('span', 'badge news', capital(words.was.replace('{{when}}', () => was))));
    return row;
  }

  /** Splits rows into pages of as many as the screen shows whole. */
  function paginate(rows) {
    const list = part('rows');
    list.replaceChildren(...rows);
    const room = list.clientHeight;
    const pages = [[]];
    let height = 0;
    for (const row of rows) {
      const own = row.getBoundingClientRect().height;
      if (height + own > room && pages.at(-1).length > 0) {
        pages.push([]);
        height = 0;
      }
      pages.at(-1).push(row);
      height += own;
    }
    return pages;
  }

  let turns = 0;
  function draw(now) {
    read();
    const until = now + weeks * 7 * ${dayMs};
    const shown = entries.filter(({ start, end }) => end > now && start < until);
    const next = shown.find(({ status }) => status !== 'cancelled' && status !== 'draft');
    const others = shown.filter((entry) => entry !== next);
    part('clock').replaceChildren(...formats.time.formatToParts(now)
      .filter(({ type, value }) => type !== 'literal' || value.trim() !== '')
      .map(({ type, value }) => (type === 'dayPeriod' ? create('span', 'period', value) : value)));
    part('date').replaceChildren(
      create('span', '', capital(formats.weekday.format(now))), ' ', create('span', '', formats.date.format(now)));
    part('hero').replaceWith(
      next === undefined ? create('div', 'board-hero t-untyped', create('h2', '', words.none)) : heroOf(next, now));
    const asOf = Date.parse(document.body.dataset.asOf);
    const day = daysUntil(asOf, now) === 0 ? near.format(0, 'day') : formats.long.format(asOf);
    const state = words.asOf.replace('{{when}}', () => day + ', ' + formats.time.format(asOf));
    part('state').textContent = isOffline ? state + ' ' + byId('offline').dataset.text : state;
    part('state').classList.toggle('old', isOffline || isOld());
    const pages = paginate(others.map((entry) => rowOf(entry, now)));
    const page = turns % pages.length;
    part('rows').replaceChildren(...pages[page]);
    part('pages').setAttribute('aria-label', words.page.replace('{{page}}', page + 1).replace('{{pages}}', pages.length));
    part('pages').replaceChildren(...pages.flatMap((_, at) => (pages.length > 1 ? create('i', at === page ? 'on' : '') : [])));
    // So that nothing burns in.
    const step = Math.floor(now / ${10 * minuteMs}) % 4;
    board.style.translate = (step === 1 || step === 2 ? 2 : 0) + 'px ' + (step > 1 ? 2 : 0) + 'px';
  }

  /** Draws at the start of each quarter of a minute. */
  function turn() {
    setTimeout(() => {
      turns += 1;
      draw(Date.now());
      turn();
    }, 15000 - Date.now() % 15000);
  }
  draw(Date.now());
  turn();
  addEventListener('resize', () => draw(Date.now()));

  let idle;
  const rest = () => {
    board.classList.remove('idle');
    clearTimeout(idle);
    idle = setTimeout(() => board.classList.add('idle'), 5000);
  };
  addEventListener('pointermove', rest);
  rest();
}
if (query.has('board')) startBoard();
`;
