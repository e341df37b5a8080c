import './proposals.css';
import { Button, TextInput } from '@mantine/core';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { daysBetween } from '../../../dates/days.ts';
import type { FieldChange, ValueChange } from '../../../event/changes.ts';
import { takesLetters } from '../../base/browser.ts';
import { useClock, useToday } from '../../base/days.ts';
import { useEventTimes } from '../../base/event-words.ts';
import { useFormats } from '../../base/format.ts';
import { capitalize } from '../../base/i18n.ts';
import { IconAlertTriangle, IconCheck, IconMessageChatbot, IconX } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { useEditor } from '../../data/editor.ts';
import { valuesOf } from '../../data/proposals.ts';
import { useTask } from '../parts/action-hooks.ts';
import { useChangeWords } from '../parts/change-words.ts';
import { StepFooter } from '../parts/parts.tsx';
import {
  type Received,
  UnreadableFiles,
  useReceivedProposals,
} from '../parts/received-proposals.tsx';

type Answer = { readonly accepted: boolean; readonly reason: string };

const isSame = (one: unknown, other: unknown) => (one ?? null) === (other ?? null);

const needsDecision = ({ state, warnings }: Received) =>
  state === 'conflict' || state === 'gone' || warnings.length > 0;

const isEmpty = (value: unknown) => (value ?? '') === '';

/** Returns a function that words a change for several events: a move by some days has only weekdays. */
function useSharedPair() {
  const { wordPair } = useChangeWords();
  const clock = useClock();
  const formats = useFormats();
  return (change: ValueChange): readonly [string, string] => {
    const { field, before, after } = { before: '', ...change };
    if (field !== 'date') return wordPair(change);
    const [from, to] = [clock.dayOf(String(before)), clock.dayOf(String(after))];
    const days = Math.abs(daysBetween(from, to));
    const isSameTime = clock.timeOf(String(before)) === clock.timeOf(String(after));
    if (days === 0 || days > 6 || !isSameTime) return wordPair(change);
    return [formats.on('longWeekday', from), formats.on('longWeekday', to)];
  };
}

/** The proposed values: old → new, or the values of a new event. */
function What({ proposal, isShared }: { readonly proposal: Received; readonly isShared: boolean }) {
  const { t } = useTranslation(['proposals', 'event']);
  const { valuesIn, labelOf, wordPair } = useChangeWords();
  const sharedPair = useSharedPair();
  const times = useEventTimes('weekdayAndDay');
  const { kind, changes, event } = proposal;
  if (kind === 'remove') return <p>{t('delete')}</p>;
  if (kind === 'add') {
    const { location, description = null } = valuesOf(proposal);
    return (
      <p dir="auto">
        <span className="badge badge-good">{t('event:new')}</span>{' '}
        {[times.whole({ date: event.date, description }), location].filter(Boolean).join(', ')}
      </p>
    );
  }
  return valuesIn(changes, event.date).map((change) => {
    const [old, now] = isShared ? sharedPair(change) : wordPair(change);
    return (
      <p key={change.field} dir="auto">
        <span className="quiet">{labelOf(change)}</span>{' '}
        {change.field === 'reason' || isEmpty(change.before) ? null : (
          <>
            <s>{old}</s> →{' '}
          </>
        )}
        <b>{now}</b>
      </p>
    );
  });
}

/** The event as the sender saw it, where it is another one now. */
function Seen({ proposal: { sender, since, event } }: { readonly proposal: Received }) {
  const { t } = useTranslation('proposals');
  const { valuesIn, labelled, labelOf, wordPair } = useChangeWords();
  if (since.length === 0) return null;
  const { before: date = event.date } = since.find(({ field }) => field === 'date') ?? {};
  const values = valuesIn(since, String(date)).map((change) =>
    labelled(labelOf(change), wordPair(change)[0]),
  );
  return (
    <span className="small quiet" dir="auto">
      {t('saw', { name: sender, values: values.join('; ') })}
    </span>
  );
}

/** Returns the answer that all have; undefined if one has another. */
function commonAnswer(answers: readonly (Answer | undefined)[]): Answer | undefined {
  const [first] = answers;
  return answers.every((each) => each?.accepted === first?.accepted) ? first : undefined;
}

