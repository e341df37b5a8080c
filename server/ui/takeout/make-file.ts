import { createPace } from '../time/pace.ts';

const sliceMs = 8;

/** Joins pieces of text to a file in UTF-8, in time slices. */
export async function makeFile(pieces: Iterable<string>, type: string): Promise<Blob> {
  const parts: Blob[] = [];
  let text = '';
  const pace = createPace(sliceMs);
  for (const piece of pieces) {
    text += piece;
    const pause = pace();
    if (pause === undefined) continue;
    // Encoding everything at the end would block the page.
    parts.push(new Blob([text]));
    text = '';
    await pause;
  }
  return new Blob([...parts, text], { type });
}

/** Time for the browser to start the download, in milliseconds. */
const downloadStartMs = 60_000;

/** Saves a file as a download of the browser. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), downloadStartMs);
}
