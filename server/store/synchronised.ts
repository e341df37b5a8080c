import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Problem, problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import { resolveLinks } from '../base/write-file.ts';

/** Files that programs leave at the top of a folder that they synchronise. */
const marks: readonly (readonly [path: string, service: string])[] = [
  ['.849C9593-D756-4E56-8D6E-42412F2A707B', 'OneDrive'],
  ['.dropbox.cache', 'Dropbox'],
  ['.tmp.driveupload', 'Google Drive'],
  ['.tmp.drivedownload', 'Google Drive'],
  ['.nextcloudsync.log', 'Nextcloud'],
  ['.owncloudsync.log', 'ownCloud'],
  ['.stfolder', 'Syncthing'],
  ['.SynologyWorkingDirectory', 'Synology Drive'],
  ['.seafile-data', 'Seafile'],
  ['.megaignore', 'MEGA'],
  ['.tresorit', 'Tresorit'],
  // Other programs have a folder `.sync`, too.
  [join('.sync', 'ID'), 'Resilio Sync'],
];

/** The form of the folders that programs make when they are installed. */
const names: readonly (readonly [form: RegExp, service: string])[] = [
  [/^OneDrive( - .+|-.+)?$/i, 'OneDrive'],
  [/^(.+ )?Dropbox( \(.+\)|-.+)?$/i, 'Dropbox'],
  [/^(Google ?Drive.*|My Drive)$/i, 'Google Drive'],
  [/^(iCloud ?Drive|com~apple~CloudDocs|Mobile Documents)$/i, 'iCloud'],
  [/^Nextcloud(\d*| - .+)$/i, 'Nextcloud'],
  [/^ownCloud(\d*| - .+)$/i, 'ownCloud'],
  [/^Synology ?Drive$/i, 'Synology Drive'],
  [/^Proton ?Drive(-.+)?$/i, 'Proton Drive'],
  [/^pCloud ?(Drive|Sync)$/i, 'pCloud'],
  [/^Seafile$/i, 'Seafile'],
  [/^kDrive\d*$/i, 'kDrive'],
  [/^MagentaCLOUD\d*$/i, 'MagentaCLOUD'],
  [/^HiDrive$/i, 'HiDrive'],
  // Accounts and ordinary folders have such names in small letters.
  [/^MEGA(sync)?$/, 'MEGA'],
  [/^Box( Sync|-.+)?$/, 'Box'],
  [/^Sync$/, 'Sync'],
];

/** The database of Nextcloud, of ownCloud, and of the many programs made from them. */
const journal = /^\._?sync_\w+\.db$/;

/** Lists a folder and those above it. */
function foldersOf(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...foldersOf(above)];
}

function hasJournal(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => journal.test(name));
  } catch {
    // A folder above the own one may be closed to this account.
    return false;
  }
}

/**
 * Returns the program that synchronises a folder, by its marks in the folder or above it, else by
 * the names of these folders; undefined if there is none.
 */
export function synchronisedBy(path: string): string | undefined {
  const folders = foldersOf(path);
  const [, marked] =
    marks.find(([mark]) => folders.some((folder) => existsSync(join(folder, mark)))) ?? [];
  const parts = path.split(/[\\/]/);
  const [, named] = names.find(([form]) => parts.some((part) => form.test(part))) ?? [];
  // macOS has the folders of other programs there.
  const [, provider] = /\/Library\/CloudStorage\/([^/-]+)/.exec(path) ?? [];
  return (
    marked ?? named ?? provider ?? (folders.some(hasJournal) ? 'Nextcloud/ownCloud' : undefined)
  );
}

/** Returns the warning `folder_synchronised` for a data directory that another program synchronises. */
export function findSynchronised({ directory }: Home): Problem | undefined {
  const path = existsSync(directory) ? resolveLinks(directory) : directory;
  const service = synchronisedBy(path);
  return service === undefined ? undefined : problem('folder_synchronised', { path, service });
}
