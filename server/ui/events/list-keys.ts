/** Returns the target index of a key in a list of `count` events, of which `page` fit on screen. */
export type Step = (at: number, count: number, page: number) => number;

export const listSteps: Readonly<Record<string, Step>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, _, page) => at + page,
  PageUp: (at, _, page) => at - page,
  Home: () => 0,
  End: (_, count) => count - 1,
};
