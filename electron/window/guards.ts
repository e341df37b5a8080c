import { join } from 'node:path';
import {
  app,
  type DownloadItem,
  type Event,
  type Session,
  type WebContents,
  type WebPreferences,
} from 'electron';
import { hasOrigin, isBlobOfPage } from '../ipc/origin.ts';

type Guard = {
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
    permission === grantedPermission && isMainFrame && hasOrigin(url, origin());
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
  if (isBlobOfPage(item.getURL(), origin())) {
    const defaultPath = join(app.getPath('downloads'), item.getFilename());
    item.setSaveDialogOptions({ defaultPath });
    return;
  }
  event.preventDefault();
  report(new Error('The page may not save what it did not make.'));
}

function guardSession(session: Session, guard: Guard): void {
  guardPermissions(session, guard);
  session.on('will-download', (event, item) => guardDownload(event, item, guard));
}

type Navigation = { readonly url: string; preventDefault(): void };

/** Returns the scheme and host of a URL; the rest may contain secrets. */
function redactUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed?.host ? `${parsed.protocol}//${parsed.host}` : (parsed?.protocol ?? 'nowhere');
}

/** Denies navigation to another origin, new windows and webviews. */
function guardContents(contents: WebContents, { origin, report }: Guard): void {
  const refuseOtherOrigins = (navigation: Navigation) => {
    if (hasOrigin(navigation.url, origin())) return;
    navigation.preventDefault();
    report(new Error(`The page may not go to ${redactUrl(navigation.url)}.`));
  };
  contents.on('will-navigate', refuseOtherOrigins);
  contents.on('will-frame-navigate', refuseOtherOrigins);
  contents.on('will-redirect', refuseOtherOrigins);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    report(new Error(`The page may not open a window for ${redactUrl(url)}.`));
    return { action: 'deny' };
  });
}

/**
 * Restricts every page and session of the application. Call it before the application is ready
 * (https://www.electronjs.org/docs/latest/tutorial/security).
 */
export function guardPages(guard: Guard): void {
  const guarded = new WeakSet<Session>();
  // The launcher of an AppImage adds --no-sandbox where the system forbids user namespaces.
  if (app.commandLine.hasSwitch('no-sandbox')) {
    // Otherwise the GPU process would set up a sandbox of its own, which fails for root.
    app.commandLine.appendSwitch('disable-gpu-sandbox');
    guard.report(
      new Error('Pages run without the sandbox: the program was started with --no-sandbox.'),
    );
  } else app.enableSandbox();
  app.on('web-contents-created', (_event, contents) => {
    guardContents(contents, guard);
    if (guarded.has(contents.session)) return;
    guarded.add(contents.session);
    guardSession(contents.session, guard);
  });
}

/** Returns window preferences without Node.js and Electron, except in the preload script. */
export function securePreferences(preload: string): WebPreferences {
  return {
    preload,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    nodeIntegrationInWorker: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    plugins: false,
    navigateOnDragDrop: false,
    // It would download dictionaries.
    spellcheck: false,
    devTools: !app.isPackaged,
  };
}
