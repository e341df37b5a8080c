import { Fragment, type MouseEvent, type ReactNode } from 'react';
import { bridge } from '../managing/bridge.ts';

const address = /\bhttps?:\/\/[^\s<>"]+/gi;

/** What ends a sentence rather than an address. */
const sentenceEnd = /[.,;:!?'’”»)\]}]+$/u;

/** The address without the sentence around it; undefined when it is none after all. */
function addressIn(text: string): string | undefined {
  const ends = sentenceEnd.exec(text)?.[0] ?? '';
  // A bracket that opens in the address closes in it too.
  const kept = ends.startsWith(')') && text.includes('(') ? ')' : '';
  const candidate = text.slice(0, text.length - ends.length) + kept;
  const url = URL.parse(candidate);
  return url !== null && isFollowed(url) ? candidate : undefined;
}

/** The desktop window hands on nothing but plain https; a browser follows any address by itself. */
function isFollowed({ protocol, username, password }: URL): boolean {
  return bridge === undefined || (protocol === 'https:' && username === '' && password === '');
}

/** The desktop window opens nothing by itself: it asks, and the browser does. */
function askFirst(event: MouseEvent<HTMLAnchorElement>): void {
  if (bridge === undefined) return;
  event.preventDefault();
  void bridge.openLink({ url: event.currentTarget.href });
}

function Link({ url }: { readonly url: string }) {
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" onClick={askFirst}>
      {url}
    </a>
  );
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
      <Link key={`link ${match.index}`} url={found} />,
    );
    done = match.index + found.length;
  }
  return [...parts, <Fragment key="rest">{text.slice(done)}</Fragment>];
}
