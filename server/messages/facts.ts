/**
 * Names and addresses of the program that people and their systems remember. For the owner: decide
 * each one before the first release, which is refused while an address ends in `.invalid` (RFC 2606).
 * The reasons name what a later change breaks.
 */
export const facts = {
  /**
   * The taskbar and the notifications of Windows, the uninstaller, the settings and rights of macOS
   * and the stores of programs know the program by this id: with another one it is another program,
   * beside the first. It is a domain in reverse, so hold `clubevents.org`, or choose one that you hold.
   */
  applicationId: 'org.clubevents.desktop',
  /**
   * The name in the registry of npm, which `npx` runs: the holder of the name runs programs on the
   * computers of all who type it. Hold it, or a scope, before a document names it without `--no`. It
   * is also the command, the folder of the data and the scheme of links.
   */
  npmName: 'club-events',
  /** The page of the project, which a deb names. */
  homepage: 'https://club-events.invalid/',
  /** The name and address that a deb names; it is public. */
  maintainer: 'The Club Events authors <nobody@club-events.invalid>',
  /** The page with the files to download. Installed programs look for updates where it is. */
  releases: 'https://club-events.invalid/releases',
  /** The page or address for questions and reports, which Help shows as soon as it is decided. */
  reports: 'https://club-events.invalid/issues',
  /**
   * The end of the UID of each event in calendar files. It never changes, also with another homepage:
   * calendars would show each event twice. Nothing is requested from it.
   */
  uidDomain: 'club-events.invalid',
  /** The PRODID of each calendar file, by which an import knows an export of this program. */
  productId: '-//Club Events//Club Events//EN',
} as const;

/** Returns false for an address of the domain that nobody can have. */
export function isDecided(address: string): boolean {
  return !/\.invalid\b/.test(address);
}
