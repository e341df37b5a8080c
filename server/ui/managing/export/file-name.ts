import type { Day } from '../../time/days.ts';

/** How much of a club's name goes into that of a file, in characters: far below what disks take. */
const longestClub = 50;

/** What no file system takes in a name, and marks that turn the direction of what follows. */
const unfit = /[/\\:*?"<>|\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** The name proposed for a file with the events of a club: `<club>-<day>.<ending>`. */
export function proposeFileName(club: string, day: Day, ending: string): string {
  const fit = Array.from(club.replace(unfit, ' ').replace(/\s+/g, ' ')).slice(0, longestClub);
  // A dot in front hides a file, a blank or a dot at the end is lost on Windows.
  const name = fit.join('').replace(/^[\s.]+|[\s.]+$/g, '');
  return `${name || 'club-events'}-${day}.${ending}`;
}