/** The facts that a person must know before an answer, and what both answers do. */
function Decision({ proposal }: { readonly proposal: Received }) {
  const { t } = useTranslation('proposals');
  const { valuesIn, wordPair } = useChangeWords();
  const { state, kind, changes, current, event, rivals } = proposal;
  const isCancelled = changes.some(
    (change) => change.field === 'status' && change.after === 'cancelled',
  );
  if (state === 'done') return <p className="small quiet">{t('done')}</p>;
  if (state === 'gone') return <p className="small">{t('gone')}</p>;
  if (state === 'open') return null;
  const changed = changes.filter(
    ({ field, before, after }) =>
      !isSame(current?.[field], before) && !isSame(current?.[field], after),
  );
  const wordNew = (change: FieldChange) =>
    valuesIn([change], event.date)
      .map((value) => wordPair(value)[1])
      .join(', ');
  return (
    <>
      {changed.map((change) => {
        const now = wordNew({ ...change, after: current?.[change.field] });
        return (
          <p key={change.field} className="small" dir="auto">
            {t('conflict', { now, after: wordNew(change) })}
          </p>
        );
      })}
      {rivals.length > 0 && <p className="small">{t('rival')}</p>}
      {kind === 'remove' && rivals.length === 0 && <p className="small">{t('changedSince')}</p>}
      {isCancelled && rivals.length === 0 && <p className="small">{t('cancelSince')}</p>}
    </>
  );
}

/** The reasons to look at a proposal of an assistant. */
function Warnings({ proposal: { warnings } }: { readonly proposal: Received }) {
  const { t } = useTranslation('proposals');
  const formats = useFormats();
  const wordOf = (warning: Received['warnings'][number]): string => {
    switch (warning.kind) {
      case 'clash':
        return t('warnClash', { name: warning.name, time: formats.time(warning.until) });
      case 'followed':
        return t('warnFollowed', { calendar: warning.calendar });
      case 'past':
        return t('warnPast');
      case 'cancels':
        return t('warnCancels');
      case 'hides':
        return t('warnHides');
      case 'link':
        return t('warnLink');
    }
  };
  return warnings.map((warning) => (
    <p key={warning.kind} className="small beside received-warning" dir="auto">
      <IconAlertTriangle size={16} aria-hidden />
      {wordOf(warning)}
    </p>
  ));
}

/** Equal proposals of an assistant, which are one row, or a single one. */
type Group = readonly [Received, ...(readonly Received[])];

/** One proposal, or equal ones, with the answer. */
function Row(props: {
  readonly group: Group;
  readonly answer: Answer | undefined;
  readonly onAnswer: (answer: Answer) => void;
  readonly onExpand: () => void;
}) {
  const { group, answer, onAnswer, onExpand } = props;
  const [proposal] = group;
  const { t } = useTranslation('proposals');
  const formats = useFormats();
  const today = useToday();
  const id = useId();
  const { sender } = proposal;
  const shown = formats.number(group.length);
  const name = proposal.event.name;
  const dates = group.map(({ event }) => event.date).toSorted();
  const event =
    group.length === 1
      ? { name, day: formats.dayNear('longDay', proposal.event.date, today) }
      : {
          name: t('groupOf', { name, shown }),
          day: t('period', {
            from: formats.dayNear('longDay', dates[0] ?? '', today),
            to: formats.dayNear('longDay', dates.at(-1) ?? '', today),
          }),
        };
  const choices = [
    { accepted: true, label: t('accept'), Icon: IconCheck },
    { accepted: false, label: t('refuse'), Icon: IconX },
  ];
  const reason = answer?.reason ?? '';
  const row = (
    <tr data-open={needsDecision(proposal) || undefined} data-group={group.length > 1 || undefined}>
      <th scope="row">
        <span dir="auto">{event.name}</span>
        <span className="small quiet">{event.day}</span>
        <Seen proposal={proposal} />
      </th>
      <td>
        <What proposal={proposal} isShared={group.length > 1} />
        {group.length > 1 && (
          <button type="button" className="link-button small" onClick={onExpand}>
            {t('showEach', { shown })}
          </button>
        )}
        <Decision proposal={proposal} />
        <Warnings proposal={proposal} />
      </td>
      <td>
        <fieldset className="yes-no">
          <legend className="only-spoken">{t('answerTo', { name: event.name })}</legend>
          {choices.map(({ accepted, label, Icon }) => (
            <label key={label} className="choice" data-accept={accepted || undefined}>
              <input
                type="radio"
                name={id}
                checked={answer?.accepted === accepted}
                onChange={() => onAnswer({ accepted, reason })}
              />
              <span>
                <Icon size={16} stroke={2} aria-hidden />
                {label}
              </span>
            </label>
          ))}
        </fieldset>
      </td>
    </tr>
  );
  if (answer?.accepted !== false) return row;
  // Behind the answers: the reason is the next stop of the keyboard.
  return (
    <>
      {row}
      <tr className="received-reason" data-open={needsDecision(proposal) || undefined}>
        <td />
        <td>
          <TextInput
            label={t('reason', { name: sender })}
            maxLength={500}
            value={reason}
            onChange={({ currentTarget }) =>
              onAnswer({ accepted: false, reason: currentTarget.value })
            }
          />
        </td>
        <td />
      </tr>
    </>
  );
}

