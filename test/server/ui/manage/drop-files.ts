import { basename } from 'node:path';
import type { Page } from 'playwright-core';

/** Drops files on the element of `selector`; each must be in the folder of the fake shell. */
export async function dropFiles(
  page: Page,
  selector: string,
  paths: readonly string[],
): Promise<void> {
  const names = paths.map((path) => basename(path));
  const transfer = await page.evaluateHandle((dropped) => {
    const data = new DataTransfer();
    for (const name of dropped) data.items.add(new File(['dropped'], name));
    return data;
  }, names);
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent(selector, type, { dataTransfer: transfer });
  }
}
