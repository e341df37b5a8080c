/** The screen is still to be built. */
export function HistoryScreen() {
  return null;
}
