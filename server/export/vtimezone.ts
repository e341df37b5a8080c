import type { Wall, Zone } from '../dates/clock.ts';
import { dayMs } from '../dates/units.ts';

/** Changes of the clock that follow each other are at least this far apart. */
const stepMs = 7 * dayMs;

/** Days around the events for which a zone is described, as readers compare neighbouring days. */
const marginMs = 400 * dayMs;

/** Formats a wall time as a DATE-TIME without a zone. */
export function writeWall(wall: Wall): string {
  return new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
}

/** Formats an offset in milliseconds as `+0200`, or `+005328` if it has seconds. */
function writeOffset(offset: number): string {
  const size = new Date(Math.abs(offset)).toISOString().slice(11, 19).replaceAll(':', '');
  return `${offset < 0 ? '-' : '+'}${size.replace(/00$/, '')}`;
}

/** Returns the first instant after `from` at which the offset is that of `to`. */
function findChange({ toWall }: Zone, from: number, to: number): number {
  const after = toWall(to) - to;
  let [low, high] = [from, to];
  while (high - low > 1_000) {
    const middle = Math.floor((low + high) / 2_000) * 1_000;
    if (toWall(middle) - middle === after) high = middle;
    else low = middle;
  }
  return high;
}

function writePart(kind: string, wall: Wall, before: number, after: number): string[] {
  return [
    `BEGIN:${kind}`,
    `DTSTART:${writeWall(wall)}`,
    `TZOFFSETFROM:${writeOffset(before)}`,
    `TZOFFSETTO:${writeOffset(after)}`,
    `END:${kind}`,
  ];
}

/**
 * Returns the lines of a VTIMEZONE (RFC 5545 section 3.6.5) for instants between two others. Each
 * change of the clock is written out: a rule would hold for the past only by chance.
 */
export function writeTimeZone(
  name: string,
  zone: Zone,
  { first, last }: { readonly first: number; readonly last: number },
): string[] {
  const start = Math.floor((first - marginMs) / dayMs) * dayMs;
  let offset = zone.toWall(start) - start;
  const parts = writePart('STANDARD', start + offset, offset, offset);
  for (let from = start; from < last + marginMs; from += stepMs) {
    const to = from + stepMs;
    const after = zone.toWall(to) - to;
    if (after === offset) continue;
    const at = findChange(zone, from, to);
    parts.push(...writePart(after > offset ? 'DAYLIGHT' : 'STANDARD', at + offset, offset, after));
    offset = after;
  }
  return ['BEGIN:VTIMEZONE', `TZID:${name}`, ...parts, 'END:VTIMEZONE'];
}
