/**
 * The address of the program's own scheme, and its place in the fake: Chromium alone cannot have
 * such a scheme, so that its pages are of a host that no request leaves for.
 */
const inElectron = 'app://club-events';
const inChromium = 'http://club-events.localhost';

/** The requests that the program answers, as Chromium's protocol for tools writes a pattern. */
export const ownRequests = `${inChromium}/*`;

function replaceOrigin(url: string, from: string, to: string): string {
  const start = url.startsWith('blob:') ? 'blob:' : '';
  const rest = url.slice(start.length);
  const matches = rest === from || rest.startsWith(`${from}/`);
  return matches ? `${start}${to}${rest.slice(from.length)}` : url;
}

export function toChromium(url: string): string {
  return replaceOrigin(url, inElectron, inChromium);
}

export function toElectron(url: string): string {
  return replaceOrigin(url, inChromium, inElectron);
}