/** Answers the line in focus with A or R, and goes to the next one; never several proposals at once. */
function onLetter(event: KeyboardEvent<HTMLTableElement>): void {
  const at = { a: 0, r: 1 }[event.key.toLowerCase()];
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (at === undefined || !isPlain || takesLetters(event.target)) return;
  const rows = [...event.currentTarget.querySelectorAll('tbody > tr:has([type="radio"])')];
  const row = rows.findIndex((each) => each.contains(event.target as Node));
  const choices = rows[row]?.querySelectorAll<HTMLInputElement>('[type="radio"]');
  if (choices === undefined || rows[row]?.hasAttribute('data-group')) return;
  event.preventDefault();
  // The keys of the window are for the events.
  event.stopPropagation();
  choices[at]?.click();
  const next = rows[row + 1] ?? rows[row];
  const target = next?.querySelector<HTMLElement>('[type="radio"]:checked');
  (target ?? next?.querySelector<HTMLElement>('[type="radio"]'))?.focus();
}

/** The title of the screen, with the number of proposals and who sent them. */
export function ProposalsTitle() {
  const { t } = useTranslation('manage');
  const { title, count } = useReceivedProposals();
  return count > 0 ? title : t('proposals');
}

/** Returns a key that equal proposals of an assistant have; those of people stay alone. */
function useGroupKey() {
  const { valuesIn, labelOf } = useChangeWords();
  const sharedPair = useSharedPair();
  return (proposal: Received): string => {
    const { id, isAssistant, kind, event, changes, sender, note } = proposal;
    if (!isAssistant || kind !== 'change' || needsDecision(proposal)) return id;
    const words = valuesIn(changes, event.date).map((change) => [
      labelOf(change),
      sharedPair(change),
    ]);
    return JSON.stringify([sender, note, event.name, words]);
  };
}

