import { Button } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import { useFormats } from '../../base/format.ts';
import { IconCheck, IconHistory, IconMessageChatbot } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { useActionQuery, useTask } from '../parts/action-hooks.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { EmptyState, ErrorNotice } from '../parts/parts.tsx';
import { type Entry, HistoryItem, readEntries, useSubject } from './entry.tsx';
import { UndoQuestion } from './undo.tsx';

const effects = [
  ['removed', 'nowRemoved'],
  ['restored', 'nowRestored'],
] as const;

/** The outcome of an undo; it takes the focus, because the button that had it is gone. */
function Outcome(props: { readonly entry: Entry; readonly report: ActionResult<'undo'> }) {
  const { entry, report } = props;
  const { t } = useTranslation('history');
  const formats = useFormats();
  const subjectOf = useSubject();
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // Runs after the dialog has returned the focus.
    const timer = setTimeout(() => text.current?.focus());
    return () => clearTimeout(timer);
  }, []);
  const source = subjectOf(entry);
  const done = entry.kind === 'undo' ? 'redo' : 'undo';
  const title = entry.isEdit ? (`${done}EditDone` as const) : (`${done}Done` as const);
  const counts = effects
    .filter(([kind]) => report[kind] > 0)
    .map(([kind, name]) => t(name, { count: report[kind], shown: formats.number(report[kind]) }));
  return (
    <p ref={text} role="status" tabIndex={-1} className="good-icon report">
      <IconCheck size={18} aria-hidden />
      <span>
        {entry.common === null && entry.setting === null
          ? `${t(title, { source })} ${counts.join(', ')}.`
          : `${t(`${done}OfEdit`, { source })}.`}
      </span>
    </p>
  );
}

/** Number of entries shown at first, and added by each click on the button. */
const pageSize = 50;

/** Number of entries that are read at once. */
const readSize = 1_000;

/** The list of entries; older ones are shown on request. */
function Entries(props: {
  readonly entries: readonly Entry[];
  /** The number of older entries that were not read. */
  readonly older: number;
  readonly visibleCount: number;
  readonly onShow: (count: number) => void;
  readonly onUndo: (entry: Entry) => void;
}) {
  const { entries, older, visibleCount, onShow, onUndo } = props;
  const { t } = useTranslation('history');
  const formats = useFormats();
  const left = entries.length + older - visibleCount;
  const list = useRef<HTMLUListElement>(null);
  // Focuses the first new entry, because the button may be gone.
  useEffect(() => {
    if (visibleCount > pageSize)
      list.current?.children[visibleCount - pageSize]?.querySelector('h3')?.focus();
  }, [visibleCount]);
  return (
    <>
      <ul ref={list} className="boxed ruled item-list" aria-label={t('list')}>
        {entries.slice(0, visibleCount).map((entry) => (
          <HistoryItem key={entry.id} entry={entry} onUndo={() => onUndo(entry)} />
        ))}
      </ul>
      {left > 0 && (
        <Button
          variant="default"
          className="alone history-more"
          onClick={() => onShow(visibleCount + pageSize)}
        >
          {t('more', { left: formats.number(left) })}
        </Button>
      )}
    </>
  );
}

function NoHistory() {
  const { t } = useTranslation('history');
  return (
    <EmptyState icon={IconHistory} title={t('none')} next={t('noneNext')}>
      <Button onClick={() => goTo({ manage: 'import' })}>{t('toImport')}</Button>
    </EmptyState>
  );
}

type Undone = { readonly entry: Entry; readonly report: ActionResult<'undo'> };

/** The proposals of assistants that nobody answered in time. */
function Unanswered({ groups }: { readonly groups: ActionResult<'history'>['unanswered'] }) {
  const { t } = useTranslation(['history', 'proposals']);
  const formats = useFormats();
  if (groups.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="unanswered">
      <h2 id="unanswered">{t('unanswered')}</h2>
      <ul className="boxed ruled item-list">
        {groups.map(({ assistant, endedAt, count, names }) => (
          <li key={`${endedAt} ${assistant}`} className="history-item">
            <IconMessageChatbot size={22} stroke={1.75} aria-hidden />
            <div className="stack tight">
              <p dir="auto">
                {t('unansweredOf', {
                  count,
                  shown: formats.number(count),
                  name: t('proposals:assistantName', { name: assistant }),
                  events: names.join(', '),
                })}
              </p>
              <p className="history-when">{formats.at('moment', endedAt)}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The imports and edits of a club with their undos, each of which can be undone. */
export function History() {
  const { club, showClub } = useDesktop();
  const showing = useTask(showClub);
  const { t } = useTranslation('history');
  const [visibleCount, setVisibleCount] = useState(pageSize);
  const limit = Math.ceil(visibleCount / readSize) * readSize;
  const { data, error } = useActionQuery(
    'history',
    { user: club.name, limit },
    { keepsPrevious: limit > readSize },
  );
  const entries = useMemo(() => data && readEntries(data.history), [data]);
  const [selected, setSelected] = useState<Entry | undefined>();
  const [isAsking, setAsking] = useState(false);
  const [undone, setUndone] = useState<Undone | undefined>();
  const askToUndo = (entry: Entry) => {
    setSelected(entry);
    setAsking(true);
  };
  return (
    <div className="column history">
      <ErrorNotice error={error ?? showing.error} />
      {entries?.length === 0 && <NoHistory />}
      {entries && entries.length > 0 && (
        <>
          {entries.some(({ kind }) => kind === 'sync') && <p className="quiet">{t('syncs')}</p>}
          {undone && <Outcome key={undone.report.batch} {...undone} />}
          <Entries
            entries={entries}
            older={data?.older ?? 0}
            visibleCount={visibleCount}
            onShow={setVisibleCount}
            onUndo={askToUndo}
          />
        </>
      )}
      <Unanswered groups={data?.unanswered ?? []} />
      <UndoQuestion
        entry={selected}
        isOpen={isAsking}
        onUndone={(report) => {
          setUndone(selected && { entry: selected, report });
          // The name, the zone or another setting may be an earlier one again.
          if (selected?.setting) void showing.run(club.id);
        }}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
