import './message.css';
import { Button, Checkbox, SegmentedControl, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UnannouncedChange } from '../../../event/announced.ts';
import { groupOf, groups, writeChanges } from '../../../event/write-message.ts';
import { languages } from '../../../messages/messages.ts';
import { copyText } from '../../base/browser.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { useClock, useToday } from '../../base/days.ts';
import { useEventTimes } from '../../base/event-words.ts';
import { useFormats, wordingOf } from '../../base/format.ts';
import { IconCheck, IconCopy } from '../../base/icons.ts';
import {
  type Announced,
  type StoredAnnounced,
  stateAfter,
  useAnnounced,
} from '../../data/announced.ts';
import { useTask } from '../parts/action-hooks.ts';
import { useChangeWords } from '../parts/change-words.ts';
import { useClubText, useDesktop } from '../parts/desktop-provider.tsx';
import { ErrorNotice, Saved } from '../parts/parts.tsx';

/** Words what changed, old → new. */
function useChangeText(): (change: UnannouncedChange) => string {
  const { t } = useTranslation('message');
  const times = useEventTimes('weekdayAndDay');
  const { describeValue } = useChangeWords();
  return ({ kind, event, values }) => {
    if (kind === 'removed') return t('removed');
    if (kind === 'new' || kind === 'again')
      return [times.clock(event) ?? times.whole(event), event.location].filter(Boolean).join(', ');
    const announced = values.filter(({ field }) => kind !== 'cancelled' || field === 'reason');
    return announced.map(describeValue).join(', ');
  };
}

function ChangeRow(props: {
  readonly change: UnannouncedChange;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}) {
  const { change, isChosen, onChoose } = props;
  const { t } = useTranslation('message');
  const formats = useFormats();
  const id = useId();
  const textOf = useChangeText();
  const { event } = change;
  const isOff = groupOf(change) === 'cancelled';
  const name = isOff ? <s dir="auto">{event.name}</s> : <span dir="auto">{event.name}</span>;
  return (
    <li>
      <label htmlFor={id} className="pressable announced-row">
        <Checkbox
          id={id}
          size="sm"
          aria-label={t('select', { name: event.name })}
          checked={isChosen}
          onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
        />
        <span className="announced-day">
          <span>{formats.at('weekday', event.date)}</span>
          <span className="announced-number">{formats.at('date', event.date)}</span>
          <span>{formats.at('shortMonth', event.date)}</span>
        </span>
        <span className="announced-text">
          <span className="strong">{name}</span>
          <span className="small" dir="auto">
            {textOf(change)}
          </span>
        </span>
      </label>
    </li>
  );
}

/** The changes by kind, each with a tick for the message. */
function ChangeList(props: {
  readonly changes: readonly UnannouncedChange[];
  readonly omitted: ReadonlySet<number>;
  readonly onOmit: (omitted: ReadonlySet<number>) => void;
}) {
  const { changes, omitted, onOmit } = props;
  const { t } = useTranslation('message');
  const id = useId();
  return groups.map((group) => {
    const listed = changes.filter((change) => groupOf(change) === group);
    if (listed.length === 0) return null;
    return (
      <section key={group} className="announced-group" aria-labelledby={`${id} ${group}`}>
        <h2 id={`${id} ${group}`}>{t(group)}</h2>
        <ul className="ruled">
          {listed.map((change) => (
            <ChangeRow
              key={change.event.id}
              change={change}
              isChosen={!omitted.has(change.event.id)}
              onChoose={(isChosen) => {
                const next = new Set(omitted);
                if (isChosen) next.delete(change.event.id);
                else next.add(change.event.id);
                onOmit(next);
              }}
            />
          ))}
        </ul>
      </section>
    );
  });
}

type Done = { readonly text: string; readonly before: StoredAnnounced };

