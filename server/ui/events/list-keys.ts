/** How far a key goes in a list of `count` events, of which `page` fit the screen. */
export type Step = (at: number, count: number, page: number) => number;

/** The keys that move within a list. */
export const listSteps: Readonly<Record<string, Step>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, _, page) => at + page,
  PageUp: (at, _, page) => at - page,
  Home: () => 0,
  End: (_, count) => count - 1,
};
