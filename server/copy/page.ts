import { hash } from 'node:crypto';

/** The start of the events in a page for members, with the digest of their text. */
const startInPage = /<script type="application\/json" id="events" data-sha256="([0-9a-f]*)">/;
const endInPage = '</script>';

/** Writes a copy as a part of a page. */
export function writeCopyInPage(text: string): string {
  const sha256 = hash('sha256', text);
  return `<script type="application/json" id="events" data-sha256="${sha256}">${text}${endInPage}\n`;
}

/** Replaces the copy in a page. */
export function replaceCopyInPage(page: string, text: string): string {
  const from = startInPage.exec(page)?.index ?? page.length;
  const to = page.indexOf(`${endInPage}\n`, from) + `${endInPage}\n`.length;
  return page.slice(0, from) + writeCopyInPage(text) + page.slice(to);
}

/** Returns the JSON in a page for members, or the reason why there is none to trust. */
export function findCopyInPage(page: string): { readonly json: string } | 'damaged' | 'none' {
  const found = startInPage.exec(page);
  if (found === null) {
    // Every page of this program has these; the start may be cut off or damaged.
    const isOwn = page.includes('id="calendar"') || page.includes('data-sha256=');
    return isOwn ? 'damaged' : 'none';
  }
  const from = found.index + found[0].length;
  const to = page.indexOf(endInPage, from);
  const json = page.slice(from, to);
  return to === -1 || hash('sha256', json) !== found[1] ? 'damaged' : { json };
}
