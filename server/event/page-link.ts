/** A file that is kept up to date, as far as a link to it needs. */
type LinkedFile = {
  readonly format: string;
  /** The address at which members read it; null for none. */
  readonly address: string | null;
  readonly search: string;
  readonly types: readonly unknown[];
  /** The name of the team whose events it has; null for all. */
  readonly team: string | null;
  /** True if members were seen not to get it at its address. */
  readonly isBroken: boolean;
};

/** Returns the address of a page that shows the events of a team. */
function addressWith(address: string, team: string): string {
  const url = new URL(address);
  url.search += `${url.search === '' ? '?' : '&'}only=${encodeURIComponent(team)}`;
  return url.href;
}

/** Returns the pages for members that a message can name: all that members can open. */
export const linkedPages = <File extends LinkedFile>(files: readonly File[]) =>
  files.filter(
    (file): file is File & { readonly address: string } =>
      file.format === 'html' && file.address !== null && !file.isBroken,
  );

/**
 * Returns the address of the page for members with the events of a team, or with all for an empty
 * name; null without such a page.
 */
export function linkFor(files: readonly LinkedFile[], team: string): string | null {
  const pages = linkedPages(files).filter(
    ({ search, types }) => search === '' && types.length === 0,
  );
  const own = pages.find((page) => page.team === (team === '' ? null : team));
  if (own !== undefined) return own.address;
  const all = pages.find((page) => page.team === null);
  return all === undefined ? null : addressWith(all.address, team);
}
