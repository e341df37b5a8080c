import { app, type Session, type WebContents, type WebPreferences } from 'electron';
import { isOfOrigin } from './origin.ts';
import { type Guard, guardSession } from './session-guards.ts';

type Navigation = { readonly url: string; preventDefault(): void };

/** The address without what may be secret in it. */
function placeOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed?.host ? `${parsed.protocol}//${parsed.host}` : (parsed?.protocol ?? 'nowhere');
}

/** Keeps a page where it is: no other place, no other window, nothing embedded. */
function guardContents(contents: WebContents, { origin, report }: Guard): void {
  const refuseStrange = (navigation: Navigation) => {
    if (isOfOrigin(navigation.url, origin())) return;
    navigation.preventDefault();
    report(new Error(`The page may not go to ${placeOf(navigation.url)}.`));
  };
  contents.on('will-navigate', refuseStrange);
  contents.on('will-frame-navigate', refuseStrange);
  contents.on('will-redirect', refuseStrange);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    report(new Error(`The page may not open a window for ${placeOf(url)}.`));
    return { action: 'deny' };
  });
}

/**
 * Holds every page of the application to its place, from the first one on: to be called before the
 * application is ready (https://www.electronjs.org/docs/latest/tutorial/security).
 */
export function guardPages(guard: Guard): void {
  const guarded = new WeakSet<Session>();
  // The launcher of an AppImage asks for no sandbox where the system forbids its namespaces.
  if (app.commandLine.hasSwitch('no-sandbox')) {
    // Otherwise the GPU process would try one below a parent without, and fail as root.
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

/** What a window may do: show a page, and nothing of Electron or Node in it but the preload. */
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
    // Its dictionaries would come from the network.
    spellcheck: false,
    devTools: !app.isPackaged,
  };
}
