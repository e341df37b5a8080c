import './download-menu.css';
import { Button, CloseButton, Menu } from '@mantine/core';
import {
  IconCalendarMonth,
  IconCalendarPlus,
  IconChevronDown,
  IconFileSpreadsheet,
  IconListDetails,
  IconTable,
} from '@tabler/icons-react';
import { useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../base/format.ts';
import { useWords } from '../../base/i18n.ts';
import { goTo } from '../../base/navigation.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { type Download, type FileKind, fileKinds, useDownload } from './download.ts';

const fileIcons = { xlsx: IconFileSpreadsheet, csv: IconTable, ics: IconCalendarPlus } as const;

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

function Outcome(props: { readonly last: Download | undefined; readonly onClose: () => void }) {
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

const targets = [
  ...fileKinds.map((kind) => ({ kind, Icon: fileIcons[kind] })),
  null,
  { kind: 'list', Icon: IconListDetails },
  { kind: 'month', Icon: IconCalendarMonth },
] as const;

/** The menu items. With an obstacle they stay focusable, so that its text is announced. */
function TargetItems(props: {
  readonly obstacle: string | undefined;
  readonly onFile: (kind: FileKind) => void;
}) {
  const { obstacle, onFile } = props;
  const { t } = useTranslation('download');
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
          <Menu.Item
            key={target.kind}
            leftSection={<target.Icon size={18} aria-hidden />}
            onClick={() => choose(target.kind)}
            {...disabledProps}
          >
            {t(target.kind)}
          </Menu.Item>
        ),
      )}
    </>
  );
}

/** The menu that exports the visible events as a file or on paper. */
export function DownloadMenu() {
  const { t } = useTranslation('download');
  const obstacle = useObstacle();
  const { last, download, dismiss } = useDownload();
  return (
    <>
      <Menu
        // The id of the menu's button.
        id="download"
        withinPortal={false}
        // The placeholder is not a valid child of role=menu.
        withInitialFocusPlaceholder={false}
        position="bottom-end"
        shadow="md"
      >
        <Menu.Target>
          <Button
            variant="default"
            size="compact-md"
            fw={500}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {t('saveOrPrint')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className="download-menu">
          <TargetItems obstacle={obstacle} onFile={(kind) => void download(kind)} />
        </Menu.Dropdown>
      </Menu>
      <Outcome last={last} onClose={dismiss} />
    </>
  );
}
