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
