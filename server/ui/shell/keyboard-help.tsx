import './keyboard-help.css';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../base/dialog.tsx';
import { usePreferences } from '../base/preferences.ts';
import { useEditor } from '../data/editor.ts';
import { bindings, isMac } from './keyboard.ts';

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
  const { t, i18n } = useTranslation(['keyboard', 'shell', 'more', 'print']);
  const { letterKeys } = usePreferences();
  const control = isMac ? '⌘' : i18n.language === 'de' ? 'Strg' : 'Ctrl';
  const whileEditing = (...keys: readonly Key[]) => (canEdit ? keys : []);
  const everywhere = bindings
    .filter(({ isEdit }) => canEdit || !isEdit)
    .map(({ key, name }): Key => [[key], t(name)]);
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
    [[t('keyPageUp'), t('keyPageDown')], t('moveMonth')],
    ...whileEditing([[`${control}+${arrows.join('')}`], t('moveEvent')]),
    ...(letterKeys ? whileEditing([['n'], t('newOnDay')]) : []),
  ];
  const lists = whileEditing(
    [[t('keySpace')], t('select')],
    [[`⇧+${t('keySpace')}`], t('selectRange')],
    [[`${control}+A`], t('selectAll')],
    [['Esc'], t('selectNone')],
  );
  return { everywhere, always, calendar, lists };
}

/** The dialog that lists the keyboard shortcuts. */
export function KeyHelp(props: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation(['keyboard', 'shell']);
  const { letterKeys } = usePreferences();
  const { everywhere, always, calendar, lists } = useKeyNames();
  return (
    <Dialog title={t('shell:keys')} close={t('closeHelp')} {...props}>
      <div className="keys">
        <div>
          <KeyList name={t('single')} keys={everywhere} isOff={!letterKeys} />
          {lists.length > 0 && <KeyList name={t('list')} keys={lists} />}
        </div>
        <div>
          <KeyList name={t('always')} keys={always} />
          <KeyList name={t('shell:calendar')} keys={calendar} />
        </div>
      </div>
      {!letterKeys && <p className="keys-off">{t('offInSettings')}</p>}
    </Dialog>
  );
}
