import { Button } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, IconFileImport } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../time/format.ts';
import type { Deed, Entry } from './entries.ts';

const appearances = {
  import: { Icon: IconFileImport, title: 'imported' },
  takeBack: { Icon: IconArrowBackUp, title: 'tookBack' },
  bringBack: { Icon: IconArrowForwardUp, title: 'broughtBack' },
} as const satisfies Readonly<Record<Deed, unknown>>;

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

/** One batch of the history; without a button if it has been undone. */
export function HistoryItem(props: { readonly entry: Entry; readonly onUndo: () => void }) {
  const { entry, onUndo } = props;
  const { t } = useTranslation('history');
  const formats = useFormats();
  const { deed, source, createdAt, importedAt, undoneAt } = entry;
  const { Icon, title } = appearances[deed];
  const when = formats.at('moment', createdAt);
  const undo = deed === 'takeBack' ? 'bringBack' : 'takeBack';
  return (
    <li className="history-item" data-undone={undoneAt !== undefined || undefined}>
      <Icon size={22} stroke={1.75} aria-hidden />
      <div className="history-text">
        <h2 tabIndex={-1} className="history-title" dir="auto">
          {t(title, { source })}
        </h2>
        <p className="history-when">
          {when}
          {deed !== 'import' && <> · {t('ofImport', { when: formats.at('moment', importedAt) })}</>}
        </p>
        <Counts entry={entry} />
        {undoneAt !== undefined && (
          <p className="history-undone">
            {t(deed === 'takeBack' ? 'redoneOn' : 'undoneOn', {
              when: formats.at('moment', undoneAt),
            })}
          </p>
        )}
      </div>
      {undoneAt === undefined && (
        <Button
          size="compact-sm"
          fw={500}
          variant="default"
          aria-label={t(`${undo}Named`, { source, when })}
          onClick={onUndo}
        >
          {t(undo)}
        </Button>
      )}
    </li>
  );
}
