import { expect, it } from 'vitest';
import { createJobs } from '../../electron/ipc/actions.ts';
import type { ActionName } from '../../server/actions/bridge.ts';

const names: readonly (readonly [name: ActionName, isBusy: boolean])[] = [
  ['import', true],
  ['restore', true],
  ['mirror set', true],
  ['import preview', false],
  ['export', false],
  ['backup', false],
  ['mirror sync', false],
  ['mirror receipts', false],
];

it.each(names)('reports whether quitting would undo %j: %j', async (name, isBusy) => {
  const jobs = createJobs(
    (_name, _args, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject('over'))),
  );
  const run = jobs.run({ job: 'one', name, args: {} as never }, () => undefined);
  const over = expect(run).rejects.toBe('over');
  expect(jobs.isBusy()).toBe(isBusy);
  await jobs.cancelAll();
  await over;
  expect(jobs.isBusy()).toBe(false);
});
