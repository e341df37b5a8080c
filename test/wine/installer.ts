import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed, type Windows } from '../support/wine.ts';

const root = join(import.meta.dirname, '../..');

/** Installer and uninstaller around the script of the package, with what electron-builder defines for it. */
const script = `Unicode true
Target amd64-unicode
Name "Club Events"
OutFile "\${ACTION}.exe"
SilentInstall silent
RequestExecutionLevel user
!include LogicLib.nsh
!include WinMessages.nsh
!define APP_ID org.clubevents.desktop
!macro _isUpdated LEFT RIGHT YES NO
  !insertmacro _== 1 2 \`\${YES}\` \`\${NO}\`
!macroend
!define isUpdated \`"" isUpdated ""\`
Var appExe
!include installer.nsh
Section
  StrCpy $INSTDIR "${installed}"
  StrCpy $appExe "$INSTDIR\\club-events.exe"
  !insertmacro \${ACTION}
SectionEnd
`;

/** Compiles the installer's script into two programs on drive C. */
export function makeInstaller({ c }: Windows): void {
  cpSync(join(root, 'electron/packaging/installer.nsh'), join(c, 'installer.nsh'));
  writeFileSync(join(c, 'script.nsi'), script);
  for (const action of ['customInstall', 'customUnInstall']) {
    execFileSync('makensis', ['-V2', '-WX', `-DACTION=${action}`, 'script.nsi'], {
      cwd: c,
      stdio: 'pipe',
    });
  }
}

type Path = { readonly type: string; readonly text: string };

/** Returns the PATH of the user as it is stored; undefined if there is none. */
export async function readPath({ run }: Windows): Promise<Path | undefined> {
  const { status, stdout } = await run(['reg', 'query', 'HKCU\\Environment', '/v', 'Path']);
  const [, type = '', text = ''] = /Path +(REG_\w+) +(.*?)\r?\n/.exec(stdout) ?? [];
  return status === 0 ? { type, text } : undefined;
}

/** Sets or removes the PATH of the user. */
export async function writePath({ run }: Windows, path: Path | undefined): Promise<void> {
  const value = ['HKCU\\Environment', '/v', 'Path', '/f'];
  if (path === undefined) await run(['reg', 'delete', ...value]);
  else await run(['reg', 'add', ...value, '/t', path.type, '/d', path.text]);
}
