/**
 * Returns the path of the AppImage that this program runs from. Ignores variables inherited from
 * another AppImage, such as a terminal: the program must be inside the mounted folder.
 */
export function findAppImage(
  { APPIMAGE, APPDIR }: NodeJS.ProcessEnv = process.env,
  program = process.execPath,
): string | undefined {
  return APPDIR && program.startsWith(`${APPDIR}/`) ? APPIMAGE : undefined;
}

/** Lists of folders to which an AppImage prepends its own. */
const pathVariables = ['PATH', 'LD_LIBRARY_PATH', 'XDG_DATA_DIRS', 'GSETTINGS_SCHEMA_DIR'];

/**
 * Removes the folders of the AppImage from the environment, which other programs inherit. A browser
 * that this one opens must not load its libraries.
 */
export function removeAppImageFolders(env: NodeJS.ProcessEnv, execPath: string): void {
  const { APPDIR: folder } = env;
  if (folder === undefined || findAppImage(env, execPath) === undefined) return;
  for (const name of pathVariables) {
    const paths = (env[name] ?? '').split(':');
    const remaining = paths.filter((path) => path !== '' && !`${path}/`.startsWith(`${folder}/`));
    if (remaining.length > 0) env[name] = remaining.join(':');
    else delete env[name];
  }
}
