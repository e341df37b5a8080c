import { z } from 'zod';

const maxLength = 200;

/** Creates the schema of a short, single-line text; `what` names it in messages. */
export function lineOfText(what: string) {
  return z
    .string({ error: `${what} is missing.` })
    .trim()
    .min(1, `${what} may not be empty.`)
    .max(maxLength, `${what} may have at most ${maxLength} characters.`)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), {
      error: `${what} may not have control characters.`,
    });
}
