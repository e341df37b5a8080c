import { extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type ManagingScreen, managingScreens } from '../../server/actions/bridge.ts';
import { backupEndings, importEndings } from '../../server/import/formats.ts';

/** More files than a person selects by hand. */
const maxFiles = 100;

/** The argument that starts the program without its window, as at login. */
export const hiddenArgument = '--hidden';

/** Data that a second start of the program passes to the first. */
const LaunchOptions = z.object({
  files: z.array(z.string()).max(maxFiles),
  hidden: z.boolean(),
  /** The screen that a `club-events:` link names. */
  screen: z.enum(managingScreens).optional(),
});
export type LaunchOptions = z.infer<typeof LaunchOptions>;

function pathOf(argument: string, folder: string): string | undefined {
  // Some file managers pass URLs.
  if (!argument.startsWith('file:')) return resolve(folder, argument);
  try {
    return fileURLToPath(argument);
  } catch {
    // A file on another machine, or an invalid URL.
    return undefined;
  }
}

/** The scheme of links that open the program. */
const ownScheme = 'club-events';

/** Links of the program. They only show a screen, because any page or program can open one. */
const ownLink = new RegExp(`^${ownScheme}://show/([a-z]+)/?$`, 'i');

/** Returns the screen that a link names; undefined for any other link. */
export function screenOfLink(link: string): ManagingScreen | undefined {
  const [, name = ''] = ownLink.exec(link) ?? [];
  return managingScreens.find((screen) => screen === name.toLowerCase());
}

/** Returns true for the name of a file that the window recognizes; other arguments are none. */
function isForWindow(path: string): boolean {
  const extension = extname(path).slice(1).toLowerCase();
  return [...importEndings, ...backupEndings].some((ending) => ending === extension);
}

/** Parses the arguments of a start: files to open, a screen, and whether to hide the window. */
export function readArguments(args: readonly string[], folder: string): LaunchOptions {
  const files = args
    .filter((argument) => !argument.startsWith('-'))
    .map((argument) => pathOf(argument, folder))
    .filter((path) => path !== undefined && isForWindow(path));
  const [screen] = args.map(screenOfLink).filter((name) => name !== undefined);
  return {
    files: files.slice(0, maxFiles) as string[],
    hidden: args.includes(hiddenArgument),
    ...(screen !== undefined && { screen }),
  };
}

/** Validates data from a second start, which any program of this user could send. */
export function readLaunchOptions(raw: unknown): LaunchOptions {
  const parsed = LaunchOptions.safeParse(raw);
  if (!parsed.success) return { files: [], hidden: false };
  return { ...parsed.data, files: parsed.data.files.filter(isForWindow) };
}

/** Files that were opened with the program and that the page has not taken yet. */
export type OpenedFiles = {
  add(paths: readonly string[]): void;
  /** Returns each file once. */
  take(): readonly string[];
};

export function createOpenedFiles(onAdded: () => void): OpenedFiles {
  let waiting: readonly string[] = [];
  return {
    add(paths) {
      const files = paths.filter(isForWindow);
      if (files.length === 0) return;
      waiting = [...new Set([...waiting, ...files])].slice(-maxFiles);
      onAdded();
    },
    take() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}
