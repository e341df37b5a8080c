import { dialog } from './dialog.ts';
import { PreventableEvent, Strict } from './strict.ts';

export type DownloadEvents = {
  done: [event: Electron.Event, state: 'completed' | 'cancelled' | 'interrupted'];
  updated: [event: Electron.Event, state: 'progressing' | 'interrupted'];
};

/** A file that a page saves. */
export class DownloadItem extends Strict<DownloadEvents> {
  static #last: DownloadItem | undefined;
  savePath = '';
  readonly #url: string;
  readonly #name: string;
  #dialog: Electron.SaveDialogOptions = {};
  #state: 'progressing' | 'completed' | 'cancelled' = 'progressing';

  constructor(url: string, name: string) {
    super();
    this.#url = url;
    this.#name = name;
  }

  static finishLast(): void {
    DownloadItem.#last?.finish('completed');
  }

  /** Asks where to save, unless that was said. */
  begin(): string | undefined {
    DownloadItem.#last = this;
    if (this.#state === 'cancelled') return undefined;
    if (this.savePath === '') this.savePath = dialog.showSaveDialogSync(this.#dialog);
    if (this.savePath !== '') return this.savePath;
    this.finish('cancelled');
    return undefined;
  }

  finish(state: 'completed' | 'cancelled'): void {
    this.#state = state;
    this.emit('done', new PreventableEvent() as Electron.Event, state);
  }

  cancel(): void {
    this.#state = 'cancelled';
  }

  getURL(): string {
    return this.#url;
  }

  getFilename(): string {
    return this.#name;
  }

  getSavePath(): string {
    return this.savePath;
  }

  setSavePath(path: string): void {
    this.savePath = path;
  }

  getState(): 'progressing' | 'completed' | 'cancelled' {
    return this.#state;
  }

  setSaveDialogOptions(options: Electron.SaveDialogOptions): void {
    this.#dialog = options;
  }

  getSaveDialogOptions(): Electron.SaveDialogOptions {
    return this.#dialog;
  }
}
