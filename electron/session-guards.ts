import { join } from 'node:path';
import { app, type DownloadItem, type Event, type Session } from 'electron';
import { isMadeByPage, isOfOrigin } from './origin.ts';

export type Guard = {
  /** The origin of the page; undefined while there is none. */
  readonly origin: () => string | undefined;
  /** Logs a refused request. */
  readonly report: (error: unknown) => void;
};

/** The permission for the page's copy buttons. It does not allow reading the clipboard. */
const grantedPermission = 'clipboard-sanitized-write';

/** Grants the page writing to the clipboard and denies all other permissions. */
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

/** Allows downloads of the page's own blobs, with a save dialog, and denies all others. */
function guardDownload(event: Event, item: DownloadItem, { origin, report }: Guard): void {
  if (isMadeByPage(item.getURL(), origin())) {
    const defaultPath = join(app.getPath('downloads'), item.getFilename());
    item.setSaveDialogOptions({ defaultPath });
    return;
  }
  event.preventDefault();
  report(new Error('The page may not save what it did not make.'));
}

export function guardSession(session: Session, guard: Guard): void {
  guardPermissions(session, guard);
  session.on('will-download', (event, item) => guardDownload(event, item, guard));
}
