import type { Day } from '../../time/days.ts';

/** Maximum length of the club's name in a file name, in characters; below all system limits. */
const maxClubLength = 50;

/** Characters that file systems reject in names, and marks that change the text direction. */
const unsafe = /[/\\:*?"<>|\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Returns the default name of an export file: `<club>-<day>.<ending>`. */
export function proposeFileName(club: string, day: Day, ending: string): string {
  const safe = Array.from(club.replace(unsafe, ' ').replace(/\s+/g, ' ')).slice(0, maxClubLength);
  // A leading dot hides the file; Windows drops a trailing space or dot.
  const name = safe.join('').replace(/^[\s.]+|[\s.]+$/g, '');
  return `${name || 'club-events'}-${day}.${ending}`;
}
