import { Problem, packProblem } from '../../server/base/errors.ts';
import { problemMessage } from '../../server/messages/message.ts';
import { wordForCommandLine } from '../../server/messages/messages.ts';

/** Returns a problem as an error with the sentence of the command line; other errors unchanged. */
export function worded(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  const sentence = wordForCommandLine(problemMessage(packProblem(error)));
  return Object.assign(new Error(sentence, { cause: error }), { code: error.code });
}
