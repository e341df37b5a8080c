/** The screen is still to be built. */
export function KeysScreen() {
  return null;
}
