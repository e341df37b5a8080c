import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { strToU8, zipSync } from 'fflate';
import { z } from 'zod';
import { requireOutsideHome } from '../base/home.ts';
import { serviceName, version } from '../base/version.ts';
import { writeWholeFile } from '../base/write-file.ts';
import type { ActionTools } from '../club/tools.ts';
import { UserName } from '../club/user-actions.ts';
import { toolHelps } from './server.ts';

/** The start of this program on this computer: the file to run, and the arguments before `mcp`. */
export type Installed = { readonly command: string; readonly args: readonly string[] };

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
  const script = join(import.meta.dirname, '../cli/club-events.js');
  // The window of a checkout runs in Electron.
  if (process.versions['electron'] !== undefined) return { command: 'node', args: [script] };
  // On Windows, the console program of a package contains Node.js.
  if (!/^node(\.exe)?$/i.test(basename(execPath))) return { command: execPath, args: [] };
  return { command: execPath, args: [script] };
}

/**
 * The script that the assistant's own Node.js runs. It starts the installed program, so that a
 * bundle holds none of it and never gets old.
 */
function composeStarter({ command, args }: Installed): string {
  return `import { spawn } from 'node:child_process';

const child = spawn(${JSON.stringify(command)}, ${JSON.stringify(args)}, {
  stdio: 'inherit',
  windowsHide: true,
});
child.on('error', ({ message }) => {
  console.error('Club Events is no longer at its place; install it again, then add it to the assistant once more. ' + message);
  process.exitCode = 1;
});
child.on('close', (status) => process.exit(status ?? 1));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
`;
}

/**
 * Composes the file that adds this program to an assistant: an MCP Bundle, version 0.3 of its
 * manifest (github.com/modelcontextprotocol/mcpb).
 */
export function composeBundle(installed: Installed, user?: string): Uint8Array {
  const args = [...installed.args, 'mcp', ...(user === undefined ? [] : ['--user', user])];
  const starter = 'server/start.mjs';
  const manifest = {
    manifest_version: '0.3',
    name: serviceName,
    display_name: 'Club Events',
    version,
    description: "Reads the club's events on this computer. It cannot change anything.",
    author: { name: 'The Club Events authors' },
    license: 'MIT',
    server: {
      type: 'node',
      entry_point: starter,
      mcp_config: { command: 'node', args: [`\${__dirname}/${starter}`], env: {} },
    },
    tools: Object.entries(toolHelps).map(([name, description]) => ({ name, description })),
    compatibility: { platforms: [process.platform] },
  };
  return zipSync({
    'manifest.json': strToU8(`${JSON.stringify(manifest, null, 2)}\n`),
    [starter]: strToU8(composeStarter({ ...installed, args })),
  });
}

export const WriteBundle = z.strictObject({
  /** The only club that the assistant may read; without it, all clubs. */
  user: UserName.optional(),
  /** The file to write. */
  output: z.string().min(1, 'The name of the file is empty.'),
});

/** Writes the file that adds the program of this process to an assistant; returns its path. */
export async function writeBundle(
  { user, output }: z.output<typeof WriteBundle>,
  { home, umask }: ActionTools,
): Promise<{ readonly output: string }> {
  const path = resolve(output);
  requireOutsideHome(path, home);
  const { command, args } = findInstalled(process.env);
  const installed = { command, args: [...args, '--home', home.directory] };
  writeWholeFile(path, [composeBundle(installed, user)], { umask });
  return { output: path };
}
