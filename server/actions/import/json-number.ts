/** Keeps an integer that a JavaScript number has rounded from passing for another one. */
export function keepExact(value: number): number {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? Number.NaN : value;
}
