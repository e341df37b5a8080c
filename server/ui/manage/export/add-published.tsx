import { Button, Switch, TextInput } from '@mantine/core';
import {
  type Icon,
  IconCalendar,
  IconCheck,
  IconCloud,
  IconDeviceLaptop,
  IconFolder,
  IconWorld,
} from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionInput, ChosenFile } from '../../../actions/bridge.ts';
import { fileNameOf } from '../../../export/file-name.ts';
import { requireBridge, unwrap } from '../../base/desktop.ts';
import { regionalTag, useFormats } from '../../base/format.ts';
import { capitalize } from '../../base/i18n.ts';
import { KeyInput } from '../../base/key-input.tsx';
import { performChange, useActionQuery, useTask } from '../parts/action-hooks.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { ErrorNotice } from '../parts/parts.tsx';

/** The looks and names of the formats. */
export const fileKinds = {
  ics: { Icon: IconCalendar, name: 'calendar', help: 'calendarHelp' },
  html: { Icon: IconWorld, name: 'page', help: 'pageHelp' },
  json: { Icon: IconDeviceLaptop, name: 'copy', help: 'copyHelp' },
} as const satisfies Record<
  ActionInput<'publish add'>['format'] & string,
  { Icon: Icon; name: string; help: string }
>;

type Format = keyof typeof fileKinds;
type Place = 'folder' | 'web';

/** The answers so far. */
type Draft = {
  readonly format: Format | undefined;
  readonly search: string;
  readonly drafts: boolean;
  readonly place: Place;
  readonly file: ChosenFile | undefined;
  readonly url: string;
  readonly account: string;
  readonly password: string;
  readonly address: string;
  readonly replace: boolean;
};

const empty: Draft = {
  format: undefined,
  search: '',
  drafts: false,
  place: 'folder',
  file: undefined,
  url: '',
  account: '',
  password: '',
  address: '',
  replace: false,
};

