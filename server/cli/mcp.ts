import { basename, join, resolve } from 'node:path';
import { writeWholeFile } from '../base/write-file.ts';
import type { ActionTools } from '../club/tools.ts';
import { composeBundle, type Installed } from '../mcp/bundle.ts';
import { serveAssistant } from '../mcp/server.ts';
import type { Output } from './output.ts';

type Tools = ActionTools & { readonly output: Output };

/**
 * Finds the program for a start by another one. The launcher of a package names itself in the
 * environment; an AppImage runs from a temporary folder, so its own file is named instead.
 */
export function findInstalled(
  env: NodeJS.ProcessEnv,
  execPath: string = process.execPath,
): Installed {
  const launcher = env['APPIMAGE'] ?? env['CLUB_EVENTS_LAUNCHER'];
  if (launcher !== undefined) return { command: launcher, args: [] };
  // On Windows, the console program of a package contains Node.js.
  if (!/^node(\.exe)?$/i.test(basename(execPath))) return { command: execPath, args: [] };
  return { command: execPath, args: [join(import.meta.dirname, './club-events.js')] };
}

/** Serves an assistant until it ends, or writes the file that adds this program to one. */
export async function runMcp(
  { user, bundle }: { readonly user?: string | undefined; readonly bundle?: string | undefined },
  tools: Tools,
): Promise<void> {
  const { output, home, umask } = tools;
  if (bundle === undefined) {
    const warn = ({ message }: Error) => output.note(message);
    return await serveAssistant({ ...tools, warn }, user);
  }
  const { command, args } = findInstalled(process.env);
  const installed = { command, args: [...args, '--home', home.directory] };
  const path = resolve(bundle);
  writeWholeFile(path, [composeBundle(installed, user)], { umask });
  await output.result(
    { file: path },
    `Wrote ${path}. Open it with the assistant; what the assistant reads leaves this computer.`,
  );
}
