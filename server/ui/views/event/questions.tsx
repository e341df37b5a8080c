import './questions.css';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../http/contract.ts';
import { LinkButton, RowButton } from '../../base/buttons.tsx';
import { useToday } from '../../base/days.ts';
import { useEventTimes } from '../../base/event-words.ts';
import { useFormats } from '../../base/format.ts';
import { goTo } from '../../base/navigation.ts';
import {
  type CalendarAnswers,
  type CalendarQuestion,
  type FollowedCalendar,
  useFollowed,
} from '../../data/followed.ts';

/** Length of a value that a button names, in characters. */
const maxValueLength = 20;

/** Returns a function that answers a question with a notice. */
function useAnswer({ calendar, event }: CalendarQuestion) {
  const { answer } = useFollowed();
  const { t } = useTranslation('follow');
  const { id, name: title } = event;
  return (kind: keyof CalendarAnswers, text: 'cancelled' | 'kept' | 'mineKept' | 'taken') => () =>
    void answer(calendar.id, { [kind]: [id] }, { title, text: t(text) });
}

/** The buttons that answer a question about an event. */
function Answers({ question }: { readonly question: CalendarQuestion }) {
  const { t } = useTranslation('follow');
  const answer = useAnswer(question);
  const [value, ...others] = question.values;
  if (value === undefined) {
    return (
      <div className="flow">
        <RowButton onClick={answer('cancel', 'cancelled')}>{t('cancel')}</RowButton>
        <RowButton onClick={answer('keep', 'kept')}>{t('keep')}</RowButton>
      </div>
    );
  }
  const isShort =
    others.length === 0 && [value.here, value.there].every((text) => text.length <= maxValueLength);
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
function useSince() {
  const formats = useFormats();
  const today = useToday();
  return (since: string) => formats.dayNear('day', since, today);
}

/** A question of a calendar below the name of its event, which opens it. */
function Question({ question }: { readonly question: CalendarQuestion }) {
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
      <Answers question={question} />
    </li>
  );
}

/** The values here and in the calendar that are too long for buttons, or several. */
function Values({ values }: Pick<CalendarQuestion, 'values'>) {
  const [first] = values;
  const isInButtons =
    values.length === 1 &&
    first !== undefined &&
    [first.here, first.there].every((text) => text.length <= maxValueLength);
  if (values.length === 0 || isInButtons) return null;
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
function ManyMissing(props: { readonly calendar: FollowedCalendar; readonly onEach: () => void }) {
  const { calendar, onEach } = props;
  const { answer } = useFollowed();
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
  /** Number of questions that are shown at first; the others are named by their number. */
  readonly limit?: number;
};

/** The questions of calendars; many missing events of one are one question until a person looks at each. */
export function Questions({ questions, limit = Number.POSITIVE_INFINITY }: QuestionsProps) {
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
            onEach={() => setLooked(new Set([...looked, calendar.id]))}
          />
        ))}
        {shown.map((question) => (
          <Question
            key={`${question.calendar.id} ${question.event.id} ${question.values.length}`}
            question={question}
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

/** The card of all questions, above the next event; nothing without one. */
export function QuestionsCard() {
  const { t } = useTranslation('follow');
  const formats = useFormats();
  const { questions } = useFollowed();
  const count = questions.length;
  if (count === 0) return null;
  const names = new Set(questions.map(({ calendar }) => calendar.name));
  const [name = ''] = names;
  return (
    <section className="card news" aria-labelledby="questions-title">
      <div className="ends">
        <h2 id="questions-title" className="small strong">
          {t('questions', { count, shown: formats.number(count) })}
        </h2>
        {names.size === 1 && (
          <span className="small cut" dir="auto">
            {name}
          </span>
        )}
      </div>
      <Questions questions={questions} limit={3} />
    </section>
  );
}

/** A question about the event of the panel: it is missing in its calendar, or which values are right. */
function EventQuestion({ question }: { readonly question: CalendarQuestion }) {
  const { t } = useTranslation('follow');
  const sinceOf = useSince();
  const answer = useAnswer(question);
  const { values } = question;
  const since = sinceOf(question.since);
  const [first, ...others] = values;
  if (first === undefined) {
    return (
      <div className="stack even changed">
        <p>{t('missing', { since })}</p>
        <Answers question={question} />
      </div>
    );
  }
  const sides = [
    { side: 'here', title: t('here'), kind: 'keep', text: 'mineKept', button: t('keepMine') },
    { side: 'there', title: t('there', { since }), kind: 'take', text: 'taken', button: t('take') },
  ] as const;
  return (
    <section className="stack even changed" aria-labelledby="question-values">
      <h3 id="question-values" className="strong">
        {t(`which_${others.length > 0 ? 'other' : first.field}`)}
      </h3>
      <div className="question-sides">
        {sides.map(({ side, title, kind, text, button }) => (
          <div key={side} className="stack even">
            <p className="quiet">{title}</p>
            {values.map((value) => (
              <p key={value.label} className="strong question-value" dir="auto">
                {others.length > 0 && <span className="quiet">{value.label}: </span>}
                {value[side]}
              </p>
            ))}
            <RowButton onClick={answer(kind, text)}>
              {others.length === 0 && first[side].length <= maxValueLength
                ? t(`${kind}Value`, { value: first[side] })
                : button}
            </RowButton>
          </div>
        ))}
      </div>
      <p className="question-note">{t('untilAnswer')}</p>
    </section>
  );
}

/** The questions of calendars about an event. */
export function EventQuestions({ event }: { readonly event: Event }) {
  const questions = useFollowed().byEvent.get(event.id) ?? [];
  return questions.map((question) => (
    <EventQuestion key={`${question.calendar.id} ${question.values.length}`} question={question} />
  ));
}

/** The mark of an event about which a calendar asks. */
export function QuestionMark({ event }: { readonly event: Event }) {
  const { t } = useTranslation('follow');
  const [question] = useFollowed().byEvent.get(event.id) ?? [];
  if (question === undefined) return null;
  const [value, ...others] = question.values;
  const isTime = value?.field === 'time' && others.length === 0;
  const text =
    value === undefined
      ? t('notListed')
      : isTime
        ? t('twoTimes', { here: value.here, there: value.there })
        : t('twoValues');
  return <span className="badge badge-asks">{text}</span>;
}
