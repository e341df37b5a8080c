import { join } from 'node:path';
import { app, type DownloadItem, type Event, type Session } from 'electron';
import { isMadeByPage, isOfOrigin } from './origin.ts';

/** What the guards need to know, and whom they tell. */
export type Guard = {
  /** The origin of the page; undefined while there is none. */
  readonly origin: () => string | undefined;
  /** Tells of what is refused, for the log. */
  readonly report: (error: unknown) => void;
};

/** The copy buttons of the page need this one, which cannot read what is in the clipboard. */
const grantedPermission = 'clipboard-sanitized-write';

/** Lets the page write to the clipboard, and do nothing else that asks for a permission. */
function guardPermissions(session: Session, { origin, report }: Guard): void {
  const isGranted = (permission: string, url: string, isMainFrame: boolean) =>
    permission === grantedPermission && isMainFrame && isOfOrigin(url, origin());
  session.setPermissionCheckHandler((_contents, permission, url, { isMainFrame }) =>
    isGranted(permission, url, isMainFrame),
  );
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const granted = isGranted(permission, details.requestingUrl, details.isMainFrame);
    if (!granted) report(new Error(`The page may not use "${permission}".`));
    answer(granted);
  });
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
}

/** Lets the page save what it made itself, where the user says. */
function guardDownload(event: Event, item: DownloadItem, { origin, report }: Guard): void {
  if (isMadeByPage(item.getURL(), origin())) {
    const defaultPath = join(app.getPath('downloads'), item.getFilename());
    item.setSaveDialogOptions({ defaultPath });
    return;
  }
  event.preventDefault();
  report(new Error('The page may not save what it did not make.'));
}

/** Denies the pages of a session what asks the user, the machine or another server for something. */
export function guardSession(session: Session, guard: Guard): void {
  guardPermissions(session, guard);
  session.on('will-download', (event, item) => guardDownload(event, item, guard));
}
