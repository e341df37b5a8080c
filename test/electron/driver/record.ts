/** What the program asked of the user and the system; kept in its main process by `recorder.cjs`. */
export type Record = {
  asked: Asked[];
  answers: { [kind: string]: unknown[] };
  trays: { tray: unknown; menu: Electron.Menu | null; toolTip: string }[];
};

/** A dialog, a link, a folder or a message on the desktop, with what was said in it. */
export type Asked = { readonly kind: string; readonly details: unknown };

/** What a test answers to the next dialog of a kind; one that it does not answer is cancelled. */
export type DialogAnswers = {
  readonly showOpenDialog: { readonly filePaths: readonly string[] };
  readonly showSaveDialog: { readonly filePath: string };
  readonly showMessageBox: { readonly button: string; readonly checkboxChecked?: boolean };
};

export type DialogName = keyof DialogAnswers;
