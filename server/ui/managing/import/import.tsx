/** The screen is still to be built. */
export function ImportScreen() {
  return null;
}
