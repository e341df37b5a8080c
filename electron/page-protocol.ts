import { protocol } from 'electron';
import { pageScheme } from './origin.ts';
import { answerPage } from './page-answer.ts';

/**
 * Makes the scheme of the page as capable as https. The storage of the page then belongs to an origin
 * without a port, and survives when the service moves. Call it before Electron is ready.
 */
export function registerPageScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: pageScheme, privileges }]);
}

/** Answers the page by the service, wherever that is. Call it once Electron is ready. */
export function servePage(baseUrl: () => string | undefined): void {
  protocol.handle(pageScheme, (request) => answerPage(request, baseUrl()));
}
