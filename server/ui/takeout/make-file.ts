import { createPace } from '../time/pace.ts';

/** How long the page may be kept from its user at a time, in milliseconds. */
const sliceMs = 8;

/** Joins pieces of text, as they are written, to a file in UTF-8; in slices, as there may be many. */
export async function makeFile(pieces: Iterable<string>, type: string): Promise<Blob> {
  const parts: Blob[] = [];
  let text = '';
  const pace = createPace(sliceMs);
  for (const piece of pieces) {
    text += piece;
    const turn = pace();
    if (turn === undefined) continue;
    // Encoded with its slice: all of them at the end would be one long pause.
    parts.push(new Blob([text]));
    text = '';
    await turn;
  }
  return new Blob([...parts, text], { type });
}

/** How long the browser is given to begin with a download, in milliseconds. */
const graceMs = 60_000;

/** Hands a file to the browser, which saves it where its user wants downloads. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), graceMs);
}
