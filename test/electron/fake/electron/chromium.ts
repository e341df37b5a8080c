import process from 'node:process';
import type { ChromiumAnswers, ElectronAnswers } from '../contract.ts';
import { type Ask, connect } from '../wire.ts';

const answers = new Map<string, (args: never) => unknown>();

/** Sets what this process answers to the one that has Chromium. */
export function answerChromium<Name extends keyof ElectronAnswers>(
  name: Name,
  answer: ElectronAnswers[Name],
): void {
  answers.set(name, answer);
}

/** Asks the process that has Chromium. */
export const askChromium: Ask<ChromiumAnswers> = connect<ChromiumAnswers>(
  {
    send: (message) => process.send?.(message, undefined, undefined, () => undefined),
    listen: (hear) => void process.on('message', hear),
  },
  new Proxy({}, { get: (_target, name) => answers.get(String(name)) }),
);

// Without its Chromium the application is gone, as it would be in Electron.
process.on('disconnect', () => process.exit(1));
