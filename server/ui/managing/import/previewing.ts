import { errorOf, perform } from '../actions.ts';
import type { SharedValue } from '../parts/shared-value.ts';
import { recallChoices } from './last-choices.ts';
import type { Choices, ImportWork, WorkFile } from './work.ts';

/** How many events are shown of each file. */
const rows = 6;

/** A file as it is read with these choices. */
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

/** The choices of an earlier import of such a file, where nothing was chosen for this one yet. */
function recall(file: WorkFile, { choices, files }: ImportWork): Partial<ImportWork> {
  const isChosen = Object.keys(choices.map).length > 0 || choices.dateOrder !== null;
  const isNew = files.every(({ preview }) => preview === undefined);
  if (isChosen || !isNew || file.preview === undefined || file.preview.columns.length === 0)
    return {};
  const last = recallChoices(file.preview);
  if (last === undefined) return {};
  return { choices: { ...choices, ...last }, isAsLast: true };
}

/** Makes what reads the files again whenever they or the choices have changed. */
export function createPreviewing(work: SharedValue<ImportWork>): () => Promise<void> {
  let isReading = false;
  let isOutdated = false;

  async function readAll(): Promise<void> {
    const { files, choices } = work.get();
    const read = await Promise.all(files.map((file) => readFile(file, choices)));
    // What was read for other choices would only flicker.
    if (isOutdated) return;
    const current = work.get();
    const [first] = read;
    const recalled = first === undefined ? {} : recall(first, current);
    isOutdated = recalled.choices !== undefined;
    work.set({ ...current, ...recalled, files: read });
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
