import './keyboard-help.css';
import { Modal, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { views } from '../base/address.ts';
import { changePreferences, usePreferences } from '../base/preferences.ts';
import { useEditor } from '../data/editor.ts';
import { isMac, useKeys } from './keyboard.ts';

type Key = readonly [keys: readonly string[], action: string];

function KeyList({ name, keys, isOff }: KeyListProps) {
  return (
    <section className="keys-group" data-off={isOff || undefined}>
      <h3>{name}</h3>
      <dl>
        {keys.map(([names, action]) => (
          <div key={action}>
            <dt>
              {names.map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

type KeyListProps = {
  readonly name: string;
  readonly keys: readonly Key[];
  readonly isOff?: boolean;
};

function useKeyNames() {
  const canEdit = useEditor() !== undefined;
  const { t, i18n } = useTranslation(['keyboard', 'shell', 'print']);
  const { letterKeys } = usePreferences();
  const control = isMac ? '⌘' : i18n.language === 'de' ? 'Strg' : 'Ctrl';
  const whileEditing = (...keys: readonly Key[]) => (canEdit ? keys : []);
  const everywhere: readonly Key[] = [
    [['/'], t('search')],
    ...views.map((view, index): Key => [[String(index + 1)], t(`shell:${view}`)]),
    [['t'], t('today')],
    [['g'], t('goTo')],
    [['j'], t('next')],
    [['k'], t('previous')],
    [['c'], t('shell:clearAll')],
    [['p'], t('print')],
    ...whileEditing([['n'], t('new')], [['e'], t('edit')], [['d'], t('duplicate')]),
    [['?'], t('help')],
  ];
  const always: readonly Key[] = [
    [['↑', '↓'], t('move')],
    [[t('keyHome'), t('keyEnd')], t('ends')],
    [['Enter'], t('open')],
    [['Esc'], t('close')],
    [['Tab'], t('nextPart')],
    [[`${control}+P`], t('print:heading')],
    ...whileEditing(
      [[`${control}+Z`], t('undo')],
      [[`${control}+⇧+Z`], t('redo')],
      [['F6'], t('toNotice')],
    ),
  ];
  const arrows = ['←', '→', '↑', '↓'];
  const calendar: readonly Key[] = [
    [arrows, t('moveDay')],
    ...whileEditing([[`${control}+${arrows.join('')}`], t('moveEvent')]),
    ...(letterKeys ? whileEditing([['n'], t('newOnDay')]) : []),
  ];
  const table = whileEditing(
    [[t('keySpace')], t('select')],
    [[`⇧+${t('keySpace')}`], t('selectRange')],
    [[`${control}+A`], t('selectAll')],
  );
  return { everywhere, always, calendar, table };
}

/** The dialog that lists the keyboard shortcuts; also listens for them. */
export function KeyHelp({
  isOpen,
  onOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation(['keyboard', 'shell']);
  const { letterKeys } = usePreferences();
  const { everywhere, always, calendar, table } = useKeyNames();
  useKeys(onOpen);
  return (
    <Modal.Root opened={isOpen} onClose={onClose} size="lg" centered lockScroll={false}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body className="keys-body">
          {/* The header of the modal would be a second banner landmark. */}
          <div className="keys-head">
            <Modal.Title className="keys-title">{t('shell:keys')}</Modal.Title>
            <Modal.CloseButton aria-label={t('closeHelp')} />
          </div>
          <div className="keys">
            <div>
              <KeyList name={t('single')} keys={everywhere} isOff={!letterKeys} />
              {table.length > 0 && <KeyList name={t('shell:table')} keys={table} />}
            </div>
            <div>
              <KeyList name={t('always')} keys={always} />
              <KeyList name={t('shell:calendar')} keys={calendar} />
              <Switch
                className="keys-switch"
                checked={letterKeys}
                label={t('singleKeys')}
                description={t('singleKeysHelp')}
                onChange={({ currentTarget }) =>
                  changePreferences({ letterKeys: currentTarget.checked })
                }
              />
            </div>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
