import { minuteMs } from './units.ts';
import { joints, oneOf } from './vocabulary.ts';
import { isKnownZone, isSameZone, zoneNamed } from './zone.ts';

const exact = '(?:UTC|GMT|Z)(?: ?[+-]\\d{1,2}(?::?[0-5]\\d)?)?|\\+\\d\\d:?[0-5]\\d';
/** Usual short names of zones. */
const short =
  '[ECMP][SD]?T|AK[SD]T|HST|[AN][SD]T|BST|IST|WES?T|CES?T|EES?T|MSK|ME?S?Z|MESZ|WEZ|OEZ|SAST|A[CEW][SD]?T|NZ[SD]T|JST|KST|SGT|HKT';
const zoneForm = new RegExp(
  `^(?<time>.*\\d.*?)\\s*(?:\\(?(?<exact>${exact})\\)?|\\(?(?<short>${short})\\)?|\\((?<city>\\p{Lu}[\\p{L} ]+?)(?: time)?\\)|\\(?(?<name>\\p{Lu}\\p{L}+(?:/\\p{Lu}[\\p{L}_-]+){1,2})\\)?)$`,
  'u',
);

/** The zone behind the start of a range of times, as in "18:00 UTC - 20:00 UTC". */
const firstZone = new RegExp(
  `(?<=\\d)\\s*\\(?(${exact}|${short})\\)?(?=\\s+(?:\\p{Pd}|à|${oneOf(joints.range)})\\s+\\d|-(?:1[5-9]|2\\d))`,
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

/** A named zone: its offset from UTC in milliseconds, undefined for the club's, or that of others. */
export type NamedZone = number | undefined | 'foreign';

/** A time of day without the zone that is named behind it. */
export type ZonedTime = {
  readonly time: string;
  /** The offset from UTC in milliseconds; undefined on the clock of the club. */
  readonly offset: number | undefined;
};

/** Splits the zone from a time that names one; `foreign` if it is a named one that is not the club's. */
function splitOwnZone(cell: string, own: string): ZonedTime | 'foreign' | undefined {
  const [, first] = firstZone.exec(cell) ?? [];
  if (first !== undefined) {
    const rest = cell.replace(firstZone, '').trim();
    const isTwice = rest.replace(/\)$/, '').endsWith(first);
    if (!isTwice && zoneForm.test(rest)) return 'foreign';
    return splitOwnZone(isTwice ? rest : `${rest} ${first}`, own);
  }
  const { time, exact: utc, short: code, city, name } = zoneForm.exec(cell.trim())?.groups ?? {};
  if (time === undefined || (city !== undefined && !isCity(city))) return undefined;
  if (name !== undefined) {
    if (!isKnownZone(name)) return undefined;
    return isSameZone(name, own) ? { time, offset: undefined } : 'foreign';
  }
  if (utc !== undefined) return { time, offset: offsetOf(utc) };
  return namesOf(own).has(code ?? city ?? '') ? { time, offset: undefined } : 'foreign';
}

/** Returns a time without the zone behind it, whatever zone this is. */
export const withoutZone = (cell: string): string => {
  const split = splitOwnZone(cell, 'UTC');
  return split === 'foreign'
    ? (zoneForm.exec(cell.trim())?.groups?.['time'] ?? cell)
    : (split?.time ?? cell);
};

/** Splits the zone from a time, which is in the zone `otherwise` if it names none. */
export function splitZone(cell: string, own: string, otherwise?: NamedZone): ZonedTime | 'foreign' {
  const split = splitOwnZone(cell, own);
  if (split !== undefined) return split;
  return otherwise === 'foreign' ? 'foreign' : { time: cell, offset: otherwise };
}

/** Countries as headings name them, with the beginning of their zones. */
const countries: Readonly<Record<string, string>> = {
  UK: 'Europe/London',
  GB: 'Europe/London',
  US: 'America/',
  USA: 'America/',
};

const exactForm = /(?<![\p{L}\d])(?:UTC|GMT)(?: ?[+-]\d{1,2}(?::?[0-5]\d)?)?(?![\p{L}\d])/iu;

/** A short name at the end of a heading; two letters, as in "DATE ET", and "WEST" may be words. */
const lastForm = new RegExp(`(?<=\\s)(?!WEST)(?:${short})(?<=\\p{L}{3})$`, 'u');

/** Returns the zone of a name or an offset alone, such as "UTC+2", "UK" or "Europe/London". */
function readZone(name: string, own: string): NamedZone | 'unknown' {
  const text = name.trim();
  if (text.includes('/') && isKnownZone(text)) return isSameZone(text, own) ? undefined : 'foreign';
  const country = countries[text.toUpperCase()];
  if (country !== undefined) return own.startsWith(country) ? undefined : 'foreign';
  const upper = text.replace(/^(?:utc|gmt|z$)/i, (code) => code.toUpperCase());
  const bracketed = isCity(upper) ? `(${upper})` : upper;
  const split = splitOwnZone(`12:00 ${bracketed}`, own);
  if (split === undefined) return 'unknown';
  return split === 'foreign' ? split : split.offset;
}

/** Returns the zone that a heading of times names, as in "Time (UK)"; undefined for none. */
export function zoneOfHeading(heading: string, own: string): NamedZone {
  const text = heading.trim();
  const [, inBrackets] = /[([]\s*([^)\]]+?)(?: time)?\s*[)\]]/.exec(text) ?? [];
  const [code = inBrackets ?? ''] = exactForm.exec(text) ?? lastForm.exec(text) ?? [];
  const zone = readZone(code, own);
  return zone === 'unknown' ? undefined : zone;
}

const timesForm =
  /(?:times?|zeiten|uhrzeiten|zeitangaben|heures?|horaires?|tijden)(?!\p{L}).*?(?:(?<!\p{L})(?:in|en|are|sind|sont|zijn)|[:=])\s+(.+?)(?: time|-zeit)?[.!)]*$/iu;

/** Returns the zone that a text gives all times, as in "All times are UTC"; undefined for none. */
export function zoneOfTimes(text: string, own: string): NamedZone {
  const [, name = ''] = timesForm.exec(text.trim()) ?? [];
  const zone = readZone(exactForm.exec(name)?.[0] ?? name, own);
  return zone === 'unknown' ? undefined : zone;
}

/** Returns the zone of a cell in a column of zones; any unknown name is one of others. */
export function zoneOfCell(cell: string, own: string): NamedZone {
  if (/^(?:$|local|lokal|locale|lokaal|ortszeit)/i.test(cell.trim())) return undefined;
  const zone = readZone(cell, own);
  if (zone !== 'unknown') return zone;
  const hasOwnName = [...namesOf(own)].some((name) => name.length > 2 && cell.includes(name));
  return hasOwnName ? undefined : 'foreign';
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
