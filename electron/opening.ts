import { extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { importEndings } from '../server/actions/import/endings.ts';
import { type ManagingScreen, managingScreens } from '../server/bridge.ts';

/** More than anybody selects by hand, and never without end. */
const mostFiles = 100;

/** The argument that the program is started with at login. */
export const hiddenArgument = '--hidden';

/** What a second start hands over to the first. */
const HandedOver = z.object({
  files: z.array(z.string()).max(mostFiles),
  hidden: z.boolean(),
  /** The screen that a link of ours leads to. */
  screen: z.enum(managingScreens).optional(),
});
export type HandedOver = z.infer<typeof HandedOver>;

function pathOf(argument: string, folder: string): string | undefined {
  // Some file managers give URLs.
  if (!argument.startsWith('file:')) return resolve(folder, argument);
  try {
    return fileURLToPath(argument);
  } catch {
    // A file of another machine, or no URL at all: nothing to open.
    return undefined;
  }
}

/** The scheme of links that open the program. */
export const ownScheme = 'club-events';

/** Any page and any program can open such a link: it shows a screen, and nothing else. */
const ownLink = new RegExp(`^${ownScheme}://show/([a-z]+)/?$`, 'i');

/** Returns the screen that a link leads to; undefined for any other link. */
export function screenOfLink(link: string): ManagingScreen | undefined {
  const [, name = ''] = ownLink.exec(link) ?? [];
  return managingScreens.find((screen) => screen === name.toLowerCase());
}

function isForImport(path: string): boolean {
  const kind = extname(path).slice(1).toLowerCase();
  return importEndings.some((each) => each === kind);
}

/** What the program is to do, by its arguments: with which files, and whether without a window. */
export function readArguments(args: readonly string[], folder: string): HandedOver {
  const files = args
    .filter((argument) => !argument.startsWith('-'))
    .map((argument) => pathOf(argument, folder))
    .filter((path) => path !== undefined && isForImport(path));
  const [screen] = args.map(screenOfLink).filter((each) => each !== undefined);
  return {
    files: files.slice(0, mostFiles) as string[],
    hidden: args.includes(hiddenArgument),
    ...(screen !== undefined && { screen }),
  };
}

/** What another start of the program says, which any program of the user could. */
export function readHandedOver(raw: unknown): HandedOver {
  const parsed = HandedOver.safeParse(raw);
  if (!parsed.success) return { files: [], hidden: false };
  return { ...parsed.data, files: parsed.data.files.filter(isForImport) };
}

/** The files that were opened with the program and wait for the page. */
export type OpenedFiles = {
  add(paths: readonly string[]): void;
  /** Gives each of them once. */
  take(): readonly string[];
};

export function createOpenedFiles(onAdded: () => void): OpenedFiles {
  let waiting: readonly string[] = [];
  return {
    add(paths) {
      const files = paths.filter(isForImport);
      if (files.length === 0) return;
      waiting = [...new Set([...waiting, ...files])].slice(-mostFiles);
      onAdded();
    },
    take() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}
