// JavaScript, because npm may run on an older Node.js.

/**
 * Moves the clock of a program by `CLOCK_AHEAD` milliseconds, with `NODE_OPTIONS=--import=…`. Timers
 * and the times of files stay.
 */
const { Date: RealDate } = globalThis;
const ahead = Number(process.env['CLOCK_AHEAD'] ?? 0);

const now = () => RealDate.now() + ahead;

// A subclass would not be the type of dates that Node creates.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, values, type) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, type),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
