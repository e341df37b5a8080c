import './calendar-questions.css';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionInput, ActionResult } from '../../actions/bridge.ts';
import { LinkButton, RowButton } from './buttons.tsx';
import { useToday } from './days.ts';
import { useEventTimes } from './event-words.ts';
import { useFormats } from './format.ts';
import { goTo } from './navigation.ts';

/** A followed calendar, as the list has it. */
export type FollowedCalendar = ActionResult<'follow list'>['calendars'][number];

/** A value that was edited here and changed in the calendar, in words. */
type ValuePair = {
  readonly field: 'time' | 'date' | 'location' | 'name' | 'other';
  readonly label: string;
  readonly here: string;
  readonly there: string;
};

/** A question of a calendar about an event. */
export type CalendarQuestion = {
  readonly calendar: FollowedCalendar;
  readonly event: { readonly id: number; readonly name: string; readonly date: string };
  /** The time since which the calendar lacks the event, or has another value. */
  readonly since: string;
  /** The values of which one is right; empty for an event that is missing in the calendar. */
  readonly values: readonly ValuePair[];
};

/** Answers about events: cancel or keep those that are missing, keep the values here or take the others. */
export type CalendarAnswers = Pick<ActionInput<'follow answer'>, 'cancel' | 'keep' | 'take'>;

/** Answers a calendar with a notice and Undo; the words are those of the notice. */
export type AnswerCalendar = (
  calendar: number,
  answers: CalendarAnswers,
  words: { readonly title: string; readonly text: string },
) => Promise<void>;

/** Length of a value that a button names, in characters. */
export const maxValueLength = 20;

/** Returns true for one value of which both versions have room in buttons. */
const fitsButtons = ([value, ...others]: readonly ValuePair[]): boolean =>
  value !== undefined &&
  others.length === 0 &&
  [value.here, value.there].every((text) => text.length <= maxValueLength);

/** Returns a function that answers a question with a notice. */
export function useAnswer({ calendar, event }: CalendarQuestion, answer: AnswerCalendar) {
  const { t } = useTranslation('follow');
  const { id, name: title } = event;
  return (kind: keyof CalendarAnswers, text: 'cancelled' | 'kept' | 'mineKept' | 'taken') => () =>
    void answer(calendar.id, { [kind]: [id] }, { title, text: t(text) });
}

/** The buttons that answer a question about an event. */
export function Answers(props: {
  readonly question: CalendarQuestion;
  readonly answer: AnswerCalendar;
}) {
  const { question } = props;
  const { t } = useTranslation('follow');
  const answer = useAnswer(question, props.answer);
  const [value] = question.values;
  if (value === undefined) {
    return (
      <div className="flow">
        <RowButton onClick={answer('cancel', 'cancelled')}>{t('cancel')}</RowButton>
        <RowButton onClick={answer('keep', 'kept')}>{t('keep')}</RowButton>
      </div>
    );
  }
  const isShort = fitsButtons(question.values);
  return (
    <div className="flow">
      <RowButton onClick={answer('keep', 'mineKept')}>
        {isShort ? t('keepValue', { value: value.here }) : t('keepMine')}
      </RowButton>
      <RowButton onClick={answer('take', 'taken')}>
        {isShort ? t('takeValue', { value: value.there }) : t('take')}
      </RowButton>
    </div>
  );
}

/** Returns a function that names the day since which a calendar asks. */
export function useSince() {
  const formats = useFormats();
  const today = useToday();
  return (since: string) => formats.dayNear('day', since, today);
}

/** A question of a calendar below the name of its event, which opens it. */
function Question(props: { readonly question: CalendarQuestion; readonly answer: AnswerCalendar }) {
  const { question, answer } = props;
  const { t } = useTranslation('follow');
  const times = useEventTimes('weekdayAndDay');
  const today = useToday();
  const sinceOf = useSince();
  const { event, values } = question;
  const since = sinceOf(question.since);
  const text = values.length === 0 ? t('missing', { since }) : t('edited', { since });
  return (
    <li className="stack even">
      <LinkButton className="question-name" onClick={() => goTo({ manage: null, event: event.id })}>
        <span dir="auto">{event.name}</span>
      </LinkButton>
      <p className="small">{`${times.moment(event.date, today)}. ${text}`}</p>
      <Values values={values} />
      <Answers question={question} answer={answer} />
    </li>
  );
}

/** The values here and in the calendar that are too long for buttons, or several. */
function Values({ values }: Pick<CalendarQuestion, 'values'>) {
  if (values.length === 0 || fitsButtons(values)) return null;
  return (
    <ul className="small">
      {values.map(({ label, here, there }) => (
        <li key={label} dir="auto">
          {label}: {here} → {there}
        </li>
      ))}
    </ul>
  );
}

/** One question about the events of a calendar that are missing at once. */
function ManyMissing(props: {
  readonly calendar: FollowedCalendar;
  readonly answer: AnswerCalendar;
  readonly onEach: () => void;
}) {
  const { calendar, answer, onEach } = props;
  const { t } = useTranslation('follow');
  const formats = useFormats();
  const sinceOf = useSince();
  const { id, name, missing, events } = calendar;
  const [first] = missing;
  const shown = formats.number(missing.length);
  const all = formats.number(events);
  const keepAll = () =>
    answer(id, { keep: missing.map((one) => one.id) }, { title: name, text: t('allKept') });
  return (
    <li className="stack even">
      <p>{t('missingMany', { shown, all, since: sinceOf(first?.since ?? '') })}</p>
      <div className="flow">
        <RowButton onClick={() => void keepAll()}>{t('keepAll')}</RowButton>
        <RowButton onClick={onEach}>{t('lookAtEach')}</RowButton>
      </div>
    </li>
  );
}

type QuestionsProps = {
  readonly questions: readonly CalendarQuestion[];
  readonly answer: AnswerCalendar;
  /** Number of questions that are shown at first; the others are named by their number. */
  readonly limit?: number;
};

/** The questions of calendars; many missing events of one are one question until a person looks at each. */
export function Questions(props: QuestionsProps) {
  const { questions, answer, limit = Number.POSITIVE_INFINITY } = props;
  const { t } = useTranslation('follow');
  const formats = useFormats();
  const [looked, setLooked] = useState<ReadonlySet<number>>(new Set());
  const isOneOf = ({ calendar, values }: CalendarQuestion) =>
    values.length === 0 && calendar.isMany && !looked.has(calendar.id);
  const many = new Map(
    questions.filter(isOneOf).map(({ calendar }) => [calendar.id, calendar] as const),
  );
  const single = questions.filter((question) => !isOneOf(question));
  const shown = single.slice(0, Math.max(0, limit - many.size));
  const rest = single.length - shown.length;
  return (
    <>
      <ul className="ruled questions">
        {[...many.values()].map((calendar) => (
          <ManyMissing
            key={calendar.id}
            calendar={calendar}
            answer={answer}
            onEach={() => setLooked(new Set([...looked, calendar.id]))}
          />
        ))}
        {shown.map((question) => (
          <Question
            key={`${question.calendar.id} ${question.event.id} ${question.values.length}`}
            question={question}
            answer={answer}
          />
        ))}
      </ul>
      {rest > 0 && (
        <LinkButton className="small" onClick={() => goTo({ manage: 'sources' })}>
          {t('moreQuestions', { count: rest, shown: formats.number(rest) })}
        </LinkButton>
      )}
    </>
  );
}
