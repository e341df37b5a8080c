import { minuteMs } from './units.ts';
import { zoneNamed } from './zone.ts';

const exact = '(?:UTC|GMT|Z)(?: ?[+-]\\d{1,2}(?::?[0-5]\\d)?)?|\\+\\d\\d:?[0-5]\\d';
/** Usual short names of zones. */
const short =
  '[ECMP][SD]?T|AK[SD]T|HST|[AN][SD]T|BST|IST|WES?T|CES?T|EES?T|MSK|ME?S?Z|MESZ|WEZ|OEZ|SAST|A[CEW][SD]?T|NZ[SD]T|JST|KST|SGT|HKT';
const zoneForm = new RegExp(
  `^(?<time>.*\\d.*?)\\s*(?:\\(?(?<exact>${exact})\\)?|\\(?(?<short>${short})\\)?|\\((?<city>\\p{Lu}[\\p{L} ]+?)(?: time)?\\))$`,
  'u',
);

/** Returns true for a place after which a zone is named, such as London. */
const isCity = (name: string) =>
  Intl.supportedValuesOf('timeZone').some((zone) => zone.endsWith(`/${name.replace(/ /g, '_')}`));

/** Returns the names of a zone in summer and winter, in several languages. */
function namesOf(zone: string): ReadonlySet<string> {
  const names = ['en-GB', 'en-US', 'en-AU', 'de', 'fr', 'nl'].flatMap((locale) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' });
    return [0, 6].map((month) => {
      const parts = format.formatToParts(Date.UTC(2026, month, 15));
      return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    });
  });
  return new Set([...names, zone.split('/').at(-1)?.replace(/_/g, ' ') ?? '']);
}

/** Returns an offset such as "UTC+2" or "+05:30" in milliseconds. */
function offsetOf(text: string): number {
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d{1,2}):?(\d\d)?$/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMs;
}

/** A time of day without the zone that is named behind it. */
export type ZonedTime = {
  readonly time: string;
  /** The offset from UTC in milliseconds; undefined on the clock of the club. */
  readonly offset: number | undefined;
};

/** Splits the zone from a time; `foreign` if it is a named one that is not the club's. */
export function splitZone(cell: string, own: string): ZonedTime | 'foreign' {
  const { time, exact: utc, short: code, city } = zoneForm.exec(cell.trim())?.groups ?? {};
  if (time === undefined || (city !== undefined && !isCity(city))) {
    return { time: cell, offset: undefined };
  }
  if (utc !== undefined) return { time, offset: offsetOf(utc) };
  return namesOf(own).has(code ?? city ?? '') ? { time, offset: undefined } : 'foreign';
}

/** Returns a time of an offset on the clock of a zone, as `YYYY-MM-DDTHH:MM:SS` with its offset. */
export function onClock(local: string, offset: number, zone: string): string {
  const instant = Date.parse(`${local}Z`) - offset;
  const wall = zoneNamed(zone).toWall(instant);
  const minutes = Math.round((wall - instant) / minuteMs);
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const sign = minutes < 0 ? '-' : '+';
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${new Date(wall).toISOString().slice(0, 19)}${sign}${pad(hours)}:${pad(rest)}`;
}
