import { answerChromium } from './chromium.ts';
import { PreventableEvent, Strict } from './strict.ts';
import { contentsOfWindow } from './web-contents.ts';

type Handler = (event: Electron.IpcMainInvokeEvent, ...args: never[]) => unknown;

/** Handlers of `ipcRenderer.invoke`. */
export class IpcMain extends Strict<Record<string, unknown[]>> {
  readonly #handlers = new Map<string, Handler>();

  constructor() {
    super();
    answerChromium('invoke', async ({ window, frame, channel, args }) => {
      const handler = this.#handlers.get(channel);
      if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
      const sender = contentsOfWindow(window);
      const senderFrame = sender?.frameOf(frame) ?? null;
      const event = Object.assign(new PreventableEvent(), { sender, senderFrame });
      return handler(event as unknown as Electron.IpcMainInvokeEvent, ...(args as never[]));
    });
  }

  handle(channel: string, listener: Handler): void {
    if (this.#handlers.has(channel)) {
      throw new Error(`Attempted to register a second handler for '${channel}'`);
    }
    this.#handlers.set(channel, listener);
  }
}

export const ipcMain = new IpcMain();
