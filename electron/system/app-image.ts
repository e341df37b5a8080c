import { findStarts, type Started } from '../../server/base/program.ts';

/** Lists of folders to which an AppImage prepends its own. */
const pathVariables = ['PATH', 'LD_LIBRARY_PATH', 'XDG_DATA_DIRS', 'GSETTINGS_SCHEMA_DIR'];

/**
 * Removes the folders of the AppImage from the environment, which other programs inherit. A browser
 * that this one opens must not load its libraries.
 */
export function removeAppImageFolders(of: Started = process): void {
  const { env } = of;
  const { APPDIR: folder } = env;
  if (folder === undefined || findStarts(of).appImage === undefined) return;
  for (const name of pathVariables) {
    const paths = (env[name] ?? '').split(':');
    const remaining = paths.filter((path) => path !== '' && !`${path}/`.startsWith(`${folder}/`));
    if (remaining.length > 0) env[name] = remaining.join(':');
    else delete env[name];
  }
}
