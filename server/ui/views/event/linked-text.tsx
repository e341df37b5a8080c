import { Fragment, type MouseEvent, type ReactNode } from 'react';
import { bridge } from '../../base/desktop.ts';

const address = /\bhttps?:\/\/[^\s<>"]+/gi;

/** Matches characters that end a sentence rather than an address. */
const sentenceEnd = /[.,;:!?'’”»)\]}]+$/u;

/** Returns the address without the punctuation after it; undefined if it cannot be a link. */
function addressIn(text: string): string | undefined {
  const ends = sentenceEnd.exec(text)?.[0] ?? '';
  // A bracket that opens in the address closes in it too.
  const closing = ends.startsWith(')') && text.includes('(') ? ')' : '';
  const candidate = text.slice(0, text.length - ends.length) + closing;
  const url = URL.parse(candidate);
  return url !== null && canBeLink(url) ? candidate : undefined;
}

/** Checks an address: the desktop window opens only https without credentials, a browser any. */
function canBeLink({ protocol, username, password }: URL): boolean {
  return bridge === undefined || (protocol === 'https:' && username === '' && password === '');
}

/** Hands a link to the desktop application, which opens it in the browser after a question. */
function openThroughBridge(event: MouseEvent<HTMLAnchorElement>): void {
  if (bridge === undefined) return;
  event.preventDefault();
  void bridge.openLink({ url: event.currentTarget.href });
}

/** A link that the desktop window opens in the browser after a question. */
export function SafeLink({
  url,
  children,
}: {
  readonly url: string;
  readonly children: ReactNode;
}) {
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" onClick={openThroughBridge}>
      {children}
    </a>
  );
}

/**
 * A text in which web addresses are links. The text is untrusted: only http and https become
 * links. No address is requested before the user follows it.
 */
export function LinkedText({ text }: { readonly text: string }): ReactNode {
  const parts: ReactNode[] = [];
  let done = 0;
  for (const match of text.matchAll(address)) {
    const found = addressIn(match[0]);
    if (found === undefined) continue;
    parts.push(
      <Fragment key={done}>{text.slice(done, match.index)}</Fragment>,
      <SafeLink key={`link ${match.index}`} url={found}>
        {found}
      </SafeLink>,
    );
    done = match.index + found.length;
  }
  return [...parts, <Fragment key="rest">{text.slice(done)}</Fragment>];
}
