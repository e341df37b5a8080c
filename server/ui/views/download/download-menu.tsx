import './download-menu.css';
import { CloseButton, Menu } from '@mantine/core';
import { useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../base/format.ts';
import { useWords } from '../../base/i18n.ts';
import { goTo } from '../../base/navigation.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { type Download, type FileKind, fileKinds } from './download.ts';

/** Returns the reason why the events cannot be exported now; undefined if they can. */
function useObstacle(): string | undefined {
  const { t } = useTranslation('download');
  const formats = useFormats();
  const { events, source, isSearching } = useVisibleEvents();
  if (source === undefined || isSearching) return t('reading');
  if (!source.pastRead || !source.comingRead) {
    const [read, total] = [source.events.length, source.total].map(formats.number);
    return t('readingSoFar', { read, total });
  }
  return events.length === 0 ? t('nothing') : undefined;
}

const outcomeMs = 10_000;

/** A notice of the state of the last export. */
export function DownloadOutcome(props: {
  readonly last: Download | undefined;
  readonly onClose: () => void;
}) {
  const { last, onClose } = props;
  const { t } = useTranslation('download');
  const formats = useFormats();
  const words = useWords();
  useEffect(() => {
    if (last?.state !== 'saved') return;
    const timer = setTimeout(onClose, outcomeMs);
    return () => clearTimeout(timer);
  }, [last, onClose]);
  return (
    <div role="status" className="download-outcome">
      {last && (
        <p>
          {last.problem === undefined
            ? t(last.state, {
                count: last.count,
                shown: formats.number(last.count),
                file: last.file,
              })
            : words(last.problem)}
          {last.state !== 'making' && <CloseButton aria-label={t('close')} onClick={onClose} />}
        </p>
      )}
    </div>
  );
}

const targets = [...fileKinds, null, 'list', 'month'] as const;

/**
 * The menu items that export the visible events as a file or on paper. With an obstacle they stay
 * focusable, so that its text is announced.
 */
export function DownloadItems({ onFile }: { readonly onFile: (kind: FileKind) => void }) {
  const { t } = useTranslation('download');
  const obstacle = useObstacle();
  const obstacleId = useId();
  const disabledProps = obstacle !== undefined && {
    'data-disabled': true,
    'aria-describedby': obstacleId,
  };
  const choose = (kind: FileKind | 'list' | 'month') => {
    if (obstacle !== undefined) return;
    if (kind === 'list' || kind === 'month') goTo({ sheet: kind });
    else onFile(kind);
  };
  return (
    <>
      {obstacle !== undefined && (
        <div id={obstacleId} className="download-obstacle">
          {obstacle}
        </div>
      )}
      {targets.map((target) =>
        target === null ? (
          <Menu.Divider key="line" />
        ) : (
          <Menu.Item key={target} onClick={() => choose(target)} {...disabledProps}>
            {t(target)}
          </Menu.Item>
        ),
      )}
    </>
  );
}
