import { splitContacts } from './links-in-text.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML, also in an attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Puts a value into a sentence of the catalogue. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? '');
}

/** Writes the start of a link that opens in a tab of its own, and tells that page nothing. */
export const outsideLink = (href: string): string =>
  `<a href="${escapeHtml(href)}" target="_blank" rel="noreferrer"`;

/** Writes an untrusted text, in which addresses and telephone numbers are links. */
export function writeLinkedText(text: string): string {
  return splitContacts(text)
    .map(({ text: part, href }) => {
      const escaped = escapeHtml(part);
      if (href === null) return escaped;
      const isOutside = /^https?:/i.test(href);
      return `${isOutside ? outsideLink(href) : `<a href="${escapeHtml(href)}"`}>${escaped}</a>`;
    })
    .join('');
}

/** Drawings of 24 × 24 units, of which the page uses each several times. */
const drawings = {
  add: 'M12.5 21h-6.5a2 2 0 0 1-2-2v-12a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v5M16 3v4M8 3v4M4 11h16M16 19h6M19 16v6',
  calendar:
    'M4 7a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-12a2 2 0 0 1-2-2zM16 3v4M8 3v4M4 11h16M8 15h2v2h-2z',
} as const;

export const writeIcon = (name: keyof typeof drawings): string =>
  `<svg class="i" viewBox="0 0 24 24" aria-hidden="true"><path d="${drawings[name]}"/></svg>`;

/** Returns the address of the drawing of an icon, for a style. */
export const iconAddress = (name: keyof typeof drawings): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#000" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"><path d="${drawings[name]}"/></svg>`,
  )}`;

/** Returns the first letters of the first two words of a name. */
function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toUpperCase();
}

/** Writes the mark of a club: its initials in a circle. */
export function writeMark(club: string, more = ''): string {
  return `<svg${more} viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="23" fill="#12355b"/><text x="24" y="31" text-anchor="middle" font-family="system-ui,sans-serif" font-size="20" font-weight="700" fill="#fff">${escapeHtml(initialsOf(club))}</text></svg>`;
}

/** Returns the address of the mark as a picture, for the tab of a browser. */
export const markAddress = (club: string): string =>
  `data:image/svg+xml,${encodeURIComponent(writeMark(club, ' xmlns="http://www.w3.org/2000/svg"'))}`;
