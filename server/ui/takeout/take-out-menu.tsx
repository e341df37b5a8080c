import './takeout.css';
import { Button, CloseButton, Menu } from '@mantine/core';
import {
  IconCalendarMonth,
  IconCalendarPlus,
  IconChevronDown,
  IconFileSpreadsheet,
  IconListDetails,
} from '@tabler/icons-react';
import { useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useVisibleEvents } from '../events/shown.tsx';
import { goTo } from '../place/use-place.ts';
import { useFormats } from '../time/format.ts';
import { type FileKind, fileKinds, type Taken, useTakeOut } from './use-take-out.ts';

const fileIcons = { csv: IconFileSpreadsheet, ics: IconCalendarPlus } as const;

/** Why nothing can be taken out now; undefined when it can. */
function useObstacle(): string | undefined {
  const { t } = useTranslation('takeOut');
  const formats = useFormats();
  const { events, source, isSearching } = useVisibleEvents();
  if (source === undefined || isSearching) return t('reading');
  if (!source.pastRead || !source.comingRead) {
    const [read, total] = [source.events.length, source.total].map(formats.number);
    return t('readingSoFar', { read, total });
  }
  return events.length === 0 ? t('nothing') : undefined;
}

/** How long the outcome stands, in milliseconds. */
const outcomeMs = 10_000;

/** What became of the file, at the foot of the page. */
function Outcome(props: { readonly taken: Taken | undefined; readonly onClose: () => void }) {
  const { taken, onClose } = props;
  const { t } = useTranslation('takeOut');
  const formats = useFormats();
  useEffect(() => {
    if (taken?.state !== 'saved') return;
    const timer = setTimeout(onClose, outcomeMs);
    return () => clearTimeout(timer);
  }, [taken, onClose]);
  return (
    <div role="status" className="takeout-outcome">
      {taken && (
        <p>
          {t(taken.state, {
            count: taken.count,
            shown: formats.number(taken.count),
            file: taken.file,
          })}
          {taken.state !== 'making' && <CloseButton aria-label={t('close')} onClick={onClose} />}
        </p>
      )}
    </div>
  );
}

const ways = [
  ...fileKinds.map((kind) => ({ kind, Icon: fileIcons[kind] })),
  null,
  { kind: 'list', Icon: IconListDetails },
  { kind: 'month', Icon: IconCalendarMonth },
] as const;

/** The ways themselves; not disabled for the keyboard, which would not reach the reason. */
function Ways(props: {
  readonly obstacle: string | undefined;
  readonly onFile: (kind: FileKind) => void;
}) {
  const { obstacle, onFile } = props;
  const { t } = useTranslation('takeOut');
  const obstacleId = useId();
  const barred = obstacle !== undefined && {
    'data-disabled': true,
    'aria-describedby': obstacleId,
  };
  const take = (kind: FileKind | 'list' | 'month') => {
    if (obstacle !== undefined) return;
    if (kind === 'list' || kind === 'month') goTo({ sheet: kind });
    else onFile(kind);
  };
  return (
    <>
      {obstacle !== undefined && (
        <div id={obstacleId} className="takeout-obstacle">
          {obstacle}
        </div>
      )}
      {ways.map((way) =>
        way === null ? (
          <Menu.Divider key="line" />
        ) : (
          <Menu.Item
            key={way.kind}
            leftSection={<way.Icon size={18} aria-hidden />}
            onClick={() => take(way.kind)}
            {...barred}
          >
            {t(way.kind)}
          </Menu.Item>
        ),
      )}
    </>
  );
}

/** Ways to take out what is shown: as a file, or on paper. */
export function TakeOutMenu() {
  const { t } = useTranslation('takeOut');
  const obstacle = useObstacle();
  const { taken, takeOut, forget } = useTakeOut();
  return (
    <>
      <Menu
        // That of its button.
        id="take-out"
        withinPortal={false}
        // It would be a child that a menu may not have.
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
            {t('takeOut')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className="takeout-menu">
          <Ways obstacle={obstacle} onFile={(kind) => void takeOut(kind)} />
        </Menu.Dropdown>
      </Menu>
      <Outcome taken={taken} onClose={forget} />
    </>
  );
}
