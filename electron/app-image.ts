/**
 * Returns the path of the AppImage that this program runs from. The variables count only where the
 * program is inside its mount: a terminal that is an AppImage hands its own on.
 */
export function findAppImage(
  { APPIMAGE, APPDIR }: NodeJS.ProcessEnv = process.env,
  program = process.execPath,
): string | undefined {
  return APPDIR && program.startsWith(`${APPDIR}/`) ? APPIMAGE : undefined;
}

/** What the start of an AppImage sets for the program in it: lists of folders, its own first. */
const variables = ['PATH', 'LD_LIBRARY_PATH', 'XDG_DATA_DIRS', 'GSETTINGS_SCHEMA_DIR'];

/**
 * Removes the folders of an AppImage from the environment, which every program inherits that this
 * one opens: a browser must not load the libraries of another program.
 */
export function leaveAppImage(env: NodeJS.ProcessEnv, execPath: string): void {
  const { APPDIR: folder } = env;
  if (folder === undefined || findAppImage(env, execPath) === undefined) return;
  for (const name of variables) {
    const paths = (env[name] ?? '').split(':');
    const kept = paths.filter((path) => path !== '' && !`${path}/`.startsWith(`${folder}/`));
    if (kept.length > 0) env[name] = kept.join(':');
    else delete env[name];
  }
}
