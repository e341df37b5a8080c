import './line.css';
import { type ComponentProps, type RefObject, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlainWordsContext } from '../../../dates/line/line.ts';
import type { PlainWords } from '../../../dates/line/plain-words.ts';
import type { Language } from '../../../messages/messages.ts';
import { useClock, useToday } from '../../base/days.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import type { FormContext } from './values.ts';

/** Returns the places of the club, most used first. */
function usePlaces(): readonly string[] {
  const { all } = useVisibleEvents();
  return useMemo(() => {
    const counts = new Map<string, number>();
    for (const { location } of all?.events ?? []) {
      if (location !== '') counts.set(location, (counts.get(location) ?? 0) + 1);
    }
    return [...counts].toSorted(([, one], [, other]) => other - one).map(([place]) => place);
  }, [all]);
}

/** Returns what the line is read with: today, the time, the language and the known places. */
export function useLineContext(): PlainWordsContext & FormContext {
  const zone = useClock();
  const { language } = useTranslation().i18n;
  const today = useToday();
  const places = usePlaces();
  const now = zone.timeOf(new Date());
  return useMemo(
    () => ({ today, now, language: language as Language, places, zone }),
    [today, now, language, places, zone],
  );
}

/** The recognised parts of the line, each with its field's name; the input lies over them. */
function Marks({ text, parts }: { readonly text: string; readonly parts: PlainWords['parts'] }) {
  const { t } = useTranslation('eventForm');
  return (
    <>
      {text.slice(0, parts[0]?.start)}
      {parts.map(({ field, start, end }, index) => {
        // The room up to the next part is free for the name of the field.
        const room = (parts[index + 1]?.start ?? Number.POSITIVE_INFINITY) - start;
        return (
          <span key={start} className="words-part" data-narrow={room === 3 || undefined}>
            <mark>{text.slice(start, end)}</mark>
            {text.slice(end, parts[index + 1]?.start)}
            {/* The 3 of "3–5 July" has no room for a name. */}
            {room > 2 && <i>{t(field)}</i>}
          </span>
        );
      })}
    </>
  );
}

/**
 * A text field of one paragraph over the marks of its recognised parts. It grows with the text, which
 * has no line breaks: Enter submits its form.
 */
export function PlainWordsInput({
  text,
  words,
  onChange,
  ...props
}: Omit<ComponentProps<'textarea'>, 'value' | 'onChange'> & {
  readonly text: string;
  readonly words: PlainWords;
  readonly onChange: (text: string) => void;
}) {
  return (
    <div className="words">
      <div className="words-marks" aria-hidden>
        <Marks text={text} parts={words.parts} />
      </div>
      <textarea
        {...props}
        rows={1}
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value.replace(/\s*[\r\n]+\s*/g, ' '))
        }
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
    </div>
  );
}

/** The line of plain words that fills the fields of the form. */
export function PlainWordsLine(props: {
  readonly text: string;
  readonly words: PlainWords;
  /** The date and time of the event in words; empty if there is none. */
  readonly moment: string;
  readonly input: RefObject<HTMLTextAreaElement | null>;
  readonly onChange: (text: string) => void;
}) {
  const { text, words, moment, input, onChange } = props;
  const { t } = useTranslation('eventForm');
  const isAsked = words.isDayUnclear && moment === '';
  return (
    <div>
      <PlainWordsInput
        ref={input}
        id="event-line"
        data-autofocus
        aria-label={t('line')}
        aria-describedby="event-moment"
        placeholder={t('lineExample')}
        text={text}
        words={words}
        onChange={onChange}
      />
      <p className="flow quiet words-read">
        <span id="event-moment" role="status">
          {isAsked ? t('dayUnclear') : moment}
        </span>
        <span aria-hidden>{text.trim() !== '' && !isAsked && t('enterAdds')}</span>
      </p>
    </div>
  );
}
