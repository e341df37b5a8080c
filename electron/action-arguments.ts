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
 * Returns the arguments of an action with file tokens replaced by paths. A text that is not a token
 * never becomes a path. Throws `wrong_usage` or `unavailable`.
 */
export function actionArguments({ name, args }: ActionRequest, files: FileTokens): unknown {
  switch (name) {
    case 'import':
    case 'import preview': {
      const parsed = parseTokens(Files, args);
      return { ...parsed, files: parsed.files.map(files.pathOf) };
    }
    case 'export': {
      const parsed = parseTokens(Output, args);
      return { ...parsed, output: files.pathOf(parsed.output) };
    }
    default:
      return args;
  }
}
