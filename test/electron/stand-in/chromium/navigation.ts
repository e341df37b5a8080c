import type { CDPSession, Page } from 'playwright-core';

export type NavigationRequest = {
  readonly url: string;
  readonly isMainFrame: boolean;
  readonly isRedirect: boolean;
};

type Paused = {
  readonly requestId: string;
  readonly request: { readonly url: string };
  readonly frameId: string;
  readonly redirectedRequestId?: string;
};

/**
 * Holds every request for a document until `mayGo` decides, and lets what the program itself loads
 * pass, as Electron does. What comes from no server, such as `about:blank`, is not held.
 */
export async function watchNavigation(
  cdp: CDPSession,
  page: Page,
  mayGo: (request: NavigationRequest) => Promise<boolean>,
): Promise<(url: string) => Promise<string | undefined>> {
  const { frameTree } = await cdp.send('Page.getFrameTree');
  let isOwn = false;

  async function decide({ requestId, request, frameId, redirectedRequestId }: Paused) {
    const isMainFrame = frameId === frameTree.frame.id;
    const isRedirect = redirectedRequestId !== undefined;
    const passes = isOwn && isMainFrame && !isRedirect;
    if (passes) isOwn = false;
    const { url } = request;
    if (passes || (await mayGo({ url, isMainFrame, isRedirect }))) {
      await cdp.send('Fetch.continueRequest', { requestId });
    } else await cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  }

  // A page that is closed meanwhile needs no answer.
  cdp.on('Fetch.requestPaused', (paused) => void decide(paused).catch(() => undefined));
  await cdp.send('Fetch.enable', { patterns: [{ resourceType: 'Document' }] });
  return async (url) => {
    isOwn = true;
    try {
      await page.goto(url);
      return undefined;
    } catch (error) {
      return /net::(ERR_\w+)/.exec(String(error))?.[1] ?? 'ERR_FAILED';
    }
  };
}
