import { TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Day } from '../../../dates/days.ts';
import { parseSpokenDay } from '../../../dates/line/spoken-day.ts';
import { supportedLanguage } from '../../../messages/messages.ts';
import { focusContent } from '../../base/browser.ts';
import { Dialog } from '../../base/dialog.tsx';
import { useFormats } from '../../base/format.ts';
import { currentRoute } from '../../base/navigation.ts';
import { usePreferences } from '../../base/preferences.ts';
import { useUnsavedText } from '../../base/unsaved.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { useGoToDay } from './go-to-day.ts';

/** A field for a day in words, such as "14 March" or "next Saturday". */
function DateField(props: {
  readonly id: string;
  /** The key that leads here, shown in the field. */
  readonly keyName?: string;
  readonly onGo: () => void;
}) {
  const { id, keyName, onGo } = props;
  const { t, i18n } = useTranslation('side');
  const { today } = useVisibleEvents();
  const { letterKeys } = usePreferences();
  const goToDay = useGoToDay();
  const formats = useFormats();
  const [text, setText, forget] = useUnsavedText(id);
  const [reached, setReached] = useState<Day | 'unknown' | undefined>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    const language = supportedLanguage([i18n.language]);
    const day = parseSpokenDay(text, { today, language });
    setReached(day ?? 'unknown');
    if (day === undefined) return;
    forget();
    goToDay(day);
    onGo();
  };
  return (
    <form className="go-to-date" onSubmit={submit}>
      <TextInput
        id={id}
        size="xs"
        data-autofocus
        autoComplete="off"
        aria-label={t('goToDate')}
        placeholder={t('goToExample')}
        value={text}
        error={reached === 'unknown' && <span role="alert">{t('unknownDay')}</span>}
        rightSection={letterKeys && keyName !== undefined && <kbd aria-hidden>{keyName}</kbd>}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setReached(undefined);
        }}
      />
      <p role="status" className="small quiet">
        {reached !== undefined && reached !== 'unknown' && formats.on('longDay', reached)}
      </p>
    </form>
  );
}

const fieldId = 'go-to-date';

/** The field below the small month. */
export function GoToDate() {
  return <DateField id={fieldId} keyName="g" onGo={focusContent} />;
}

const listeners = new Set<() => void>();

/** Moves the focus to the field for a date, or opens it in a dialog where there is none. */
export function askForDate(): void {
  const field = document.getElementById(fieldId);
  const { event, form } = currentRoute();
  // An event that was just opened is about to cover the field.
  if (event === null && form === null && field?.checkVisibility()) field.focus();
  else for (const listener of listeners) listener();
}

/** The dialog with the field for a date. */
export function GoToDateDialog() {
  const { t } = useTranslation('side');
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    const open = () => {
      opener.current = document.activeElement;
      setOpen(true);
    };
    listeners.add(open);
    return () => void listeners.delete(open);
  }, []);
  useLayoutEffect(() => {
    if (isOpen || opener.current === null) return;
    const { current } = opener;
    opener.current = null;
    // After going to a day, and if the opener is gone, the events have the focus.
    if (current instanceof HTMLElement && current !== document.body && current.isConnected) {
      current.focus({ preventScroll: true });
    } else focusContent();
  }, [isOpen]);
  const close = () => setOpen(false);
  const leave = () => {
    opener.current = document.body;
    close();
  };
  return (
    <Dialog
      title={t('goToDate')}
      close={t('closeDate')}
      isOpen={isOpen}
      onClose={close}
      size="sm"
      returnFocus={false}
    >
      <DateField id="go-to-date-dialog" onGo={leave} />
    </Dialog>
  );
}
