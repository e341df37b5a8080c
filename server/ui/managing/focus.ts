/** Focuses the title of the screen or the events, for when the focused element is gone. */
export function focusContent(): void {
  document.querySelector<HTMLElement>('.managing-title, #events')?.focus();
}
