import { describe, expect, it } from 'vitest';
import { actionFailure, actionResult, createFileTokens } from '../../electron/ipc/file-tokens.ts';
import { ClubEventsError } from '../../server/errors.ts';

describe('what becomes of an action, as it is told to the page', () => {
  it('names the file that an export wrote, not where it is', () => {
    const report = { user: 'Chess', format: 'csv', events: 2, output: '/home/anna/Chess.csv' };
    const request = { job: 'one', name: 'export', args: { user: 'Chess' } } as const;
    expect(actionResult(request, report)).toEqual({ ...report, output: 'Chess.csv' });
  });

  it('is left as it is for any other action', () => {
    const result = { undone: 1, batch: 2, removed: 3, restored: 4 };
    expect(actionResult({ job: 'one', name: 'undo', args: { id: 1 } }, result)).toBe(result);
  });

  it('names files in its sentences, not where they are', () => {
    const files = createFileTokens();
    files.issue('/home/anna/$&');
    files.issue('/home/anna/$& copy.csv');
    const sentence = 'The disk that holds /home/anna/$& copy.csv is full; it is not /home/anna/$&.';
    const error = actionFailure(new ClubEventsError('unavailable', sentence), files);
    expect(error).toMatchObject({
      code: 'unavailable',
      message: 'The disk that holds $& copy.csv is full; it is not $&.',
    });
  });

  it('leaves a fault of ours to the log, whole', () => {
    const fault = new TypeError('/home/anna/Chess.csv');
    expect(actionFailure(fault, createFileTokens())).toBe(fault);
  });
});
