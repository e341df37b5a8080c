/** The scheme of the page in the window. */
export const pageScheme = 'app';

/** The origin of the page, which is the same on every port of the service. */
export const pageOrigin = `${pageScheme}://club-events`;

/** Scheme, host and port; `URL.origin` is "null" for schemes that Node does not know. */
function originOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed === null ? undefined : `${parsed.protocol}//${parsed.host}`;
}

/** Returns whether a page at this URL is of an origin: its scheme, host and port, exactly. */
export function isOfOrigin(url: string, origin: string | undefined): boolean {
  return origin !== undefined && originOf(url) === origin;
}

/** Returns whether this is a file that a page of the origin made itself, in memory. */
export function isMadeByPage(url: string, origin: string | undefined): boolean {
  return url.startsWith('blob:') && isOfOrigin(url.slice('blob:'.length), origin);
}

/** A link that may be opened in the browser once the user agreed; undefined for any other. */
export function parseExternalUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  // A name before the host is how links pretend to lead elsewhere.
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '';
  return isPlain ? url : undefined;
}
