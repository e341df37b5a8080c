export const pageScheme = 'app';

/** The origin of the page, the same for every port of the service. */
export const pageOrigin = `${pageScheme}://club-events`;

/** Returns scheme, host and port. `URL.origin` is "null" for schemes that Node does not know. */
function originOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed === null ? undefined : `${parsed.protocol}//${parsed.host}`;
}

/** Returns whether a URL has exactly the scheme, host and port of an origin. */
export function hasOrigin(url: string, origin: string | undefined): boolean {
  return origin !== undefined && originOf(url) === origin;
}

/** Returns whether a URL names a blob that a page of the origin created. */
export function isBlobOfPage(url: string, origin: string | undefined): boolean {
  return url.startsWith('blob:') && hasOrigin(url.slice('blob:'.length), origin);
}
