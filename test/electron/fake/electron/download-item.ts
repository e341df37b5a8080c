import { Strict } from './strict.ts';

/** A file that a page saves. */
export class DownloadItem extends Strict<Record<never, never>> {
  /** Empty until a listener names a path; the dialog that asks for one is cancelled. */
  savePath = '';
  readonly #url: string;
  readonly #name: string;
  #dialog: Electron.SaveDialogOptions = {};

  constructor(url: string, name: string) {
    super();
    this.#url = url;
    this.#name = name;
  }

  getURL(): string {
    return this.#url;
  }

  getFilename(): string {
    return this.#name;
  }

  setSavePath(path: string): void {
    this.savePath = path;
  }

  setSaveDialogOptions(options: Electron.SaveDialogOptions): void {
    this.#dialog = options;
  }

  getSaveDialogOptions(): Electron.SaveDialogOptions {
    return this.#dialog;
  }
}
