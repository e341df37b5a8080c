import { expect, it } from 'vitest';
import type { PublishedFile } from '../../../../server/ui/data/subscriptions.ts';
import { arrivalOf } from '../../../../server/ui/manage/export/arrivals.tsx';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 19, 8, minute)).toISOString();

/** Returns a file in a folder that was written at 8:10 and compared at 8:20. */
const file = (more: Partial<PublishedFile> = {}) =>
  ({
    ...{ state: 'current', address: null, addressCheck: null },
    ...{ writtenAt: at(10), checkedAt: at(20) },
    ...more,
  }) as PublishedFile;

/** Returns the same file with an address at which its newest state was seen. */
const shared = (seenAt: string | null, problem: object | null = null) =>
  file({
    address: 'https://rovers.example/dates',
    addressCheck: { checkedAt: at(30), problem, seenAt } as PublishedFile['addressCheck'],
  });

it('the files of a format have arrived when the last of them was seen as it should be', () => {
  expect(arrivalOf([file()])).toEqual({ at: at(20) });
  expect(arrivalOf([shared(at(11))])).toEqual({ at: at(11) });
  expect(arrivalOf([file(), shared(at(15))])).toEqual({ at: at(15) });
  // Written, but not seen from outside since then.
  expect(arrivalOf([file(), shared(at(9))])).toBe('soon');
  expect(arrivalOf([file({ state: 'behind' }), file()])).toBe('soon');
  // A version of the program that did not store what it saw has checked it.
  expect(arrivalOf([shared(null)])).toEqual({ at: at(20) });
  expect(arrivalOf([file({ state: 'behind' }), file({ state: 'failed' })])).toBe('failed');
  expect(arrivalOf([shared(at(15), { code: 'publish_address_old', values: {} })])).toBe('failed');
});
