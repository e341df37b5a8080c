import { type BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron';
import type { BridgeMessage } from '../../server/actions/bridge.ts';
import { type AnswerCall, type CallName, refusal } from './calls.ts';
import { hasOrigin } from './origin.ts';

type BridgeOptions = {
  readonly answers: Readonly<Record<CallName, AnswerCall>>;
  readonly window: () => BrowserWindow | undefined;
  /** The origin of the page; undefined while there is none. */
  readonly origin: () => string | undefined;
  /** Logs a refused call. */
  readonly report: (error: unknown) => void;
};

/** Returns whether a call comes from the main frame of the page in the program's window. */
function isFromPage(
  { sender, senderFrame }: IpcMainInvokeEvent,
  { window, origin }: BridgeOptions,
): boolean {
  const pageWindow = window();
  if (pageWindow === undefined || pageWindow.isDestroyed() || sender !== pageWindow.webContents)
    return false;
  // A frame that has navigated away is null or destroyed and has no URL.
  if (senderFrame === null || senderFrame.isDestroyed()) return false;
  return senderFrame.parent === null && hasOrigin(senderFrame.url, origin());
}

/** Answers the calls of the page in the program's window and refuses all others. */
export function openBridge(options: BridgeOptions): void {
  for (const [name, answer] of Object.entries(options.answers)) {
    ipcMain.handle(`club-events:${name}`, (event, args: unknown) => {
      if (isFromPage(event, options)) return answer(args);
      const message = `The call "${name}" does not come from the page of this window.`;
      options.report(new Error(message));
      return refusal;
    });
  }
}

/** Sends a message to the page; does nothing if the window is gone. */
export function sendToPage(window: BrowserWindow | undefined, message: BridgeMessage): void {
  if (window === undefined || window.isDestroyed()) return;
  window.webContents.send('club-events:message', message);
}
