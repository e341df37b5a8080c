import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileError } from '../../server/base/errors.ts';
import { writeWholeFile } from '../../server/base/write-file.ts';

/** Quotes an argument for the key Exec (Desktop Entry Specification, "The Exec key"). */
function quoteArgument(argument: string): string {
  const quoted = argument.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%');
  // The format escapes backslashes in every string, so these are escaped twice.
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

/** Returns the path of the Linux autostart entry (Desktop Application Autostart Specification). */
export function autostartFile(config: string): string {
  return join(config, 'autostart', 'club-events.desktop');
}

function readEntry(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // A missing or unreadable entry needs no repair.
    return undefined;
  }
}

/** Returns whether the entry is enabled. Desktops disable it with either of two lines. */
export function isAutostarted(path: string): boolean {
  const entry = readEntry(path);
  return entry !== undefined && !/^(Hidden=true|X-GNOME-Autostart-enabled=false)$/m.test(entry);
}

/**
 * Writes the entry that starts a command at login; removes it if `command` is undefined. Throws
 * `unavailable` naming the file.
 */
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
 * Updates the command of an existing entry after the program was moved or updated. An entry that
 * the user removed or disabled is not restored. Throws `unavailable` naming the file.
 */
export function repairAutostart(path: string, command: readonly string[]): void {
  const entry = readEntry(path);
  const exec = entryFor(command).split('\n')[3] ?? '';
  if (entry === undefined || entry.includes(`${exec}\n`)) return;
  // A function, because the path may contain replacement patterns such as `$&`.
  writeWholeFile(path, [entry.replace(/^Exec=.*$/m, () => exec)]);
}
