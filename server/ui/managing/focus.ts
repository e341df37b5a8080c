/** Leads the focus to what the window shows, when what had it is gone. */
export function focusPlace(): void {
  document.querySelector<HTMLElement>('.managing-title, #events')?.focus();
}
