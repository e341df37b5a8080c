/** The event that is chosen, beside the view. */
export function EventPanel() {
  return null;
}
