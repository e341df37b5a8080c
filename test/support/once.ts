import { afterAll, beforeAll } from 'vitest';

/** Opens a resource before the tests of a file or block, and closes it after them. */
export function openOnce<Opened extends { close(): Promise<unknown> }>(
  open: () => Promise<Opened>,
): { readonly current: Opened } {
  let opened: Opened | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.close());
  return {
    get current() {
      if (opened === undefined) throw new Error('This is open while tests run.');
      return opened;
    },
  };
}
