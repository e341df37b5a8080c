/** Ways to take out what is shown. */
export function TakeOutMenu() {
  return null;
}
