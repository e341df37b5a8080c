import { damagedWorkbook, type Part } from './archive.ts';
import { maxRows, tooManyRows } from './sheet-rows.ts';

/** Maximum number of characters without a tag. */
const maxGap = 1_000_000;

/**
 * Yields a part without the content of the elements `element`, such as the rows of a sheet. This is
 * far faster than parsing all of it, and shows at once that a part is damaged or has too many rows.
 */
export async function* withoutContent(
  part: Part,
  element: string,
  rowElement: string,
): AsyncGenerator<Buffer> {
  const startTag = new RegExp(`<(?:[\\w.-]+:)?${element}(?:\\s(?:[^>"']|"[^"]*"|'[^']*')*)?(/?)>`);
  const endTag = new RegExp(`</(?:[\\w.-]+:)?${element}\\s*>`);
  const endOfRow = new RegExp(`</(?:[\\w.-]+:)?${rowElement}\\s*>`, 'g');
  let rest = '';
  let isInside = false;
  let rows = 0;
  const leaveOut = (content: string) => {
    rows += content.match(endOfRow)?.length ?? 0;
    if (rows > maxRows) throw tooManyRows(part.file);
  };
  // Latin-1 has one character per byte; the tags are ASCII.
  const encode = (text: string) => Buffer.from(text, 'latin1');
  for await (const chunk of part.open()) {
    let text = rest + chunk.toString('latin1');
    for (;;) {
      const found = (isInside ? endTag : startTag).exec(text);
      if (found === null) break;
      const end = found.index + found[0].length;
      if (isInside) leaveOut(text.slice(0, found.index));
      yield encode(isInside ? found[0] : text.slice(0, end));
      // An element without content has no end tag.
      if (isInside || found[1] === '') isInside = !isInside;
      if (!isInside) rows = 0;
      text = text.slice(end);
    }
    const cut = Math.max(text.lastIndexOf('<'), 0);
    if (isInside) leaveOut(text.slice(0, cut));
    else yield encode(text.slice(0, cut));
    rest = text.slice(cut);
    if (rest.length > maxGap) throw damagedWorkbook(part.file);
  }
  if (!isInside) yield encode(rest);
}
