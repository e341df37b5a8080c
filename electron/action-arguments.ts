import { z } from 'zod';
import type { ActionRequest } from '../server/bridge.ts';
import { ClubEventsError } from '../server/errors.ts';
import type { FileTokens } from './files.ts';

const Files = z.looseObject({ files: z.array(z.string()) });
const Output = z.looseObject({ output: z.string() });

function parseTokens<Args>(schema: z.ZodType<Args>, args: unknown): Args {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  throw new ClubEventsError('wrong_usage', 'Choose a file first.');
}

/**
 * The arguments of an action, with the files behind the tokens that the page gave, so that what is
 * no token of ours never becomes a path. Throws `wrong_usage` or `unavailable`.
 */
export function actionArguments({ name, args }: ActionRequest, files: FileTokens): unknown {
  switch (name) {
    case 'import':
    case 'import preview': {
      const given = parseTokens(Files, args);
      return { ...given, files: given.files.map(files.pathOf) };
    }
    case 'export': {
      const given = parseTokens(Output, args);
      return { ...given, output: files.pathOf(given.output) };
    }
    default:
      return args;
  }
}
