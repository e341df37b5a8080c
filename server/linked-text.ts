const address = /\bhttps?:\/\/[^\s<>"]+/gi;

/** Matches characters that end a sentence rather than an address. */
const sentenceEnd = /[.,;:!?'’”»)\]}]+$/u;

/** Returns the address without the punctuation after it. */
function withoutSentenceEnd(text: string): string {
  const ends = sentenceEnd.exec(text)?.[0] ?? '';
  // A bracket that opens in the address closes in it too.
  const closing = ends.startsWith(')') && text.includes('(') ? ')' : '';
  return text.slice(0, text.length - ends.length) + closing;
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
