/** Maximum length of a title in a file name, in characters; below all system limits. */
const maxLength = 50;

/** Characters that file systems reject in names, and marks that change the text direction. */
const unsafe = /[/\\:*?"<>|\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Returns a title, such as a club's name, as a file name without extension for every system. */
export function fileNameOf(title: string): string {
  const safe = Array.from(title.replace(unsafe, ' ').replace(/\s+/g, ' ')).slice(0, maxLength);
  // A leading dot hides the file; Windows drops a trailing space or dot.
  return safe.join('').replace(/^[\s.]+|[\s.]+$/g, '') || 'club-events';
}

/** Returns the default name of a file of a club: `<club>-<day>.<ending>`. */
export function proposeFileName(club: string, day: string, ending: string): string {
  return `${fileNameOf(club)}-${day}.${ending}`;
}
