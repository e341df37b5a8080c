import { basename } from 'node:path';
import type { ActionRequest, ActionResult } from '../server/bridge.ts';
import { ClubEventsError } from '../server/errors.ts';
import type { FileTokens } from './files.ts';

/** Returns the result of an action for the page: the name of an exported file, not its path. */
export function actionResult({ name }: ActionRequest, result: unknown): unknown {
  if (name !== 'export') return result;
  const report = result as ActionResult<'export'>;
  return { ...report, output: report.output && basename(report.output) };
}

/** Returns the error of an action for the page, with file names in place of paths. */
export function actionFailure(error: unknown, files: FileTokens): unknown {
  if (!(error instanceof ClubEventsError)) return error;
  return new ClubEventsError(error.code, files.nameIn(error.inWindow), error);
}
