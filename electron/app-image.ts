/** What the start of an AppImage sets for the program in it: lists of folders, its own first. */
const variables = ['PATH', 'LD_LIBRARY_PATH', 'XDG_DATA_DIRS', 'GSETTINGS_SCHEMA_DIR'];

/**
 * Removes the folders of an AppImage from the environment, which every program inherits that this
 * one opens: a browser must not load the libraries of another program.
 */
export function leaveAppImage(env: NodeJS.ProcessEnv, execPath: string): void {
  const { APPDIR: folder } = env;
  // A terminal that is an AppImage itself hands its own on.
  if (!folder || !execPath.startsWith(`${folder}/`)) return;
  for (const name of variables) {
    const paths = (env[name] ?? '').split(':');
    const kept = paths.filter((path) => path !== '' && !`${path}/`.startsWith(`${folder}/`));
    if (kept.length > 0) env[name] = kept.join(':');
    else delete env[name];
  }
}
