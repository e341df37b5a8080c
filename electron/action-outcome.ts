import { basename } from 'node:path';
import type { ActionRequest, ActionResult } from '../server/bridge.ts';
import { ClubEventsError } from '../server/errors.ts';
import type { FileTokens } from './files.ts';

/** The result of an action as the page may know it: of a file that was written, the name alone. */
export function actionResult({ name }: ActionRequest, result: unknown): unknown {
  if (name !== 'export') return result;
  const report = result as ActionResult<'export'>;
  return { ...report, output: report.output && basename(report.output) };
}

/** The failure of an action as the page may know it: its sentence names files, not where they are. */
export function actionFailure(error: unknown, files: FileTokens): unknown {
  if (!(error instanceof ClubEventsError)) return error;
  return new ClubEventsError(error.code, files.nameIn(error.inWindow), error);
}
