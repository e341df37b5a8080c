import { TextInput, type TextInputProps } from '@mantine/core';
import { type KeyboardEvent, type Ref, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { supportedLanguage } from '../../messages/messages.ts';
import { type Day, useToday } from './days.ts';
import { useFormats } from './format.ts';
import { parseSpokenDay } from './plain-words/spoken-day.ts';

/**
 * A field for a day in words, such as "14 March". Reports a day when the field is left or Enter is
 * pressed: null without a text, undefined for a text that is no day.
 */
export function DayField({
  value,
  onDay,
  error,
  ...props
}: Omit<TextInputProps, 'value' | 'onChange'> & {
  readonly ref?: Ref<HTMLInputElement>;
  readonly value: Day | null;
  readonly onDay: (day: Day | null | undefined) => void;
}) {
  const { t, i18n } = useTranslation('side');
  const formats = useFormats();
  const today = useToday();
  /** The text since the last day. */
  const [typed, setTyped] = useState<string | undefined>();
  const [isUnknown, setUnknown] = useState(false);
  const read = () => {
    if (typed === undefined) return;
    const language = supportedLanguage([i18n.language]);
    const day = typed.trim() === '' ? null : parseSpokenDay(typed, { today, language });
    setUnknown(day === undefined);
    if (day !== undefined) setTyped(undefined);
    onDay(day);
  };
  return (
    <TextInput
      autoComplete="off"
      {...props}
      value={typed ?? (value === null ? '' : formats.on('weekdayAndDay', value))}
      error={isUnknown ? t('unknownDay') : error}
      onBlur={read}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) read();
      }}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        setUnknown(false);
      }}
    />
  );
}
