import './questions.css';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../http/contract.ts';
import { RowButton } from '../../base/buttons.tsx';
import {
  Answers,
  type CalendarQuestion,
  maxValueLength,
  Questions,
  useAnswer,
  useSince,
} from '../../base/calendar-questions.tsx';
import { useFormats } from '../../base/format.ts';
import { useFollowed } from '../../data/followed.ts';

/** The card of all questions, above the next event; nothing without one. */
export function QuestionsCard() {
  const { t } = useTranslation('follow');
  const formats = useFormats();
  const { questions, answer } = useFollowed();
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
      <Questions questions={questions} answer={answer} limit={3} />
    </section>
  );
}

/** A question about the event of the panel: it is missing in its calendar, or which values are right. */
function EventQuestion({ question }: { readonly question: CalendarQuestion }) {
  const { t } = useTranslation('follow');
  const sinceOf = useSince();
  const followed = useFollowed();
  const answer = useAnswer(question, followed.answer);
  const { values } = question;
  const since = sinceOf(question.since);
  const [first, ...others] = values;
  if (first === undefined) {
    return (
      <div className="stack even changed">
        <p>{t('missing', { since })}</p>
        <Answers question={question} answer={followed.answer} />
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
