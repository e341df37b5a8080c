import { app, type Session, type WebContents, type WebPreferences } from 'electron';
import { isOfOrigin } from './origin.ts';
import { type Guard, guardSession } from './session-guards.ts';

type Navigation = { readonly url: string; preventDefault(): void };

/** Returns the scheme and host of a URL; the rest may contain secrets. */
function redactUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed?.host ? `${parsed.protocol}//${parsed.host}` : (parsed?.protocol ?? 'nowhere');
}

/** Denies navigation to another origin, new windows and webviews. */
function guardContents(contents: WebContents, { origin, report }: Guard): void {
  const refuseOtherOrigins = (navigation: Navigation) => {
    if (isOfOrigin(navigation.url, origin())) return;
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
