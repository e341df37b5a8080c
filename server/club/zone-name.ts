import { createRequire } from 'node:module';
import type * as WindowsIana from 'windows-iana';
import { asUsage, problem } from '../base/errors.ts';
import { intlName } from '../dates/zone.ts';
import { isTimeZone } from './timestamp.ts';

const require = createRequire(import.meta.url);

/** Returns true for an IANA name that this machine knows, and false for `+01:00`. */
export function isZoneName(name: string): boolean {
  return /^[A-Za-z]/.test(name) && isTimeZone(name);
}

/** Returns the IANA name for a Windows name (CLDR's table), as Outlook and Exchange write it. */
export function findWindowsName(name: string): string | undefined {
  if (!/ Time$/i.test(name)) return undefined;
  // Load the table on demand: this takes longer than reading most calendars.
  const { findIana } = require('windows-iana') as typeof WindowsIana;
  return findIana(name).find(isZoneName);
}

/** Returns the zone that a person names, as an IANA name in its usual case. Throws `time_zone_unknown`. */
export function readZoneName(text: string): string {
  const bare = text.trim();
  const name = isZoneName(bare) ? bare : findWindowsName(bare);
  if (name === undefined) throw asUsage(problem('time_zone_unknown', { text }));
  const known = [...Intl.supportedValuesOf('timeZone'), intlName(name)];
  const same = known.find((other) => other.toLowerCase() === name.toLowerCase());
  // `Intl` has some zones by older names only: it lists Europe/Kiev, not Europe/Kyiv.
  const toUpper = (letter: string) => letter.toUpperCase();
  return same ?? name.replace(/^[a-z].*$/, (text) => text.replace(/(?<![a-z])[a-z]/g, toUpper));
}
