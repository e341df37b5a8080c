import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import { RowButton } from '../../base/buttons.tsx';
import { useFormats } from '../../base/format.ts';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconFileImport,
  IconPencil,
  IconRefresh,
} from '../../base/icons.ts';
import { useChangeWords } from '../parts/change-words.ts';
import { ImportRest } from '../parts/import-rest.tsx';
import { useSettingWords } from '../parts/setting-words.ts';

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
  /** The change of several events by hand, also for its undo and redo. */
  readonly common: Batch['common'];
  /** Names of some of its events. */
  readonly names: Batch['names'];
  /** The change of a setting, also for its undo and redo; null for events. */
  readonly setting: Batch['setting'];
  /** The number of changed events, also for its undo and redo. */
  readonly count: number;
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
      common: target === undefined ? batch.common : target.common,
      names: target === undefined ? batch.names : target.names,
      proposedBy: target?.proposedBy ?? batch.proposedBy,
      setting: target === undefined ? batch.setting : target.setting,
      count: target?.count ?? batch.added + batch.changed + batch.removed,
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
    <p className="flow figures history-counts">
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

/** Returns the files of an import, the host of a sync, or the events of an edit, in words. */
export function useSubject(): (entry: Entry) => string {
  const { t } = useTranslation('history');
  const { describeCommon, labelled } = useChangeWords();
  const { describeSetting } = useSettingWords();
  return ({ subject, common, names, count, setting }) => {
    if (setting !== null) return describeSetting(setting);
    if (subject !== '') return subject;
    const named = names.slice(0, 2).join(', ') + (names.length > 2 ? ' …' : '');
    if (common === null) return named || t('severalEvents');
    const words = describeCommon(common, count);
    return named === '' ? words : labelled(named, words);
  };
}

/** Returns the title of an entry: the old and new value of an edit, or what was done. */
function useTitle(entry: Entry): string {
  const { t } = useTranslation('history');
  const { labelled, describeValue, valuesIn } = useChangeWords();
  const subjectOf = useSubject();
  const { kind, isEdit, edit, common, setting } = entry;
  const isWorded = edit?.kind === 'changed' && edit.fields.length > 0;
  const source = isWorded
    ? labelled(edit.name, valuesIn(edit.fields, edit.date).map(describeValue).join(', '))
    : subjectOf(entry);
  if (!isEdit || kind === 'sync') return t(appearances[kind].title, { source });
  if (kind === 'import') {
    const isComplete = isWorded || common !== null || setting !== null;
    return isComplete ? source : t(`${edit?.kind ?? 'changed'}ByHand`, { source });
  }
  const what = edit?.kind === 'added' ? 'addition' : edit?.kind === 'removed' ? 'removal' : null;
  return t(`${kind}OfEdit`, { source: what === null ? source : t(what, { source }) });
}

/** One batch of the history; without a button for a sync, or if it has been undone. */
export function HistoryItem(props: { readonly entry: Entry; readonly onUndo: () => void }) {
  const { entry, onUndo } = props;
  const { t } = useTranslation(['history', 'undoNotice', 'proposals']);
  const formats = useFormats();
  const { kind, isEdit, createdAt, importedAt, undoneAt } = entry;
  const { Icon } = appearances[kind === 'import' && isEdit ? 'edit' : kind];
  const title = useTitle(entry);
  const source = useSubject()(entry);
  // The title of an edit says it already.
  const isCounted =
    entry.setting === null && (!isEdit || (entry.edit === null && entry.common === null));
  const senderName = ({ name, isAssistant }: Batch['proposedBy'][number]) =>
    isAssistant ? t('proposals:assistantName', { name }) : name;
  const when = formats.at('moment', createdAt);
  const label = kind === 'undo' ? 'redo' : 'undo';
  return (
    <li className="history-item" data-undone={undoneAt !== undefined || undefined}>
      <Icon size={22} stroke={1.75} aria-hidden />
      <div className="stack tight">
        <h3 tabIndex={-1} className="history-title" dir="auto">
          {title}
        </h3>
        <p className="history-when">
          {when}
          {entry.proposedBy.length > 0 && (
            <> · {t('proposedBy', { name: entry.proposedBy.map(senderName).join(', ') })}</>
          )}
          {entry.undoes !== null && (
            <> · {t(isEdit ? 'ofEdit' : 'ofImport', { when: formats.at('moment', importedAt) })}</>
          )}
        </p>
        {isCounted && <Counts entry={entry} />}
        {undoneAt !== undefined && (
          <p className="history-undone">
            {t(kind === 'undo' ? 'restoredOn' : 'undoneOn', {
              when: formats.at('moment', undoneAt),
            })}
          </p>
        )}
      </div>
      {undoneAt === undefined && kind !== 'sync' && (
        <div className="stack close history-buttons">
          {entry.leftOut !== null && <ImportRest batch={entry.id} count={entry.leftOut} />}
          <RowButton
            aria-label={
              entry.common === null
                ? t(isEdit ? `${label}EditNamed` : `${label}Named`, { source, when })
                : t(`${label}Common`, { source })
            }
            onClick={onUndo}
          >
            {t(`undoNotice:${label}`)}
          </RowButton>
        </div>
      )}
    </li>
  );
}
