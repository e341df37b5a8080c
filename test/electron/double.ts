import type * as Electron from 'electron';

/**
 * A stand-in for the module `electron`, whose runtime is not on every machine: it prints what the
 * program asks of it, a line of JSON each, and answers message boxes with what `ANSWERS` says.
 */
const answers = (process.env['ANSWERS'] ?? '').split(',').map(Number);

function tell(call: string, ...details: readonly unknown[]): void {
  process.stdout.write(`${JSON.stringify([call, ...details])}\n`);
}

export const app = {
  requestSingleInstanceLock: () => process.env['LOCKED'] !== 'true',
  whenReady: async () => {
    tell('ready');
  },
  quit: () => tell('quit'),
} satisfies Pick<Electron.App, 'requestSingleInstanceLock' | 'whenReady' | 'quit'>;

export const clipboard = {
  writeText: async (text) => {
    tell('copy', text);
  },
} satisfies Pick<Electron.Clipboard, 'writeText'>;

async function answerMessageBox(
  first: Electron.BaseWindow | Electron.MessageBoxOptions,
): Promise<Electron.MessageBoxReturnValue> {
  tell('message', (first as Electron.MessageBoxOptions).detail);
  const health = /http\S+/.exec((first as Electron.MessageBoxOptions).detail ?? '')?.[0];
  tell('health', (await fetch(`${health}/health`)).status);
  return { response: answers.shift() ?? 1, checkboxChecked: false };
}

export const dialog = {
  showMessageBox: answerMessageBox,
  showErrorBox: (title, content) => tell('error', title, content),
} satisfies Pick<Electron.Dialog, 'showMessageBox' | 'showErrorBox'>;
