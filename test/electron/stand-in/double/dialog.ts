import { ignore, Strict } from './strict.ts';

type None = Record<never, never>;

/** Dialogs that everybody cancels: tests put their answers in place, as under Electron itself. */
export class Dialog extends Strict<None> {
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

  showOpenDialogSync(..._given: unknown[]): string[] | undefined {
    return undefined;
  }

  showSaveDialogSync(..._given: unknown[]): string {
    return '';
  }

  showMessageBoxSync(...given: unknown[]): number {
    return (given.at(-1) as Electron.MessageBoxOptions).cancelId ?? 0;
  }

  showErrorBox: (title: string, content: string) => void = ignore;
}

export const dialog = new Dialog();
