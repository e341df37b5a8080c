import { DownloadItem } from './download-item.ts';
import { asElectron, ignore, PreventableEvent, Strict } from './strict.ts';

export type SessionEvents = {
  'will-download': [
    event: Electron.Event,
    item: Electron.DownloadItem,
    webContents: Electron.WebContents,
  ];
};

type Handler<Name extends keyof Electron.Session> = Electron.Session[Name] extends (
  handler: infer Given,
  ...more: never[]
) => void
  ? Exclude<Given, null>
  : never;

type CheckHandler = Handler<'setPermissionCheckHandler'>;
type RequestHandler = Handler<'setPermissionRequestHandler'>;
export type Permission = Parameters<RequestHandler>[1];

/** The session of all pages. */
export class Session extends Strict<SessionEvents> {
  #check: CheckHandler | null = null;
  #request: RequestHandler | null = null;

  setPermissionCheckHandler(handler: CheckHandler | null): void {
    this.#check = handler;
  }

  setPermissionRequestHandler(handler: RequestHandler | null): void {
    this.#request = handler;
  }

  // The fake has no devices and no screens to share.
  readonly setDevicePermissionHandler = ignore;
  readonly setDisplayMediaRequestHandler = ignore;

  /** Its requests are those of the updater, which tests run without the fake. */
  readonly webRequest = asElectron<Electron.WebRequest>({ onBeforeRequest: ignore });

  /** Without handlers, everything is granted, as in Electron. */
  async isGranted(
    contents: Electron.WebContents,
    permission: Permission,
    origin: string,
  ): Promise<boolean> {
    const details = { isMainFrame: true, requestingUrl: `${origin}/` };
    if (this.#check?.(contents, permission, `${origin}/`, details) === false) return false;
    const request = this.#request;
    if (request === null) return true;
    return new Promise((resolve) => request(contents, permission, resolve, details));
  }

  /** Returns the path for a download; undefined if it was prevented or has no path. */
  beginDownload(contents: Electron.WebContents, url: string, name: string): string | undefined {
    const event = new PreventableEvent() as Electron.Event;
    const item = new DownloadItem(url, name);
    this.emit('will-download', event, asElectron<Electron.DownloadItem>(item), contents);
    return event.defaultPrevented || item.savePath === '' ? undefined : item.savePath;
  }
}

export const defaultSession = new Session();

export const session = {
  defaultSession: asElectron<Electron.Session>(defaultSession),
} satisfies Pick<typeof Electron.Session, 'defaultSession'>;
