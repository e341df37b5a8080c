import { expect, it } from 'vitest';
import { createJobs } from '../../electron/ipc/jobs.ts';
import type { ActionName } from '../../server/bridge.ts';

const names: readonly (readonly [name: ActionName, writes: boolean])[] = [
  ['user add', true],
  ['user list', false],
  ['user remove', true],
  ['demo add', true],
  ['key create', true],
  ['key list', false],
  ['key revoke', true],
  ['event add', true],
  ['event edit', true],
  ['event cancel', true],
  ['event remove', true],
  ['events change', true],
  ['import', true],
  ['import preview', false],
  ['export', true],
  ['history', false],
  ['undo', true],
  ['backup', false],
  ['backup list', false],
  ['restore', true],
  ['check', false],
  ['doctor', false],
  ['mirror try', false],
  ['mirror set', true],
  ['mirror sync', false],
  ['mirror status', false],
  ['mirror verify', false],
  ['mirror add-ids', true],
  ['mirror search-ids', false],
  ['mirror key change', true],
  ['mirror ready', false],
  ['mirror remove', true],
];

it.each(names)('reports whether %j writes: %j', async (name, writes) => {
  const jobs = createJobs(
    (_name, _args, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject('over'))),
  );
  const run = jobs.run({ job: 'one', name, args: {} as never }, () => undefined);
  const over = expect(run).rejects.toBe('over');
  expect(jobs.isBusy()).toBe(writes);
  await jobs.cancelAll();
  await over;
  expect(jobs.isBusy()).toBe(false);
});
