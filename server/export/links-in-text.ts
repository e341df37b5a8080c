const address = /\bhttps?:\/\/[^\s<>"]+/gi;

/** Characters that end a sentence rather than an address. */
const sentenceEnds = new Set(".,;:!?'’”»)]}");

/** Returns the address without the punctuation after it. */
function withoutSentenceEnd(text: string): string {
  let end = text.length;
  // Not by a regular expression, which would take minutes for a long text of such characters.
  while (sentenceEnds.has(text[end - 1] ?? '')) end -= 1;
  // A bracket that opens in the address closes in it too.
  if (text[end] === ')' && text.includes('(')) end += 1;
  return text.slice(0, end);
}

type TextPart = { readonly text: string; readonly isLink: boolean };

/** Splits an untrusted text into its web addresses, only http and https, and the text around them. */
export function* splitLinks(
  text: string,
  canBeLink: (url: URL) => boolean = () => true,
): Generator<TextPart> {
  let done = 0;
  for (const { 0: match, index } of text.matchAll(address)) {
    const found = withoutSentenceEnd(match);
    const url = URL.parse(found);
    if (url === null || !canBeLink(url)) continue;
    if (index > done) yield { text: text.slice(done, index), isLink: false };
    yield { text: found, isLink: true };
    done = index + found.length;
  }
  if (done < text.length) yield { text: text.slice(done), isLink: false };
}

/** A part of a text, and where it leads; null for words alone. */
export type LinkedPart = { readonly text: string; readonly href: string | null };

/** The address of a mailbox. Its length is bounded, so that a long text of letters is read once. */
const mailbox = /(?<![\w.%+-])[\w.%+-]{1,64}@(?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,24}(?![\w@-])/gi;

/** Text that can be a telephone number: international, or with the zero of its area. */
const telephone = /(?<![\w+.,/-]|\d[: ])(?:\+\d|\(?0\d)[\d ()./-]{4,20}\d(?![\w:-])/g;

/** Returns true for digits that people read as dates, times or hours, such as "05.12.2026". */
function isDateOrTime(text: string): boolean {
  if (/^\d{1,2}([./-])\d{1,2}\1\d{4}(?!\d)/.test(text)) return true;
  const groups = text.match(/\d+/g) ?? [];
  return !text.startsWith('+') && groups.length < 5 && groups.every((group) => group.length < 3);
}

function findTelephone(text: string): string | null {
  const digits = text.replace(/\D/g, '').length;
  if (digits < 7 || digits > 15 || isDateOrTime(text)) return null;
  // A zero in brackets is not dialled after the number of a country.
  return `tel:${(text.startsWith('+') ? text.replace('(0)', '') : text).replace(/[^\d+]/g, '')}`;
}

/** Splits words by what a pattern finds in them, if that leads somewhere. */
function* splitBy(
  { text, href }: LinkedPart,
  pattern: RegExp,
  hrefOf: (found: string) => string | null,
): Generator<LinkedPart> {
  if (href !== null) {
    yield { text, href };
    return;
  }
  let done = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const target = hrefOf(found);
    if (target === null) continue;
    if (index > done) yield { text: text.slice(done, index), href: null };
    yield { text: found, href: target };
    done = index + found.length;
  }
  if (done < text.length) yield { text: text.slice(done), href: null };
}

/** Splits an untrusted text by its addresses of the web and of mailboxes, and its telephone numbers. */
export function splitContacts(text: string): LinkedPart[] {
  return Array.from(splitLinks(text), ({ text: part, isLink }) => ({
    text: part,
    href: isLink ? part : null,
  }))
    .flatMap((part) => [...splitBy(part, mailbox, (found) => `mailto:${found}`)])
    .flatMap((part) => [...splitBy(part, telephone, findTelephone)]);
}

/** Places that are not known yet, in the four languages. */
const openPlace =
  /^\W*(?:tb[acd]|to be (?:announced|confirmed|decided)|(?:wird )?noch (?:bekannt ?gegeben|offen|unklar)|wird (?:noch )?bekannt ?gegeben|n\.? ?n\.?|(?:lieu )?à (?:confirmer|définir|préciser)|nog (?:onbekend|niet bekend|te bepalen)|n(?:ader|og) te bepalen|n\.? ?t\.? ?b\.?|online|zoom|teams)\W*$/iu;

/** Maximum length of a place in the address of a map, in characters. */
const maxQueryLength = 200;

/** Returns the address of a map of a place; null for one that is open, or is an address of the web. */
export function mapAddress(location: string): string | null {
  if (!/\p{L}/u.test(location) || openPlace.test(location)) return null;
  if (/https?:\/\//i.test(location)) return null;
  const query = encodeURIComponent(location.slice(0, maxQueryLength).toWellFormed());
  return `https://www.openstreetmap.org/search?query=${query}`;
}
