import { type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlainWords } from '../../base/plain-words/plain-words.ts';

/** The recognised parts of the line, each with its field's name; the input lies over them. */
function Marks({ text, parts }: { readonly text: string; readonly parts: PlainWords['parts'] }) {
  const { t } = useTranslation('eventForm');
  return (
    <>
      {text.slice(0, parts[0]?.start)}
      {parts.map(({ field, start, end }, index) => (
        // The room up to the next part is free for the name of the field.
        <span key={start} className="words-part">
          <mark>{text.slice(start, end)}</mark>
          {text.slice(end, parts[index + 1]?.start)}
          <i>{t(field)}</i>
        </span>
      ))}
    </>
  );
}

/** The line of plain words that fills the fields of the form. */
export function PlainWordsLine({
  text,
  words,
  moment,
  input,
  onChange,
}: {
  readonly text: string;
  readonly words: PlainWords;
  /** The date and time of the event in words; empty if there is none. */
  readonly moment: string;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onChange: (text: string) => void;
}) {
  const { t } = useTranslation('eventForm');
  const marks = useRef<HTMLDivElement>(null);
  const follow = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    if (marks.current !== null) marks.current.scrollLeft = currentTarget.scrollLeft;
  };
  return (
    <div className="words-field">
      <div className="words">
        <div ref={marks} className="words-marks" aria-hidden>
          <Marks text={text} parts={words.parts} />
        </div>
        <input
          ref={input}
          id="event-line"
          data-autofocus
          aria-label={t('line')}
          aria-describedby="event-moment"
          autoComplete="off"
          placeholder={t('lineExample')}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
          onScroll={follow}
          onSelect={follow}
        />
      </div>
      <p className="words-read">
        <span id="event-moment" role="status">
          {moment}
        </span>
        <span aria-hidden>{text.trim() !== '' && t('enterAdds')}</span>
      </p>
    </div>
  );
}
