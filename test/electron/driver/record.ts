/** Calls that the program made to the user and the system, recorded by `recorder.cjs`. */
export type Record = {
  calls: RecordedCall[];
  answers: { [kind: string]: unknown[] };
  /** True if the system has a key store. */
  hasKeyStore: boolean;
  trays: { tray: unknown; menu: Electron.Menu | null; toolTip: string }[];
};

/** A dialog, link, folder or notification, with its arguments. */
export type RecordedCall = { readonly kind: string; readonly details: unknown };

/** Answers to the next dialog of a kind; a dialog without an answer is cancelled. */
export type DialogAnswers = {
  readonly showOpenDialog: { readonly filePaths: readonly string[] };
  readonly showSaveDialog: { readonly filePath: string };
  readonly showMessageBox: { readonly button: string; readonly checkboxChecked?: boolean };
};

export type DialogName = keyof DialogAnswers;
