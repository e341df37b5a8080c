import { Fragment, type MouseEvent, type ReactNode } from 'react';
import { splitLinks } from '../../../export/links-in-text.ts';
import { bridge } from '../../base/desktop.ts';

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
export function SafeLink(props: { readonly url: string; readonly children: ReactNode }) {
  const { url, children } = props;
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
  let start = 0;
  return Array.from(splitLinks(text, canBeLink), (part) => {
    const key = start;
    start += part.text.length;
    if (!part.isLink) return <Fragment key={key}>{part.text}</Fragment>;
    return (
      <SafeLink key={key} url={part.text}>
        {part.text}
      </SafeLink>
    );
  });
}
