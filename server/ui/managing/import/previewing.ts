import { errorOf, perform } from '../actions.ts';
import type { SharedValue } from '../parts/shared-value.ts';
import { recallChoices } from './last-choices.ts';
import type { Choices, ImportWork, WorkFile } from './work.ts';

/** Number of events shown of each file. */
const rows = 6;

/** Reads the beginning of a file; returns the file with a preview or an error. */
async function readFile(file: WorkFile, choices: Choices): Promise<WorkFile> {
  const { token, name, size } = file;
  const { dateOrder, ...others } = choices;
  try {
    const args = { files: [token] as [string], rows, ...others, ...(dateOrder && { dateOrder }) };
    return { token, name, size, preview: await perform('import preview', args) };
  } catch (thrown) {
    return { token, name, size, error: errorOf(thrown) };
  }
}

/** Returns the remembered choices on the first preview, unless the user has chosen anything. */
function recall(file: WorkFile, { choices, files }: ImportWork): Partial<ImportWork> {
  const isChosen = Object.keys(choices.map).length > 0 || choices.dateOrder !== null;
  const isNew = files.every(({ preview }) => preview === undefined);
  if (isChosen || !isNew || file.preview === undefined || file.preview.columns.length === 0)
    return {};
  const last = recallChoices(file.preview);
  if (last === undefined) return {};
  return { choices: { ...choices, ...last }, hasRememberedChoices: true };
}

/** Returns a function that updates the previews; a call during an update repeats it afterwards. */
export function createPreviewRefresh(work: SharedValue<ImportWork>): () => Promise<void> {
  let isReading = false;
  let isOutdated = false;

  async function readAll(): Promise<void> {
    const { files, choices } = work.get();
    const previewed = await Promise.all(files.map((file) => readFile(file, choices)));
    // Previews for outdated choices would only flicker.
    if (isOutdated) return;
    const current = work.get();
    const [first] = previewed;
    const recalled = first === undefined ? {} : recall(first, current);
    isOutdated = recalled.choices !== undefined;
    work.set({ ...current, ...recalled, files: previewed });
  }

  return async () => {
    isOutdated = isReading;
    if (isReading) return;
    isReading = true;
    try {
      do {
        isOutdated = false;
        await readAll();
      } while (isOutdated);
    } finally {
      isReading = false;
    }
  };
}