/** The message in a language, free to change, and the ways to tell it. */
function MessageText(props: {
  readonly announced: Announced;
  readonly changes: readonly UnannouncedChange[];
  readonly unannounced: ReadonlySet<number>;
  readonly onDone: (done: Done) => void;
}) {
  const { announced, changes, unannounced, onDone } = props;
  const { t, i18n } = useTranslation(['message', 'manage', 'undoNotice']);
  const formats = useFormats();
  const today = useToday();
  const clock = useClock();
  const { club } = useDesktop();
  const { store } = useAnnounced();
  const [language, setLanguage] = useState(announced.announced.language ?? i18n.language);
  const written = writeChanges(wordingOf(clock, language), changes, {
    ...{ club: club.name, team: '', link: null, today },
  });
  const [text, setText, forget] = useClubText('message for all');
  const [replaced, setReplaced] = useState<{ language: string; text: string } | undefined>();
  const [notCopied, setNotCopied] = useState(false);
  const shown = text === '' ? written : text;
  const telling = useTask(async (isCopied: boolean) => {
    const before = await store(stateAfter(announced, { language, unannounced }));
    forget();
    const count = t('told', { count: changes.length, shown: formats.number(changes.length) });
    onDone({ text: isCopied ? t('copiedTold', { told: count }) : count, before });
  });
  const copy = async () => {
    const isCopied = await copyText(shown);
    setNotCopied(!isCopied);
    if (isCopied) await telling.run(true);
  };
  const choose = (next: string) => {
    setReplaced(text === '' ? undefined : { language, text });
    forget();
    setLanguage(next);
  };
  return (
    <section className="stack announced-letter" aria-label={t('text')}>
      <SegmentedControl
        fullWidth
        size="sm"
        aria-label={t('language')}
        value={language}
        onChange={choose}
        data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
      />
      <p role="status" className="small optional announced-replaced">
        {replaced && (
          <>
            {t('wordsLost')}{' '}
            <LinkButton
              onClick={() => {
                setLanguage(replaced.language);
                setText(replaced.text);
                setReplaced(undefined);
              }}
            >
              {t('undoNotice:undo')}
            </LinkButton>
          </>
        )}
      </p>
      <Textarea
        aria-label={t('text')}
        description={t('textHelp')}
        inputWrapperOrder={['input', 'description', 'error']}
        lang={language}
        autosize
        minRows={12}
        maxRows={24}
        spellCheck={false}
        value={shown}
        error={notCopied ? t('manage:notCopied') : undefined}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ErrorNotice error={telling.error} />
      <div className="flow">
        <Button
          leftSection={<IconCopy size={18} stroke={1.75} aria-hidden />}
          disabled={changes.length === 0}
          loading={telling.isRunning}
          onClick={() => void copy()}
        >
          {t('copy')}
        </Button>
        <Button
          variant="subtle"
          disabled={changes.length === 0}
          onClick={() => void telling.run(false)}
        >
          {t('mark')}
        </Button>
      </div>
    </section>
  );
}

/** The changes that nobody was told of, and one message about them. */
export function MessageScreen() {
  const { t } = useTranslation('message');
  const formats = useFormats();
  const { announced, changes, store } = useAnnounced();
  const [omitted, setOmitted] = useState<ReadonlySet<number>>(new Set());
  const [done, setDone] = useState<Done | undefined>();
  const undoing = useTask(async (before: StoredAnnounced) => {
    await store(before);
    setDone(undefined);
  });
  const marking = useTask(async () => {
    if (announced)
      await store(
        stateAfter(announced, { language: announced.announced.language, unannounced: new Set() }),
      );
  });
  if (announced === undefined) return null;
  const { at, language } = announced.announced;
  const day = formats.at('day', at);
  const chosen = changes.filter(({ event }) => !omitted.has(event.id));
  const unannounced = new Set(
    changes.flatMap(({ event }) => (omitted.has(event.id) ? event.id : [])),
  );
  const count = { count: changes.length, shown: formats.number(changes.length) };
  return (
    <>
      {!announced.isCurrent && <p>{t('restored', { day })}</p>}
      {changes.length === 0 ? (
        <div className="stack announced-start">
          {announced.isCurrent ? (
            <p className="row">
              <IconCheck size={20} aria-hidden /> {t('nothing')}
            </p>
          ) : (
            <Button loading={marking.isRunning} onClick={() => void marking.run()}>
              {t('knowAll')}
            </Button>
          )}
          {language !== null && <p className="row quiet">{t('lastMessage', { day })}</p>}
        </div>
      ) : (
        <div className="announced">
          <div>
            <p className="announced-count">{t('untold', count)}</p>
            <p className="quiet">{t(language === null ? 'sinceCount' : 'since', { day })}</p>
            <ChangeList changes={changes} omitted={omitted} onOmit={setOmitted} />
          </div>
          <MessageText
            announced={announced}
            changes={chosen}
            unannounced={unannounced}
            onDone={(next) => {
              setDone(next);
              setOmitted(new Set());
            }}
          />
        </div>
      )}
      <Saved was={done?.text} onUndo={() => done && void undoing.run(done.before)} />
      <ErrorNotice error={undoing.error ?? marking.error} />
    </>
  );
}
