/**
 * Style of the board: read from across the room, with nothing to press. Its four sizes follow the
 * smaller side of the screen.
 */
export const boardStyle = `
body[data-board] { display: block; max-width: none; margin: 0; padding: 0; overflow: hidden; }
body[data-board] > :not(.board) { display: none; }
.board {
  --b1: clamp(0.8125rem, 2.3vmin, 4rem); --b2: clamp(0.9375rem, 3.3vmin, 6rem);
  --b3: clamp(1.125rem, 5vmin, 9rem); --b4: clamp(2.5rem, 15vmin, 27rem);
  display: grid; grid-template-columns: 31vw minmax(0, 1fr); height: 100vh;
  font-size: var(--b2); line-height: 1.3;
}
.board.idle { cursor: none; }
.board :is(h1, h2, ol) { margin: 0; padding: 0; }
.board ol { list-style: none; }
.board .b1 { color: var(--ink-2); font-size: var(--b1); line-height: 1.35; }
.board-now { display: flex; flex-direction: column; gap: 3vmin; padding: 5vmin 4vmin 4vmin 5vmin; background: var(--quiet); border-inline-end: 1px solid var(--line); }
.board h1 { font-size: var(--b2); font-weight: 650; line-height: 1.3; }
.board-clock { margin-top: 4vmin; font-size: var(--b4); font-weight: 650; line-height: 1; letter-spacing: -0.045em; font-variant-numeric: tabular-nums; }
.board-date { font-size: var(--b3); line-height: 1.2; overflow-wrap: normal; }
.board-scan { display: flex; align-items: center; gap: 2.5vmin; margin-top: auto; }
.board-scan svg { flex: none; width: 17vmin; height: 17vmin; border-radius: 1vmin; }
.board-next { display: flex; flex-direction: column; min-height: 0; padding: 5vmin 5vmin 4vmin; }
.board-hero { position: relative; padding: 3.5vmin 4vmin 3.5vmin 5vmin; border-radius: 2vmin; background: var(--brand-soft); }
.board-hero .soon { float: right; margin-inline-start: 2vmin; color: var(--ink-2); }
.board-hero .when { color: var(--brand); font-size: var(--b3); font-weight: 650; line-height: 1.15; }
.board h2 { font-size: var(--b3); font-weight: 650; line-height: 1.15; }
.board .board-scan h2 { font-size: var(--b2); line-height: 1.3; }
.board-date span { display: block; }
.board-rows li { display: grid; grid-template-columns: 20vmin 13vmin minmax(0, 1fr) auto; gap: 0 2vmin; align-items: center; min-height: 11vmin; padding: 1.6vmin 4vmin 1.6vmin 0; }
.board-rows { margin-top: 1.5vmin; }
.board-rows li:last-child { border-bottom: 0; }
.board-rows .day { padding-inline-start: 2.4vmin; white-space: nowrap; }
.board-rows .time { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.board .what { position: relative; padding-inline-start: 3vmin; }
.board :is(.what, .day) b { font-weight: 650; }
.board .what > *, .board-hero h2 + p { display: block; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.board-hero h2 { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.board-hero::before, .board .what::before { content: ""; position: absolute; inset-block: 0.4vmin; inset-inline-start: 0.6vmin; border-inline-start: 0.7vmin solid currentcolor; border-radius: 1vmin; color: var(--type); }
.board-hero::before { inset-block: 3.5vmin; inset-inline-start: 2.6vmin; border-inline-start-width: 0.9vmin; }
.board .mark { width: auto; margin: 0 0.9vmin 0 2vmin; color: var(--type); }
.board .badge { padding: 0.2em 0.7em; border: 1px solid; border-radius: 2em; font-size: var(--b1); font-weight: 650; line-height: 1.3; }
.board .cancelled .what b { color: var(--ink-2); text-decoration: line-through; }
.board .cancelled .badge { color: var(--bad); }
.board .t-club { --type: var(--club); } .board .t-regional { --type: var(--regional); } .board .t-national { --type: var(--national); }
.board .t-international { --type: var(--international); } .board .t-untyped { --type: var(--none); }
.board-foot { display: flex; justify-content: space-between; gap: 2vmin; margin-top: auto; padding-top: 2vmin; }
.board-pages { display: flex; gap: 1vmin; align-items: center; }
.board-pages i { width: 1.3vmin; height: 1.3vmin; border: 0.25vmin solid var(--ink-2); border-radius: 50%; }
.board-pages .on { background: var(--ink); border-color: var(--ink); }
@media (width < 40rem) {
  body[data-board] { overflow: auto; }
  .board { grid-template-columns: minmax(0, 1fr); height: auto; min-height: 100vh; }
  .board-rows li { grid-template-columns: minmax(0, 1fr); padding-inline-start: 3vmin; }
  .board-rows .day { padding: 0; }
  .board-rows .time { text-align: start; }
  .board .badge { justify-self: start; }
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
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
  document.body.dataset.board = '';
  document.body.append(byId('board').content.cloneNode(true));
  const board = document.querySelector('.board');
  const part = (name) => board.querySelector('.board-' + name);
  const phone = document.querySelector('.phone');
  const perPage = 5;
  const weeks = 8;

  const create = (name, className, ...content) => {
    const element = document.createElement(name);
    element.className = className;
    element.append(...content);
    return element;
  };
  if (phone !== null) {
    const [title, code, address] = phone.cloneNode(true).children;
    address.className = 'b1';
    part('scan').append(code, create('div', '', title, address));
  }
  const timeZone = document.body.dataset.zone;
  const formatOf = (options) => new Intl.DateTimeFormat(lang, { timeZone, ...options });
  const formats = {
    day: new Intl.DateTimeFormat('sv', { timeZone }),
    time: formatOf({ hour: '2-digit', minute: '2-digit' }),
    long: formatOf({ weekday: 'long', day: 'numeric', month: 'long' }),
    weekday: formatOf({ weekday: 'long' }),
    date: formatOf({ day: 'numeric', month: 'long' }),
    short: formatOf({ weekday: 'short', day: 'numeric' }),
    withMonth: formatOf({ weekday: 'short', day: 'numeric', month: 'short' }),
  };
  const near = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' });
  const capital = (text) => text.slice(0, 1).toLocaleUpperCase(lang) + text.slice(1);
  const dayOf = (moment) => formats.day.format(moment);
  const daysUntil = (moment, now) => Math.round((Date.parse(dayOf(moment)) - Date.parse(dayOf(now))) / 86400000);

  let source;
  let entries = [];
  /** Reads the events again after the page took newer ones. */
  function read() {
    if (source === byId('events')) return;
    source = byId('events');
    entries = [...document.querySelectorAll('main li[data-end]')].map((event) => {
      const textOf = (selector) => event.querySelector(selector)?.lastChild.textContent ?? '';
      return {
        start: Date.parse(event.querySelector('time').dateTime),
        end: Date.parse(event.dataset.end),
        time: event.querySelector('time span + span')?.textContent ?? '',
        type: 't-' + event.querySelector('.mark').className.split(' ').at(-1),
        mark: event.querySelector('.mark').textContent,
        status: event.className,
        name: textOf('.name'),
        place: [textOf('.end'), textOf('.place')].filter((text) => text !== '').join(' · '),
        kind: textOf('.type'),
        state: textOf('.state'),
      };
    });
    entries.sort((one, other) => one.start - other.start);
  }

  function heroOf({ start, time, type, name, place }, now) {
    const days = daysUntil(start, now);
    const day = days === 0 || days === 1 ? near.format(days, 'day') : formats.long.format(start);
    const hours = Math.round((start - now) / 3600000);
    const minutes = Math.max(1, Math.round((start - now) / 60000));
    const soon = hours < 1 ? near.format(minutes, 'minute') : days < 1 ? near.format(hours, 'hour') : near.format(days, 'day');
    const isNow = start <= now;
    const when = [isNow ? words.now : capital(day), time].filter((text) => text !== '').join(', ');
    const hero = create('div', 'board-hero ' + type);
    if (!isNow && days !== 1 && time !== '') hero.append(create('p', 'soon', soon));
    hero.append(create('p', 'when', when), create('h2', '', name), create('p', '', place));
    return hero;
  }

  const partsOf = (format, moment) =>
    format.formatToParts(moment).map(({ type, value }) => (type === 'day' ? create('b', '', value) : value));

  function rowOf({ start, time, type, mark, kind, status, state, name, place }, now) {
    const isThisMonth = dayOf(start).slice(0, -3) === dayOf(now).slice(0, -3);
    const details = create('span', 'b1', place);
    if (kind !== '') details.append(create('span', 'mark', mark), kind);
    const row = create('li', type + ' ' + status,
      create('span', 'day', ...partsOf(isThisMonth ? formats.short : formats.withMonth, start)),
      // The end has no room.
      create('span', 'time', start <= now ? words.now : time.split('–', 1)[0]),
      create('span', 'what', create('b', '', name), details));
    if (state !== '') row.append(create('span', 'badge', state));
    return row;
  }

  let turns = 0;
  function draw(now) {
    read();
    const until = now + weeks * 7 * 86400000;
    const shown = entries.filter(({ start, end }) => end > now && start < until);
    const next = shown.find(({ status }) => status !== 'cancelled' && status !== 'draft');
    const others = shown.filter((entry) => entry !== next);
    const pages = Math.max(1, Math.ceil(others.length / perPage));
    const page = turns % pages;
    const rows = others.slice(page * perPage, (page + 1) * perPage);
    part('clock').textContent = formats.time.format(now);
    part('date').replaceChildren(
      create('span', '', capital(formats.weekday.format(now))), create('span', '', formats.date.format(now)));
    part('club').textContent = byId('title').textContent;
    part('hero').replaceWith(
      next === undefined ? create('div', 'board-hero t-untyped', create('h2', '', words.none)) : heroOf(next, now));
    part('rows').replaceChildren(...rows.map((entry) => rowOf(entry, now)));
    const asOf = Date.parse(document.body.dataset.asOf);
    const day = daysUntil(asOf, now) === 0 ? near.format(0, 'day') : formats.long.format(asOf);
    const state = words.asOf.replace('{{when}}', () => day + ', ' + formats.time.format(asOf));
    part('state').textContent = isOffline ? state + ' ' + byId('offline').dataset.text : state;
    part('state').classList.toggle('old', isOffline || isOld());
    part('pages').setAttribute('aria-label', words.page.replace('{{page}}', page + 1).replace('{{pages}}', pages));
    part('pages').replaceChildren(...Array.from({ length: pages > 1 ? pages : 0 }, (_, at) => create('i', at === page ? 'on' : '')));
    // So that nothing burns in.
    const step = Math.floor(now / 600000) % 4;
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
