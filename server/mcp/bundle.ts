import { strToU8, zipSync } from 'fflate';
import { serviceName, version } from '../base/version.ts';
import { toolHelps } from './server.ts';

/** The start of this program on this computer: the file to run, and the arguments before `mcp`. */
export type Installed = { readonly command: string; readonly args: readonly string[] };

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
