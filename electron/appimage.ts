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
