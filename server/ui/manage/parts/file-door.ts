import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { ChosenFile } from '../../../actions/bridge.ts';
import { type FileKind, type FileUse, fileUses } from '../../../import/formats.ts';
import { BridgeError, errorOf, perform, requireBridge, unwrap } from '../../base/desktop.ts';
import { goTo } from '../../base/navigation.ts';
import { routeOf } from './file-route.ts';

/** A use that a screen takes over. */
export type TakenUse = Exclude<FileUse, 'proposals'>;

/** A screen that asked for files, and what it does with those for its use. */
export type Wanted = {
  readonly use: TakenUse;
  /** The door waits for a promise that it returns. */
  readonly take: (files: readonly ChosenFile[]) => unknown;
};

/** Files of one kind with several uses, among which a person chooses. */
export type FileQuestion = {
  readonly files: readonly ChosenFile[];
  readonly uses: readonly FileUse[];
  readonly wanted: Wanted | undefined;
};

/** Why nothing is done with files: an error, files that do not belong together, or an unknown one. */
export type FileRefusal =
  | { readonly kind: 'error'; readonly error: Error }
  | { readonly kind: 'apart'; readonly files: readonly { name: string; kind: FileKind }[] }
  | { readonly kind: 'unknown' | 'withoutClub'; readonly name: string };

type Waiting = Readonly<Record<TakenUse, readonly ChosenFile[]>>;

const noFiles: Waiting = { import: [], daysOff: [], restore: [], follow: [] };

/** The one way of files into the window, wherever they were dropped, chosen, pasted or opened. */
export type FileDoor = {
  /** Recognizes files and leads them to their screen, asks about them, or says what they are. */
  readonly open: (files: readonly ChosenFile[], wanted?: Wanted) => Promise<void>;
  /** Files that wait for their screen. */
  readonly waiting: Waiting;
  /** Returns the files that wait for a use and clears their list. */
  readonly take: (use: TakenUse) => readonly ChosenFile[];
  readonly question: FileQuestion | undefined;
  /** Answers the question; null leaves the files alone. */
  readonly answer: (use: FileUse | null) => void;
  readonly refusal: FileRefusal | undefined;
  /** Refuses files that could not be received. */
  readonly refuse: (thrown: unknown) => void;
  readonly clearRefusal: () => void;
};

/** Returns why a file without a use is refused: the import knows many documents, and a way for each. */
async function explain({ token, name }: ChosenFile): Promise<FileRefusal> {
  try {
    await perform('import preview', { files: [token], rows: 1 });
  } catch (thrown) {
    const isName = thrown instanceof BridgeError && thrown.code === 'import_format_missing';
    if (!isName) return { kind: 'error', error: errorOf(thrown) };
  }
  return { kind: 'unknown', name };
}

/** Collects files until their screens take them. */
export function useFileDoor({ hasClub }: { readonly hasClub: boolean }): FileDoor {
  const current = useRef(noFiles);
  const [waiting, setWaiting] = useState(noFiles);
  const [question, setQuestion] = useState<FileQuestion | undefined>();
  const [refusal, setRefusal] = useState<FileRefusal | undefined>();
  const change = useCallback((part: Partial<Waiting>) => {
    current.current = { ...current.current, ...part };
    setWaiting(current.current);
  }, []);

  // Reads the ref instead of the state, so that a second call before the next render gets none.
  const take = useCallback(
    (use: TakenUse) => {
      const files = current.current[use];
      if (files.length > 0) change({ [use]: [] });
      return files;
    },
    [change],
  );

  const lead = useCallback(
    async (use: FileUse, { files, wanted }: Pick<FileQuestion, 'files' | 'wanted'>) => {
      const [name = ''] = files.map((file) => file.name);
      if (use === wanted?.use) await wanted.take(files);
      else if (use === 'proposals' && !hasClub) setRefusal({ kind: 'withoutClub', name });
      else {
        if (use !== 'proposals') change({ [use]: [...current.current[use], ...files] });
        goTo({ manage: fileUses[use], sheet: null });
      }
    },
    [change, hasClub],
  );

  const refuse = useCallback(
    (thrown: unknown) => setRefusal({ kind: 'error', error: errorOf(thrown) }),
    [],
  );

  const open = useCallback(
    async (files: readonly ChosenFile[], wanted?: Wanted) => {
      const [first] = files;
      if (first === undefined) return;
      setRefusal(undefined);
      try {
        const { kinds } = await perform('file kinds', { files: files.map(({ token }) => token) });
        const route = routeOf(kinds, wanted?.use);
        if (route.step === 'lead') await lead(route.use, { files, wanted });
        else if (route.step === 'ask') setQuestion({ files, uses: route.uses, wanted });
        else if (route.step === 'explain') setRefusal(await explain(first));
        else {
          const named = files.map(({ name }, index) => ({ name, kind: kinds[index] ?? 'other' }));
          setRefusal({ kind: 'apart', files: named });
        }
      } catch (thrown) {
        refuse(thrown);
      }
    },
    [lead, refuse],
  );

  const answer = useCallback(
    (use: FileUse | null) => {
      setQuestion(undefined);
      if (question !== undefined && use !== null) void lead(use, question);
    },
    [question, lead],
  );

  useOpenedFiles({ open, refuse });
  const clearRefusal = useCallback(() => setRefusal(undefined), []);
  return useMemo(
    () => ({ open, waiting, take, question, answer, refusal, refuse, clearRefusal }),
    [open, waiting, take, question, answer, refusal, refuse, clearRefusal],
  );
}

/** Opens the files that were opened with the program. */
function useOpenedFiles({ open, refuse }: Pick<FileDoor, 'open' | 'refuse'>): void {
  const fetchOpened = useEffectEvent(() => {
    unwrap(requireBridge().takeOpened(null)).then((files) => open(files), refuse);
  });
  useEffect(() => {
    fetchOpened();
    return requireBridge().listen((message) => {
      if (message.kind === 'opened') fetchOpened();
    });
  }, []);
}
