import { TextInput, type TextInputProps } from '@mantine/core';
import { type KeyboardEvent, type Ref, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Day } from '../../dates/days.ts';
import { parseSpokenDay } from '../../dates/line/spoken-day.ts';
import { supportedLanguage } from '../../messages/messages.ts';
import { useToday } from './days.ts';
import { useFormats } from './format.ts';
import { useUnsavedText } from './unsaved.ts';

/**
 * A field for a day in words, such as "14 March". Reports a day when the field is left or Enter is
 * pressed: null without a text, undefined for a text that is no day.
 */
export function DayField({
  name,
  value,
  onDay,
  error,
  ...props
}: Omit<TextInputProps, 'value' | 'onChange'> & {
  readonly ref?: Ref<HTMLInputElement>;
  /** The name of its unsaved text. */
  readonly name: string;
  readonly value: Day | null;
  readonly onDay: (day: Day | null | undefined) => void;
}) {
  const { t, i18n } = useTranslation('side');
  const formats = useFormats();
  const today = useToday();
  const initial = value === null ? '' : formats.on('weekdayAndDay', value);
  const [text, setText, forget] = useUnsavedText(name, { initial });
  const [isUnknown, setUnknown] = useState(false);
  const read = () => {
    if (text === initial) return;
    const language = supportedLanguage([i18n.language]);
    const day = text.trim() === '' ? null : parseSpokenDay(text, { today, language });
    setUnknown(day === undefined);
    if (day !== undefined) forget();
    onDay(day);
  };
  return (
    <TextInput
      autoComplete="off"
      {...props}
      value={text}
      error={isUnknown ? t('unknownDay') : error}
      onBlur={read}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) read();
      }}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        setUnknown(false);
      }}
    />
  );
}