/** A question: waiting, open, or answered and folded into one line. */
function Question({
  number,
  title,
  state,
  answer,
  onChange,
  children,
}: {
  readonly number: number;
  readonly title: string;
  readonly state: 'waiting' | 'open' | 'done';
  readonly answer?: string | undefined;
  readonly onChange?: () => void;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation('published');
  const heading = useRef<HTMLHeadingElement>(null);
  const isDone = state === 'done';
  useEffect(() => {
    // The last two questions open together.
    if (state === 'open' && number < 4) heading.current?.focus();
  }, [state, number]);
  return (
    <li data-state={state}>
      <span className="published-number">
        {isDone ? <IconCheck size={16} stroke={2.5} aria-hidden /> : number}
      </span>
      <div className="published-question">
        <h2 ref={heading} tabIndex={-1}>
          {isDone ? capitalize(answer ?? '') : title}
        </h2>
        {isDone && (
          <button
            type="button"
            className="link-button"
            aria-label={t('changeNamed', { question: title })}
            onClick={onChange}
          >
            {t('change')}
          </button>
        )}
        {state === 'open' && children}
      </div>
    </li>
  );
}

/** The events that members get; follows every answer. */
function Preview({ draft: { search, drafts } }: { readonly draft: Draft }) {
  const { t } = useTranslation('published');
  const formats = useFormats();
  const { club } = useDesktop();
  const args = { user: club.name, search, drafts };
  const { data } = useActionQuery('publish preview', args, { keepsPrevious: true });
  if (data === undefined) return null;
  return (
    <section className="published-preview" aria-labelledby="published-preview">
      <h2 id="published-preview">{t('preview')}</h2>
      <p role="status" className="quiet small">
        {t('count', {
          count: data.events,
          shown: formats.number(data.events),
          all: formats.number(data.all),
        })}
      </p>
      <ul className="card">
        {data.next.map(({ id, name, date, location }) => (
          <li key={id}>
            <span className="quiet small">{formats.at('weekdayInYear', date)}</span>
            <span>
              <strong dir="auto">{name}</strong>
              <span className="quiet small" dir="auto">
                {[formats.time(date), location].filter((text) => text !== '').join(' · ')}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Change = (change: Partial<Draft>) => void;

/** The place: a file that a dialog chose, or an address with an account. */
function PlaceFields({ draft, onChange }: { readonly draft: Draft; readonly onChange: Change }) {
  const { t } = useTranslation('published');
  const { club } = useDesktop();
  const { format = 'ics', place, file, url, account, password } = draft;
  const choosing = useTask(async () => {
    const name = `${fileNameOf(club.name)}.${format}`;
    const chosen = await unwrap(requireBridge().chooseOutput({ name }));
    // The dialog has asked about a file that is there.
    if (chosen !== null) onChange({ file: chosen, replace: chosen.size !== null });
  });
  const kinds = [
    { value: 'folder', Icon: IconFolder, name: 'folder', help: 'folderHelp' },
    { value: 'web', Icon: IconCloud, name: 'web', help: 'webHelp' },
  ] as const;
  return (
    <>
      <div className="published-picks">
        {kinds.map(({ value, Icon, name, help }) => (
          <label key={value} className="published-pick">
            <input
              type="radio"
              name="published-place"
              checked={place === value}
              onChange={() => onChange({ place: value, replace: false })}
            />
            <Icon size={24} stroke={1.5} aria-hidden />
            <strong>{t(name)}</strong>
            <span className="quiet small">{t(help)}</span>
          </label>
        ))}
      </div>
      {place === 'folder' ? (
        <div className="published-buttons">
          <Button variant="default" size="sm" fw={500} onClick={() => void choosing.run()}>
            {t(file === undefined ? 'choose' : 'chooseOther')}
          </Button>
          {file !== undefined && <strong dir="auto">{file.name}</strong>}
          <ErrorNotice error={choosing.error} />
        </div>
      ) : (
        <>
          <TextInput
            label={t('url')}
            type="url"
            placeholder="https://cloud.example.org/remote.php/dav/files/maria/dates.ics"
            autoComplete="off"
            spellCheck={false}
            value={url}
            onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
          />
          <div className="published-access">
            <TextInput
              label={t('account')}
              autoComplete="off"
              spellCheck={false}
              value={account}
              onChange={({ currentTarget }) => onChange({ account: currentTarget.value })}
            />
            <KeyInput
              label={t('password')}
              value={password}
              onChange={({ currentTarget }) => onChange({ password: currentTarget.value })}
            />
          </div>
          <p className="quiet small">{t('passwordHelp')}</p>
        </>
      )}
    </>
  );
}

/** Returns the arguments of the action; undefined while an answer is missing. */
function requestOf(
  draft: Draft,
  user: string,
  language: string,
): ActionInput<'publish add'> | undefined {
  const { format, search, drafts, place, file, url, account, password, address, replace } = draft;
  if (format === undefined) return undefined;
  const common = { user, format, search, drafts, language, address, replace };
  if (place === 'folder') return file && { ...common, output: file.token };
  return url.trim() === '' ? undefined : { ...common, url: url.trim(), account, password };
}

/** Four questions about a file that stays up to date; nothing is written before the last button. */
export function AddPublished({ onDone }: { readonly onDone: (text?: string) => void }) {
  const { t, i18n } = useTranslation('published');
  const { club } = useDesktop();
  const [step, setStep] = useState(1);
  const [draft, setDraft] = useState(empty);
  const change: Change = (changed) => setDraft((before) => ({ ...before, ...changed }));
  const { format, search, drafts, address, replace } = draft;
  const request = requestOf(draft, club.name, regionalTag(i18n.language));
  const adding = useTask(async () => {
    if (request === undefined) return;
    const { result } = await performChange('publish add', request);
    onDone(t('added', { count: result.events, shown: String(result.events) }));
  });
  const isThere = (adding.error as { code?: string } | undefined)?.code === 'publish_file_exists';
  const pick = (chosen: Format) => {
    // A copy for another computer has everything.
    change({ format: chosen, drafts: chosen === 'json', file: undefined });
    setStep(2);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step === 2) setStep(3);
    else if (step > 2) void adding.run();
  };
  const words = search.trim() === '' ? t('everything') : t('only', { words: search.trim() });
  const stateOf = (number: number) =>
    number === Math.min(step, 3) || (number === 4 && step > 2)
      ? 'open'
      : number < step
        ? 'done'
        : 'waiting';
  const answer = drafts ? `${words}, ${t('withDrafts')}` : words;
  return (
    <section className="published-add" aria-label={t('addTitle')}>
      <form noValidate onSubmit={submit}>
        <p className="quiet">{t('addIntro')}</p>
        <ol className="published-questions">
          <Question
            number={1}
            title={t('what')}
            state={stateOf(1)}
            answer={format && t(fileKinds[format].name)}
            onChange={() => setStep(1)}
          >
            <div className="published-picks">
              {(Object.keys(fileKinds) as Format[]).map((each) => {
                const { Icon, name, help } = fileKinds[each];
                return (
                  <button
                    key={each}
                    type="button"
                    className="published-pick"
                    onClick={() => pick(each)}
                  >
                    <Icon size={24} stroke={1.5} aria-hidden />
                    <strong>{t(name)}</strong>
                    <span className="quiet small">{t(help)}</span>
                  </button>
                );
              })}
            </div>
          </Question>
          <Question
            number={2}
            title={t('which')}
            state={stateOf(2)}
            answer={answer}
            onChange={() => setStep(2)}
          >
            <TextInput
              label={t('words')}
              description={t('wordsHelp')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={search}
              onChange={({ currentTarget }) => change({ search: currentTarget.value })}
            />
            <Switch
              label={t('drafts')}
              checked={drafts}
              onChange={({ currentTarget }) => change({ drafts: currentTarget.checked })}
            />
          </Question>
          <Question number={3} title={t('where')} state={stateOf(3)}>
            <PlaceFields draft={draft} onChange={change} />
          </Question>
          <Question number={4} title={t('address')} state={stateOf(4)}>
            <TextInput
              label={t('addressLabel')}
              description={t('addressHelp')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              type="url"
              placeholder="https://rovers.example/dates"
              autoComplete="off"
              spellCheck={false}
              value={address}
              onChange={({ currentTarget }) => change({ address: currentTarget.value })}
            />
          </Question>
        </ol>
        <ErrorNotice error={adding.error} />
        {isThere && (
          <Switch
            label={t('replaceExisting')}
            checked={replace}
            onChange={({ currentTarget }) => change({ replace: currentTarget.checked })}
          />
        )}
        <div className="published-foot">
          <Button variant="default" onClick={() => onDone()}>
            {t('cancel')}
          </Button>
          {step === 2 && <Button type="submit">{t('continue')}</Button>}
          {step > 2 && (
            <Button type="submit" loading={adding.isRunning} disabled={request === undefined}>
              {t('keep')}
            </Button>
          )}
        </div>
      </form>
      <Preview draft={draft} />
    </section>
  );
}
