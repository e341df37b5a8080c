/** What has changed since the last look. */
export function ChangesNotice() {
  return null;
}
