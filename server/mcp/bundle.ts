import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import process from 'node:process';
import { strToU8, zipSync } from 'fflate';
import { z } from 'zod';
import { foldText } from '../../db/fold.ts';
import { type Home, requireOutsideHome } from '../base/home.ts';
import { findStarts, type Program } from '../base/program.ts';
import { serviceName, version } from '../base/version.ts';
import { writeWholeFile } from '../base/write-file.ts';
import type { ActionTools } from '../club/tools.ts';
import { requireUser, UserName } from '../club/user-actions.ts';
import { withReader } from '../store/store.ts';
import { proposalHelps, toolHelps } from './server.ts';

/**
 * The script that the assistant's own Node.js runs. It starts the installed program, so that a
 * bundle holds none of it and never gets old.
 */
function composeStarter({ command, args }: Program): string {
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

/** Returns a name that only this club of this data directory has: an assistant keeps one bundle of a name. */
function composeName(user: string | undefined, { directory }: Home): string {
  const words = foldText(user ?? '').match(/[a-z0-9]+/g) ?? [];
  const digest = createHash('sha256')
    .update(JSON.stringify([directory, user]))
    .digest('hex');
  return [serviceName, words.join('-').slice(0, 40), digest.slice(0, 8)].filter(Boolean).join('-');
}

/**
 * Composes the file that adds this program to an assistant: an MCP Bundle, version 0.3 of its
 * manifest (github.com/modelcontextprotocol/mcpb).
 */
function composeBundle(
  installed: Program,
  home: Home,
  user: string | undefined,
  propose: boolean,
): Uint8Array {
  const args = [
    ...[...installed.args, '--home', home.directory, 'mcp'],
    ...(user === undefined ? [] : ['--user', user]),
    ...(propose ? ['--propose'] : []),
  ];
  const starter = 'server/start.mjs';
  const manifest = {
    manifest_version: '0.3',
    name: composeName(user, home),
    display_name: user === undefined ? 'Club Events' : `Club Events: ${user}`,
    version,
    description: `Reads the club's events on this computer. ${propose ? 'It may propose changes, and a person decides.' : 'It cannot change anything.'}`,
    author: { name: 'The Club Events authors' },
    license: 'MIT',
    server: {
      type: 'node',
      entry_point: starter,
      mcp_config: { command: 'node', args: [`\${__dirname}/${starter}`], env: {} },
    },
    tools: Object.entries({ ...toolHelps, ...(propose && proposalHelps) }).map(
      ([name, description]) => ({ name, description }),
    ),
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
  /** Lets the assistant propose changes to the clubs that allow it. */
  propose: z.boolean().default(false),
  /** The file to write. */
  output: z.string().min(1, 'The name of the file is empty.'),
});

/** Writes the file that adds the program of this process to an assistant; returns its path. */
export async function writeBundle(
  { user, propose, output }: z.output<typeof WriteBundle>,
  { home, umask }: ActionTools,
): Promise<{ readonly output: string }> {
  const path = resolve(output);
  requireOutsideHome(path, home);
  // The assistant would only see that the program ends.
  if (user !== undefined) await withReader(home, (db) => requireUser(db, user));
  const bundle = composeBundle(findStarts().commandLine, home, user, propose);
  writeWholeFile(path, [bundle], { umask });
  return { output: path };
}
