import type { CDPSession, Page } from 'playwright-core';
import type { SchemeRequest, SchemeResponse } from '../contract.ts';
import { ownRequests, toElectron } from './scheme.ts';

type NavigationRequest = {
  readonly url: string;
  readonly isMainFrame: boolean;
  readonly isRedirect: boolean;
};

type Paused = {
  readonly requestId: string;
  readonly resourceType: string;
  readonly request: SchemeRequest;
  readonly frameId: string;
  readonly redirectedRequestId?: string;
};

/**
 * Matches every request for a document until `mayGo` decides, and lets what the program itself loads
 * pass, as Electron does. What comes from no server, such as `about:blank`, is not held.
 */
export async function watchNavigation(
  cdp: CDPSession,
  page: Page,
  mayGo: (request: NavigationRequest) => Promise<boolean>,
  fetchOwn: (request: SchemeRequest) => Promise<SchemeResponse | undefined>,
): Promise<(url: string) => Promise<string | undefined>> {
  const { frameTree } = await cdp.send('Page.getFrameTree');
  let isOwn = false;

  async function proceed(requestId: string, request: SchemeRequest): Promise<void> {
    const url = toElectron(request.url);
    if (url === request.url) {
      await cdp.send('Fetch.continueRequest', { requestId });
      return;
    }
    const known = Object.entries(request.headers).map(([name, value]) => [name, toElectron(value)]);
    const answer = await fetchOwn({ ...request, url, headers: Object.fromEntries(known) });
    if (answer === undefined) {
      await cdp.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
      return;
    }
    await cdp.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: answer.status,
      responseHeaders: answer.headers.map(([name, value]) => ({ name, value })),
      body: Buffer.from(answer.body).toString('base64'),
    });
  }

  async function decide(paused: Paused): Promise<void> {
    const { requestId, resourceType, request, frameId, redirectedRequestId } = paused;
    if (resourceType !== 'Document') return proceed(requestId, request);
    const isMainFrame = frameId === frameTree.frame.id;
    const isRedirect = redirectedRequestId !== undefined;
    const passes = isOwn && isMainFrame && !isRedirect;
    if (passes) isOwn = false;
    const url = toElectron(request.url);
    if (passes || (await mayGo({ url, isMainFrame, isRedirect }))) {
      await proceed(requestId, request);
    } else await cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  }

  // A page that is closed meanwhile needs no answer.
  cdp.on('Fetch.requestPaused', (paused) => void decide(paused).catch(() => undefined));
  await cdp.send('Fetch.enable', {
    patterns: [{ resourceType: 'Document' }, { urlPattern: ownRequests }],
  });
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
