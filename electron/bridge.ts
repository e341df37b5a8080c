import { type BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron';
import type { BridgeMessage } from '../server/bridge.ts';
import { type AnswerCall, type CallName, refusal } from './calls.ts';
import { isOfOrigin } from './origin.ts';

export type BridgeEnds = {
  readonly answers: Readonly<Record<CallName, AnswerCall>>;
  readonly window: () => BrowserWindow | undefined;
  /** The origin of the page; undefined while there is none. */
  readonly origin: () => string | undefined;
  /** Tells of a call that is refused, for the log. */
  readonly report: (error: unknown) => void;
};

/** Whether a call comes from the page that the service shows in our window, and from no frame in it. */
function isFromOurPage(
  { sender, senderFrame }: IpcMainInvokeEvent,
  { window, origin }: BridgeEnds,
): boolean {
  const own = window();
  if (own === undefined || own.isDestroyed() || sender !== own.webContents) return false;
  // A frame that was left in the meantime is null or destroyed, and has no URL to ask for.
  if (senderFrame === null || senderFrame.isDestroyed()) return false;
  return senderFrame.parent === null && isOfOrigin(senderFrame.url, origin());
}

/** Answers the calls of the page in our window, and refuses those of anything else. */
export function openBridge(ends: BridgeEnds): void {
  for (const [name, answer] of Object.entries(ends.answers)) {
    ipcMain.handle(`club-events:${name}`, (event, args: unknown) => {
      if (isFromOurPage(event, ends)) return answer(args);
      const message = `The call "${name}" does not come from the page of this window.`;
      ends.report(new Error(message));
      return refusal(message);
    });
  }
}

/** Tells the page in a window something; a window that is gone need not be told. */
export function sendToPage(window: BrowserWindow | undefined, message: BridgeMessage): void {
  if (window === undefined || window.isDestroyed()) return;
  window.webContents.send('club-events:message', message);
}
