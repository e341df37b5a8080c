import { browserStore } from '../../base/storage.ts';
import type { ImportWork } from './choices.ts';

// Loaded with the list of events, whose note needs no more of the import.

/** The part of a started import that is kept until it is imported or thrown away. */
type StoredImport = Pick<
  ImportWork,
  'step' | 'files' | 'choices' | 'corrections' | 'leftOut' | 'overwrite' | 'answers' | 'cancelled'
>;

/** The version of the stored form; an import in another one is thrown away. */
const storedVersion = 2;
/** The name of the entry; at first, only season plans were stored. */
const nameOf = (place: string) => `club-events-plan ${place}`;

/** Returns the name under which the import of a club is stored, on this computer. */
export function placeOfImport(club: { readonly id: number }, directory: string): string {
  // Clubs of another data directory may have the same ids.
  return `${club.id} ${directory}`;
}

/** Stores the import of a club until it is done; one without files is not started. */
export function storeImport(place: string, work: ImportWork): void {
  const { step, files, choices, corrections, leftOut, overwrite, answers, cancelled } = work;
  if (files.length === 0 || work.import.state === 'done') {
    browserStore.removeItem(nameOf(place));
    return;
  }
  const stored = {
    version: storedVersion,
    step,
    files: files.map(({ token, name, size }) => ({ token, name, size })),
    choices,
    corrections,
    leftOut: [...leftOut],
    overwrite: [...overwrite],
    answers: [...answers],
    cancelled: [...cancelled],
  };
  browserStore.setItem(nameOf(place), JSON.stringify(stored));
}

/** Returns true if an import of a club was started and not finished. */
export function hasStoredImport(place: string): boolean {
  return browserStore.getItem(nameOf(place)) !== null;
}

/** Returns the started import of a club, if there is one. */
export function recallImport(place: string): StoredImport | undefined {
  try {
    const { version, leftOut, overwrite, answers, cancelled, ...rest } = JSON.parse(
      browserStore.getItem(nameOf(place)) ?? '{}',
    );
    if (version !== storedVersion) return undefined;
    return {
      ...rest,
      leftOut: new Set<string>(leftOut),
      overwrite: new Set<number>(overwrite),
      answers: new Map(answers),
      // Earlier versions did not store them.
      cancelled: new Map(cancelled),
    };
  } catch {
    // What cannot be read is no import.
    return undefined;
  }
}
