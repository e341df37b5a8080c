import { ignore, Strict } from './strict.ts';

/** Dialogs that everybody cancels: tests put their answers in place, as under Electron itself. */
export class Dialog extends Strict<Record<never, never>> {
  async showOpenDialog(..._given: unknown[]): Promise<Electron.OpenDialogReturnValue> {
    return { canceled: true, filePaths: [] };
  }

  async showSaveDialog(..._given: unknown[]): Promise<Electron.SaveDialogReturnValue> {
    return { canceled: true, filePath: '' };
  }

  async showMessageBox(...given: unknown[]): Promise<Electron.MessageBoxReturnValue> {
    const options = given.at(-1) as Electron.MessageBoxOptions;
    return { response: options.cancelId ?? 0, checkboxChecked: false };
  }

  showErrorBox: (title: string, content: string) => void = ignore;
}

export const dialog = new Dialog();
