/** The screen is still to be built. */
export function ClubsScreen() {
  return null;
}
