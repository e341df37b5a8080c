/** The list of keys. */
export function KeyHelp() {
  return null;
}
