/** Whether a page at this URL came from the service: its scheme, address and port, exactly. */
export function isFromService(url: string, origin: string | undefined): boolean {
  const parsed = URL.parse(url);
  // The origin of a `blob:` is that of its maker, but it is no page of the service.
  return parsed !== null && parsed.protocol === 'http:' && parsed.origin === origin;
}

/** Whether this is a file that a page of the service made itself, in memory. */
export function isMadeByPage(url: string, origin: string | undefined): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.protocol === 'blob:' && parsed.origin === origin;
}

/** A link that may be opened in the browser once the user agreed; undefined for any other. */
export function parseExternalUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  // A name before the host is how links pretend to lead elsewhere.
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '';
  return isPlain ? url : undefined;
}
