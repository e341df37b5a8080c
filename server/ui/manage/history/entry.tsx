import { Button } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconFileImport,
  IconPencil,
  IconRefresh,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../bridge.ts';
import { useFormats } from '../../base/format.ts';
import { useChangeWords } from '../parts/change-words.ts';

type Batch = ActionResult<'history'>['history'][number];

/** The kind of a batch: an import, its undo, its redo (the undo of an undo), or a sync. */
type BatchKind = 'import' | 'sync' | 'undo' | 'redo';

/** A batch of the history with its relation to the others; times are ISO timestamps. */
export type Entry = Omit<Batch, 'kind'> & {
  readonly kind: BatchKind;
  /** True for a change by hand, and for its undo and redo. */
  readonly isEdit: boolean;
  /** The files of an import, the host of a sync, or the name of the event that was changed by hand. */
  readonly subject: string;
  /** The change of one event by hand, also for its undo and redo; null if there were several. */
  readonly edit: Batch['change'];
  /** The time of the import itself, also for its undo and redo. */
  readonly importedAt: string;
  /** The time of the undo, if the batch was undone. */
  readonly undoneAt: string | undefined;
};

/** Returns an entry for each batch, in the same order; batches must come newest first. */
export function readEntries(history: readonly Batch[]): Entry[] {
  const timeById = new Map(history.map(({ id, createdAt }) => [id, createdAt]));
  const entryById = new Map<number, Entry>();
  const oldestFirst = history.toReversed().map((batch) => {
    const target = batch.undoes === null ? undefined : entryById.get(batch.undoes);
    const undoKind = target?.kind === 'undo' ? 'redo' : 'undo';
    const ownKind = batch.kind === 'sync' ? 'sync' : 'import';
    const entry: Entry = {
      ...batch,
      kind: batch.undoes === null ? ownKind : undoKind,
      // The change that an undo concerns may be older than those that were read.
      isEdit: target?.isEdit ?? batch.source === '',
      subject: target?.subject ?? (batch.source || (batch.change?.name ?? '')),
      edit: target === undefined ? batch.change : target.edit,
      importedAt: target?.importedAt ?? batch.createdAt,
      undoneAt: batch.undoneBy === null ? undefined : timeById.get(batch.undoneBy),
    };
    entryById.set(batch.id, entry);
    return entry;
  });
  return oldestFirst.toReversed();
}

const appearances = {
  import: { Icon: IconFileImport, title: 'imported' },
  edit: { Icon: IconPencil },
  sync: { Icon: IconRefresh, title: 'synced' },
  undo: { Icon: IconArrowBackUp, title: 'undone' },
  redo: { Icon: IconArrowForwardUp, title: 'restored' },
} as const satisfies Readonly<Record<BatchKind | 'edit', unknown>>;

const kinds = ['added', 'changed', 'removed'] as const;

function Counts({ entry }: { readonly entry: Entry }) {
  const { t } = useTranslation('history');
  const formats = useFormats();
  return (
    <p className="history-counts">
      {kinds
        .filter((kind) => entry[kind] > 0)
        .map((kind) => (
          <span key={kind} data-kind={kind}>
            {t(kind, { count: entry[kind], shown: formats.number(entry[kind]) })}
          </span>
        ))}
    </p>
  );
}

/** Returns the title of an entry: the old and new value of an edit, or what was done. */
function useTitle({ kind, isEdit, edit, subject }: Entry): string {
  const { t } = useTranslation('history');
  const { labelled, describeField } = useChangeWords();
  const [field, ...others] = edit?.fields ?? [];
  const isOneField = edit?.kind === 'changed' && field !== undefined && others.length === 0;
  const source = isOneField
    ? labelled(edit.name, describeField(field))
    : subject || t('severalEvents');
  if (!isEdit || kind === 'sync') return t(appearances[kind].title, { source });
  if (kind !== 'import') return t(`${kind}OfEdit`, { source });
  return isOneField ? source : t(`${edit?.kind ?? 'changed'}ByHand`, { source });
}

/** One batch of the history; without a button for a sync, or if it has been undone. */
export function HistoryItem(props: { readonly entry: Entry; readonly onUndo: () => void }) {
  const { entry, onUndo } = props;
  const { t } = useTranslation(['history', 'undoNotice']);
  const formats = useFormats();
  const { kind, isEdit, createdAt, importedAt, undoneAt } = entry;
  const { Icon } = appearances[kind === 'import' && isEdit ? 'edit' : kind];
  const title = useTitle(entry);
  const source = entry.subject || t('severalEvents');
  const when = formats.at('moment', createdAt);
  const label = kind === 'undo' ? 'redo' : 'undo';
  return (
    <li className="history-item" data-undone={undoneAt !== undefined || undefined}>
      <Icon size={22} stroke={1.75} aria-hidden />
      <div className="history-text">
        <h2 tabIndex={-1} className="history-title" dir="auto">
          {title}
        </h2>
        <p className="history-when">
          {when}
          {entry.undoes !== null && (
            <> · {t(isEdit ? 'ofEdit' : 'ofImport', { when: formats.at('moment', importedAt) })}</>
          )}
        </p>
        <Counts entry={entry} />
        {undoneAt !== undefined && (
          <p className="history-undone">
            {t(kind === 'undo' ? 'restoredOn' : 'undoneOn', {
              when: formats.at('moment', undoneAt),
            })}
          </p>
        )}
      </div>
      {undoneAt === undefined && kind !== 'sync' && (
        <Button
          size="compact-sm"
          fw={500}
          variant="default"
          aria-label={t(isEdit ? `${label}EditNamed` : `${label}Named`, { source, when })}
          onClick={onUndo}
        >
          {t(isEdit ? `undoNotice:${label}` : label)}
        </Button>
      )}
    </li>
  );
}
