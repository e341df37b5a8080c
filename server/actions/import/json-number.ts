/** Returns NaN for an integer that may have been rounded: one beyond the safe range. */
export function keepExact(value: number): number {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? Number.NaN : value;
}
