import { z } from 'zod';

const longest = 200;

/** A short text that people type and read on one line; `what` is how sentences name it. */
export function lineOfText(what: string) {
  return z
    .string({ error: `${what} is missing.` })
    .trim()
    .min(1, `${what} may not be empty.`)
    .max(longest, `${what} may have at most ${longest} characters.`)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), {
      error: `${what} may not have control characters.`,
    });
}
