import { useState } from 'react';
import { lazyPart } from '../base/lazy-part.tsx';
import { useMirror } from '../data/mirror-context.ts';
import { hasStoredImport, placeOfImport } from '../manage/import/stored-import.ts';
import { useDesktop } from '../manage/parts/desktop-provider.tsx';

const StartedImport = lazyPart(
  async () => (await import('../manage/import/started-import.tsx')).StartedImport,
);

/** The note about an import that is not finished; only then the code of the import is loaded. */
export function ImportNote() {
  const { club, state } = useDesktop();
  const isMirror = Boolean(useMirror());
  // Not read again: a thrown import is no longer stored, and its note can bring it back.
  const [isThere] = useState(() => hasStoredImport(placeOfImport(club, state.home.directory)));
  return isThere && !isMirror ? <StartedImport /> : null;
}
