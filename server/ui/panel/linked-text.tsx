import { Fragment, type ReactNode } from 'react';

const address = /\bhttps?:\/\/[^\s<>"]+/gi;

/** What ends a sentence rather than an address. */
const sentenceEnd = /[.,;:!?'’”»)\]}]+$/u;

/** The address without the sentence around it; undefined when it is none after all. */
function addressIn(text: string): string | undefined {
  const ends = sentenceEnd.exec(text)?.[0] ?? '';
  // A bracket that opens in the address closes in it too.
  const kept = ends.startsWith(')') && text.includes('(') ? ')' : '';
  const candidate = text.slice(0, text.length - ends.length) + kept;
  return URL.canParse(candidate) ? candidate : undefined;
}

/**
 * A text in which addresses of the web are links. Only http and https can be one: whatever else
 * a stranger wrote stays text. Nothing is asked of an address before it is followed.
 */
export function LinkedText({ text }: { readonly text: string }): ReactNode {
  const parts: ReactNode[] = [];
  let done = 0;
  for (const match of text.matchAll(address)) {
    const found = addressIn(match[0]);
    if (found === undefined) continue;
    parts.push(
      <Fragment key={done}>{text.slice(done, match.index)}</Fragment>,
      <a key={`link ${match.index}`} href={found} target="_blank" rel="noreferrer noopener">
        {found}
      </a>,
    );
    done = match.index + found.length;
  }
  return [...parts, <Fragment key="rest">{text.slice(done)}</Fragment>];
}
