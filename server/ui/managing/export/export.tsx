/** The screen is still to be built. */
export function ExportScreen() {
  return null;
}
