import '../parts/item-list.css';
import './history.css';
import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../bridge.ts';
import { goTo } from '../../place/use-place.ts';
import { useFormats } from '../../time/format.ts';
import { useDesktop } from '../desktop.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { ScreenIntro } from '../parts/screen-intro.tsx';
import { useActionQuery } from '../parts/use-action-query.ts';
import { type Entry, readEntries } from './entries.ts';
import { HistoryItem } from './history-item.tsx';
import { Outcome } from './outcome.tsx';
import { UndoQuestion } from './undo-question.tsx';

/** How many entries are shown at first, and how many more each time they are asked for. */
const portion = 50;

/** The entries, of which those of long ago have to be asked for. */
function Entries(props: {
  readonly entries: readonly Entry[];
  readonly onUndo: (entry: Entry) => void;
}) {
  const { entries, onUndo } = props;
  const { t } = useTranslation('history');
  const formats = useFormats();
  const [shown, setShown] = useState(portion);
  const list = useRef<HTMLUListElement>(null);
  // To the first of those that came: the button may be gone.
  useEffect(() => {
    if (shown > portion) list.current?.children[shown - portion]?.querySelector('h2')?.focus();
  }, [shown]);
  return (
    <>
      <ul ref={list} className="item-list" aria-label={t('list')}>
        {entries.slice(0, shown).map((entry) => (
          <HistoryItem key={entry.id} entry={entry} onUndo={() => onUndo(entry)} />
        ))}
      </ul>
      {entries.length > shown && (
        <Button
          variant="default"
          className="history-more"
          onClick={() => setShown(shown + portion)}
        >
          {t('more', { left: formats.number(entries.length - shown) })}
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

/** What imports changed, and the way to take each of them back. */
export function HistoryScreen() {
  const { t } = useTranslation('history');
  const { club } = useDesktop();
  const { data, error } = useActionQuery('history', { user: club.name });
  const entries = useMemo(() => data && readEntries(data.history), [data]);
  const [asked, setAsked] = useState<Entry | undefined>();
  const [isAsking, setAsking] = useState(false);
  const [undone, setUndone] = useState<Undone | undefined>();
  const ask = (entry: Entry) => {
    setAsked(entry);
    setAsking(true);
  };
  return (
    <div className="history">
      <ErrorNotice error={error} />
      {entries?.length === 0 && <NoHistory />}
      {entries && entries.length > 0 && (
        <>
          <ScreenIntro>{t('intro')}</ScreenIntro>
          {undone && <Outcome key={undone.report.batch} {...undone} />}
          <Entries entries={entries} onUndo={ask} />
        </>
      )}
      <UndoQuestion
        entry={asked}
        isOpen={isAsking}
        onUndone={(report) => setUndone(asked && { entry: asked, report })}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
