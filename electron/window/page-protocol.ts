import { protocol } from 'electron';
import { pageScheme } from '../ipc/origin.ts';
import { answerPage } from './page-answer.ts';

/**
 * Registers the scheme of the page as standard and secure. The storage of the page then belongs to
 * an origin without a port and survives a change of port. Call it before Electron is ready.
 */
export function registerPageScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: pageScheme, privileges }]);
}

/** Forwards requests of the page to the current service. Call it once Electron is ready. */
export function servePage(baseUrl: () => string | undefined): void {
  protocol.handle(pageScheme, (request) => answerPage(request, baseUrl()));
}
