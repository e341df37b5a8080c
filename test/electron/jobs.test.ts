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
  const action = Promise.withResolvers<never>();
  const jobs = createJobs(() => action.promise);
  const run = jobs.run({ job: 'one', name, args: {} as never }, () => undefined);
  const over = expect(run).rejects.toBe('over');
  expect(jobs.isBusy()).toBe(isBusy);
  action.reject('over');
  await jobs.ended();
  await over;
  expect(jobs.isBusy()).toBe(false);
});
