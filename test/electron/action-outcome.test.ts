import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  actionArguments,
  actionResult,
  createFileTokens,
  withoutPaths,
} from '../../electron/ipc/actions.ts';
import { problem } from '../../server/base/errors.ts';
import { makeTestFolder } from '../support/home.ts';

describe('the outcome of an action for the page', () => {
  it('contains the name of an exported file, not its path', () => {
    const report = { user: 'Chess', format: 'csv', events: 2, output: '/home/anna/Chess.csv' };
    const request = { job: 'one', name: 'export', args: { user: 'Chess' } } as const;
    expect(actionResult(request, report)).toEqual({ ...report, output: 'Chess.csv' });
  });

  it('the outcome of an action for the page is unchanged for other actions', () => {
    const result = { undone: 1, batch: 2, removed: 3, restored: 4 };
    expect(actionResult({ job: 'one', name: 'undo', args: { id: 1 } }, result)).toBe(result);
  });

  it('contains file names instead of paths in errors', () => {
    const files = createFileTokens();
    files.issue('/home/anna/$&');
    files.issue('/home/anna/$& copy.csv');
    const failures = ['/home/anna/$& copy.csv', '/home/anna'].map((path) =>
      withoutPaths(problem('disk_full', { path }), files),
    );
    expect(failures).toMatchObject([
      { code: 'disk_full', values: { path: '$& copy.csv' } },
      { code: 'disk_full', values: { path: '/home/anna' } },
    ]);
    const invalid = problem('mirror_ids_invalid', { text: '/home/anna/$&' });
    expect(withoutPaths(invalid, files)).toMatchObject({ values: { text: '$&' } });
  });

  it('passes on an internal error unchanged, for the log', () => {
    const fault = new TypeError('/home/anna/Chess.csv');
    expect(withoutPaths(fault, createFileTokens())).toBe(fault);
  });
});

describe('the arguments of the page for ids to look up', () => {
  const files = createFileTokens();
  const { token } = files.issue('/home/anna/ids.txt');
  const resolve = (ids: readonly string[]) => {
    const args = { user: 'Chess', ids: [...ids] };
    return actionArguments({ job: 'one', name: 'mirror add-ids', args }, files);
  };

  it('the arguments of the page for ids to look up name ids, ranges, and files that the user chose', () => {
    expect(resolve(['7', '100-200', token])).toEqual({
      user: 'Chess',
      ids: ['7', '100-200', '/home/anna/ids.txt'],
    });
  });

  it.each(['/home/anna/ids.txt', 'ids.txt', '7-', '', '1/../../etc/passwd'])(
    'the arguments of the page for ids to look up are refused if they name the file %j',
    (text) => {
      const refused = expect.objectContaining({ code: 'token_unknown' });
      expect(() => resolve(['7', text])).toThrow(refused);
    },
  );
});

describe('the tokens of chosen files', () => {
  const nextTick = () => new Promise((resolve) => setImmediate(resolve));

  it('are valid after the next start, the newest of them', async () => {
    const kept = join(makeTestFolder(), 'chosen-files.json');
    const files = createFileTokens(kept);
    const path = join(makeTestFolder(), 'Fixtures.csv');
    const tokens = Array.from({ length: 101 }, () => files.issue(path).token);
    await nextTick();
    const next = createFileTokens(kept);
    expect(next.pathOf(tokens[1] ?? '')).toBe(path);
    expect(() => next.pathOf(tokens[0] ?? '')).toThrow('token_unknown');
  });

  it.each(['nonsense', '{"a":1}', '[["token","relative.csv"]]'])(
    'are new ones beside a file that is no list of them: %s',
    async (text) => {
      const kept = join(makeTestFolder(), 'chosen-files.json');
      writeFileSync(kept, text);
      const errors: unknown[] = [];
      const files = createFileTokens(kept, (error) => errors.push(error));
      expect(errors).toHaveLength(1);
      const { token } = files.issue(join(makeTestFolder(), 'Fixtures.csv'));
      await nextTick();
      expect(readFileSync(kept, 'utf8')).toContain(token);
    },
  );
});
