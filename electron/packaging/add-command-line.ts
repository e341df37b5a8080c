import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { extractAll } from '@electron/asar';
import { findNode, findWindowsProgram } from './node-runtime.ts';
import { makeConsoleProgram } from './windows-console.ts';

/*
 * The command line of a package runs in a separate Node.js. Electron's program is unsuitable: on
 * Linux it refuses root and may need a display or a sandbox. On Windows no shell waits for it, its
 * output begins with an empty line, and it exits on arguments such as `Chess:Youth`.
 */

/** A packed application, to which the command line is added. */
type PackedApplication = {
  readonly appOutDir: string;
  readonly resources: string;
  readonly platform: string;
  readonly arch: string | undefined;
};

/** The name of Electron's program on Linux: the launcher has the name of the command. */
const linuxWindow = 'club-events-window';

/** Ends the launcher for root, because Chromium's sandbox fails without a helpful message. */
const refuseRoot = `
  if [ -z "$sandbox" ] && [ "$(id -u)" -eq 0 ]; then
    echo 'Club Events does not open its window as root; start it from your own account. Commands such as "club-events serve" work.' >&2
    exit 1
  fi`;

/** Returns the lines of a shell script that run its arguments as a command. */
export function commandLauncher(commandLine: string): string {
  return `# Options of Node.js are for developers, and its cache must not be written beside the program.
unset NODE_OPTIONS
export NODE_DISABLE_COMPILE_CACHE=1
# An assistant starts the program by this path.
export CLUB_EVENTS_LAUNCHER="$(readlink -f -- "$0")"
exec "${commandLine}/node" "${commandLine}/server/cli/club-events.js" "$@"
`;
}

/**
 * Returns a shell script that opens the window or runs a command, by the rule of `isCommand` in
 * electron/system/command-line.ts. In the paths, `$here` is the folder of the script.
 */
function shellLauncher(window: string, commandLine: string, beforeWindow = ''): string {
  return `#!/bin/sh
here=$(dirname -- "$(readlink -f -- "$0")")

# An AppImage puts this in front where the system has no sandbox.
sandbox=
if [ "\${1-}" = --no-sandbox ]; then
  sandbox=$1
  shift
fi
[ "\${1-}" != -- ] || shift

open_window() {${beforeWindow}
  exec "${window}" $sandbox "$@"
}

[ $# -gt 0 ] || open_window
case $1 in
  --help | -h | --version | -V | --home | --home=* | --json) ;;
  -* | file:* | club-events:*) open_window "$@" ;;
  *[![:lower:]-]*) [ ! -f "$1" ] || open_window "$@" ;;
esac

${commandLauncher(commandLine)}`;
}

function writeLauncher(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o755 });
}

/** Extracts the application, because Node.js cannot read Electron's archive, and adds Node.js. */
function extractApplication({ resources, platform }: PackedApplication, nodeFolder: string): void {
  const folder = join(resources, 'command-line');
  extractAll(join(resources, 'app.asar'), folder);
  rmSync(join(folder, 'electron'), { recursive: true });
  if (platform !== 'win32') cpSync(join(nodeFolder, 'bin/node'), join(folder, 'node'));
  const licence = join(nodeFolder, 'LICENSE');
  if (existsSync(licence)) cpSync(licence, join(folder, 'LICENSE.node.txt'));
}

/** Adds the command line to a packed application, and returns the path of its launcher. */
export async function addCommandLine(application: PackedApplication): Promise<string> {
  const { appOutDir, resources, platform, arch } = application;
  const nodeFolder = await findNode(platform, arch ?? process.arch);
  extractApplication(application, nodeFolder);
  if (platform === 'linux') {
    const launcher = join(appOutDir, 'club-events');
    renameSync(launcher, join(appOutDir, linuxWindow));
    const [window, commandLine] = [`$here/${linuxWindow}`, '$here/resources/command-line'];
    writeLauncher(launcher, shellLauncher(window, commandLine, refuseRoot));
    return launcher;
  }
  const bin = join(resources, 'bin');
  mkdirSync(bin);
  if (platform === 'darwin') {
    const launcher = join(bin, 'club-events');
    writeLauncher(
      launcher,
      shellLauncher('$here/../../MacOS/Club Events', '$here/../command-line'),
    );
    return launcher;
  }
  const launcher = join(bin, 'club-events.exe');
  const node = readFileSync(findWindowsProgram(nodeFolder));
  writeFileSync(launcher, await makeConsoleProgram(node));
  return launcher;
}
