import './line.css';
import { type ComponentProps, type RefObject, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlainWords } from '../../../dates/line/plain-words.ts';
import { useSize } from '../../base/browser.ts';
import { useFormats } from '../../base/format.ts';
import type { EventFormState } from './form-state.ts';
import { useSeriesWords } from './repetition-fields.tsx';
import type { Series } from './series.ts';
import { isTimeOfDay, timestampOf } from './values.ts';

/**
 * Moves the name below the last part to the left as far as it would leave the line, which would cut it.
 */
function useWholeLastName(text: string) {
  const marks = useRef<HTMLDivElement>(null);
  const size = useSize(marks);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text or width has other rows
  useLayoutEffect(() => {
    const name = marks.current?.querySelector<HTMLElement>('.words-part:last-child i');
    if (!name) return;
    name.style.translate = '';
    const edge = (marks.current as HTMLElement).getBoundingClientRect().right;
    const over = Math.ceil(name.getBoundingClientRect().right - edge);
    if (over > 0) name.style.translate = `${-over}px`;
  }, [text, size]);
  return marks;
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
        const before = parts[index - 1];
        // The 18 of "18-23 Uhr" has no room for a name, which stands below the 23 with the other one.
        const shared = before !== undefined && start - before.start <= 2 ? before : undefined;
        return (
          <span key={start} className="words-part" data-narrow={room === 3 || undefined}>
            <mark>{text.slice(start, end)}</mark>
            {text.slice(end, parts[index + 1]?.start)}
            {room > 2 && (
              <i data-shared={shared ? true : undefined}>
                {shared ? `${t(shared.field)} – ${t(field)}` : t(field)}
              </i>
            )}
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
function PlainWordsInput({
  text,
  words,
  onChange,
  ...props
}: Omit<ComponentProps<'textarea'>, 'value' | 'onChange'> & {
  readonly text: string;
  readonly words: PlainWords;
  readonly onChange: (text: string) => void;
}) {
  const marks = useWholeLastName(text);
  return (
    <div className="words">
      <div ref={marks} className="words-marks" aria-hidden>
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

/** Returns the day and the time of the event in a form, or its repetition, in words. */
function useMoment({ clock, errors, stored, series, shownEnd }: EventFormState): string {
  const seriesWords = useSeriesWords();
  const formats = useFormats();
  const hasDay = errors.date === undefined;
  const time =
    hasDay && errors.time === undefined && stored.time !== ''
      ? formats.time(timestampOf(clock, stored.date, stored.time))
      : '';
  const until = isTimeOfDay(stored.ends) ? `–${formats.clock(stored.ends)}` : '';
  if (series !== undefined) return seriesWords(series, time && time + until);
  const day = hasDay ? formats.on('longDay', stored.date) : '';
  const end = shownEnd.charAt(0).toLocaleLowerCase() + shownEnd.slice(1);
  return [day, time, end].filter((part) => part !== '').join(', ');
}

/** Returns a function that words the button for an event or for those of a repetition. */
export function useAddWords(): (series: Series | undefined) => string {
  const { t } = useTranslation('eventForm');
  const formats = useFormats();
  return (series) => {
    const count = series?.days.length ?? 1;
    return count === 1 ? t('add') : t('addSeveral', { count, shown: formats.number(count) });
  };
}

/** The line of plain words that fills the fields of a form. */
export function PlainWordsLine(props: {
  readonly form: EventFormState;
  readonly input: RefObject<HTMLTextAreaElement | null>;
  readonly isInvalid?: boolean;
  /** True if Enter adds an event. */
  readonly canAdd?: boolean;
}) {
  const { form, input, isInvalid, canAdd = form.isComplete } = props;
  const { words, state } = form;
  const { t } = useTranslation('eventForm');
  const moment = useMoment(form);
  const isAsked = words.isDayUnclear && moment === '';
  const question =
    words.unread === undefined ? t('dayUnclear') : t('wordsUnclear', { words: words.unread });
  return (
    <div>
      <PlainWordsInput
        ref={input}
        id="event-line"
        data-autofocus
        aria-label={t('line')}
        aria-describedby="event-moment"
        aria-invalid={isInvalid || undefined}
        placeholder={t('lineExample')}
        text={state.line}
        words={words}
        onChange={form.changeLine}
      />
      <p className="flow quiet words-read">
        <span id="event-moment" role="status">
          {isAsked ? question : moment}
        </span>
        <span aria-hidden>{state.line.trim() !== '' && !isAsked && canAdd && t('enterAdds')}</span>
      </p>
    </div>
  );
}