/** The proposals of other computers and assistants, each to accept or refuse, as one change. */
export function ProposalsScreen() {
  const { t } = useTranslation('proposals');
  const { received, unreadable, areMany, names } = useReceivedProposals();
  const formats = useFormats();
  const editor = useEditor();
  const [given, setGiven] = useState<ReadonlyMap<string, Answer | undefined>>(new Map());
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const keyOf = useGroupKey();
  // Nothing of an assistant is chosen before a person has looked.
  const answerOf = (proposal: Received) =>
    given.has(proposal.id) || proposal.isAssistant || needsDecision(proposal)
      ? given.get(proposal.id)
      : { accepted: true, reason: '' };
  const list = received.toSorted(
    (one, other) => Number(needsDecision(other)) - Number(needsDecision(one)),
  );
  const answers = list.map((proposal) => ({ proposal, answer: answerOf(proposal) }));
  const groups = [
    ...Map.groupBy(list, (each) => {
      const key = keyOf(each);
      return expanded.has(key) ? each.id : key;
    }),
  ] as unknown as readonly (readonly [key: string, group: Group])[];
  const ofAssistants = list.filter(({ isAssistant }) => isAssistant);
  const safe = list.filter((each) => !needsDecision(each)).length;
  const accepted = answers.filter(({ answer }) => answer?.accepted === true).length;
  const refused = answers.filter(({ answer }) => answer?.accepted === false).length;
  const open = list.length - accepted - refused;
  const give = (changes: Iterable<readonly [string, Answer | undefined]>) =>
    setGiven((before) => new Map([...before, ...changes]));
  const answer = (proposal: Received, next: Answer) => {
    // Of proposals that exclude each other, only one can be accepted.
    const rivals = next.accepted ? proposal.rivals : [];
    const refusals = rivals.map((id) => [id, { accepted: false, reason: '' }] as const);
    give([[proposal.id, next], ...refusals]);
  };
  const answerAll = (isAccepted: boolean) =>
    give(
      list
        .filter((proposal) => !isAccepted || !needsDecision(proposal))
        .map((each) => [each.id, { accepted: isAccepted, reason: answerOf(each)?.reason ?? '' }]),
    );
  const answering = useTask(async () => {
    const chosen = answers.flatMap(({ proposal, answer: each }) =>
      each === undefined
        ? []
        : {
            ...each,
            proposal: proposal.id,
            // A person has seen what both changed.
            ...(each.accepted &&
              needsDecision(proposal) && { anyway: true, seen: proposal.current }),
          },
    );
    if ((await editor?.answerProposals(chosen)) && open === 0) goTo({ manage: null });
  });
  const quotes = [
    ...new Map(
      list.flatMap(({ sender, note, isAssistant }) =>
        note === null ? [] : [[`${sender}\n${note}`, { sender, note, isAssistant }] as const],
      ),
    ).values(),
  ];
  const sentAt = list.map((each) => each.sentAt).toSorted();
  const counts = { accepted: formats.number(accepted), refused: formats.number(refused) };
  if (list.length === 0) {
    return (
      <div className="stack work-body">
        <UnreadableFiles files={unreadable} />
        <p>{t('noneWaits')}</p>
        <p className="quiet">{t('noneWaitsHelp')}</p>
      </div>
    );
  }
  const label = refused === 0 ? 'submitAccept' : accepted === 0 ? 'submitRefuse' : 'submitBoth';
  return (
    <>
      <div className="stack work-body received">
        <div className="ends received-head">
          <p className="managing-intro">
            {capitalize(
              t(ofAssistants.length === list.length ? 'leadAssistant' : 'lead', {
                when: formats.recentMoment(sentAt.at(-1) ?? '', new Date()),
                name: names.join(', '),
              }),
            )}
          </p>
          <div className="received-buttons">
            <Button variant="default" onClick={() => answerAll(true)}>
              {ofAssistants.length > 0
                ? t('acceptSafe', { shown: formats.number(safe) })
                : t('acceptAll')}
            </Button>
            <Button variant="default" onClick={() => answerAll(false)}>
              {t('refuseAll')}
            </Button>
          </div>
        </div>
        {quotes.map(({ sender, note, isAssistant }) => (
          <figure key={`${sender}\n${note}`} className="row loose">
            <span className="centred strong received-face" aria-hidden>
              {isAssistant ? (
                <IconMessageChatbot size={20} stroke={1.75} />
              ) : (
                sender.slice(0, 1).toLocaleUpperCase()
              )}
            </span>
            <div>
              <blockquote dir="auto">{t('quote', { note })}</blockquote>
              {(isAssistant || names.length > 1) && (
                <figcaption className="small quiet">
                  {isAssistant ? t('assistantNote', { name: sender }) : sender}
                </figcaption>
              )}
            </div>
          </figure>
        ))}
        {areMany && (
          <p className="beside received-many">
            <IconAlertTriangle size={18} aria-hidden />
            {t('manyAtOnce', { shown: formats.number(ofAssistants.length) })}
          </p>
        )}
        <UnreadableFiles files={unreadable} />
        <table className="card card-flush received-table" onKeyDown={onLetter}>
          <thead>
            <tr>
              <th scope="col">{t('ofWhat')}</th>
              <th scope="col">{t('what')}</th>
              <th scope="col">{t('yourAnswer')}</th>
            </tr>
          </thead>
          <tbody>
            {groups.map(([key, group]) => (
              <Row
                key={key}
                group={group}
                answer={commonAnswer(group.map(answerOf))}
                onAnswer={(next) => {
                  for (const each of group) answer(each, next);
                }}
                onExpand={() => setExpanded((before) => new Set([...before, key]))}
              />
            ))}
          </tbody>
        </table>
      </div>
      <StepFooter
        status={[
          ...(open > 0 ? [t('stillOpen', { count: open, shown: formats.number(open) })] : []),
          t('undoLater'),
        ].join(' ')}
      >
        <Button variant="default" onClick={() => goTo({ manage: null })}>
          {t('later')}
        </Button>
        {accepted + refused > 0 && (
          <Button loading={answering.isRunning} onClick={() => void answering.run()}>
            {t(label, counts)}
          </Button>
        )}
      </StepFooter>
    </>
  );
}
