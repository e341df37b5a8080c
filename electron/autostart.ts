import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileError } from '../server/errors.ts';
import { writeWholeFile } from '../server/write-file.ts';

/** An argument as the key Exec has it (Desktop Entry Specification, "The Exec key"). */
function quoteArgument(argument: string): string {
  const quoted = argument.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%');
  // A second time, as any text in such a file.
  return `"${quoted.replaceAll('\\', '\\\\')}"`;
}

function entryFor(command: readonly string[]): string {
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Club Events',
    `Exec=${command.map(quoteArgument).join(' ')}`,
    'Icon=club-events',
    'X-GNOME-Autostart-enabled=true',
  ];
  return `${lines.join('\n')}\n`;
}

/** Where a Linux desktop looks for what to start at login (Desktop Application Autostart). */
export function autostartFile(config: string): string {
  return join(config, 'autostart', 'club-events.desktop');
}

function readEntry(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // None, or none of ours to mend.
    return undefined;
  }
}

/** Whether the entry starts its command: desktops switch it off by one of two lines. */
export function isAutostarted(path: string): boolean {
  const entry = readEntry(path);
  return entry !== undefined && !/^(Hidden=true|X-GNOME-Autostart-enabled=false)$/m.test(entry);
}

/** Has a command started at login, or not any more. Throws `unavailable` naming the file. */
export function setAutostart(path: string, command: readonly string[] | undefined): void {
  try {
    if (command === undefined) {
      rmSync(path, { force: true });
    } else {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeWholeFile(path, [entryFor(command)]);
    }
  } catch (error) {
    throw fileError(error, path);
  }
}

/**
 * Mends the command of an entry that is there, as that of a program that was moved or brought up to
 * date. One that the user took away or switched off stays so. Throws `unavailable` naming the file.
 */
export function mendAutostart(path: string, command: readonly string[]): void {
  const entry = readEntry(path);
  const exec = entryFor(command).split('\n')[3] ?? '';
  if (entry === undefined || entry.includes(`${exec}\n`)) return;
  // A function, as a path may have what a replacement would take for a pattern.
  writeWholeFile(path, [entry.replace(/^Exec=.*$/m, () => exec)]);
}
