/** The screen is still to be built. */
export function SettingsScreen() {
  return null;
}
