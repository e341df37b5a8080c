import process from 'node:process';
import { type FakeOptions, optionsVariable } from './contract.ts';

export const options: FakeOptions = JSON.parse(process.env[optionsVariable] ?? '{}');

/** Gives the process the versions by which a program recognises Electron, also in a utility process. */
export function setVersions(): void {
  const versions = { ...process.versions, electron: options.electron, chrome: options.chromium };
  Object.defineProperty(process, 'versions', { value: versions });
}
