/** The screen is still to be built. */
export function AboutScreen() {
  return null;
}
