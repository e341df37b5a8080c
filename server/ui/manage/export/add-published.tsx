import { Button, Checkbox, NativeSelect, Switch, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionInput, ChosenFile } from '../../../actions/bridge.ts';
import { fileNameOf } from '../../../export/file-name.ts';
import { makeQrCode } from '../../../export/qr-code.ts';
import { typeFilters } from '../../base/address.ts';
import { LinkButton, RowButton } from '../../base/buttons.tsx';
import { CodePicture } from '../../base/code-picture.tsx';
import { BridgeError, perform, requireBridge, unwrap } from '../../base/desktop.ts';
import { regionalTag, useFormats } from '../../base/format.ts';
import { capitalize } from '../../base/i18n.ts';
import {
  type Icon,
  IconCalendar,
  IconCheck,
  IconCloud,
  IconDeviceLaptop,
  IconFolder,
  IconWorld,
} from '../../base/icons.ts';
import { KeyInput } from '../../base/key-input.tsx';
import { TypeMark } from '../../base/type-mark.tsx';
import { type PublishedFile, shortAddress } from '../../data/subscriptions.ts';
import { useTeams } from '../../data/teams.ts';
import { performChange, useActionQuery, useTask } from '../parts/action-hooks.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { EventList } from '../parts/event-list.tsx';
import { ErrorNotice, OptionCards } from '../parts/parts.tsx';
import { PeriodField } from './period-field.tsx';

type Format = PublishedFile['format'];
type Place = PublishedFile['target']['kind'];

/** The looks and names of the formats. */
export const fileKinds = {
  ics: { Icon: IconCalendar, name: 'calendar', help: 'calendarHelp' },
  html: { Icon: IconWorld, name: 'page', help: 'pageHelp' },
  json: { Icon: IconDeviceLaptop, name: 'copy', help: 'copyHelp' },
} as const satisfies Record<Format, { Icon: Icon; name: string; help: string }>;

const formats: readonly Format[] = ['ics', 'html', 'json'];

/** The answers so far. */
type Draft = {
  readonly format: Format | undefined;
  readonly search: string;
  /** Types of events; empty for all. */
  readonly types: PublishedFile['types'];
  readonly drafts: boolean;
  /** The name of a team; empty for all events. */
  readonly team: string;
  readonly since: PublishedFile['since'];
  readonly place: Place;
  readonly file: ChosenFile | undefined;
  readonly url: string;
  readonly account: string;
  readonly password: string;
  readonly address: string;
  readonly onSheets: boolean;
  readonly replace: boolean;
};

const empty: Draft = {
  format: undefined,
  search: '',
  types: [],
  drafts: false,
  team: '',
  since: 'season',
  place: 'folder',
  file: undefined,
  url: '',
  account: '',
  password: '',
  address: '',
  onSheets: true,
  replace: false,
};

/** Returns the answers that made a file; its password is not among them. */
function draftOf(file: PublishedFile): Draft {
  const { format, search, types, drafts, since, target, address, onSheets } = file;
  const team = file.team ?? '';
  const web = target.kind === 'web' ? { url: target.url, account: target.account } : {};
  const place = target.kind;
  const answers = { format, search, types, drafts, team, since, place, onSheets };
  return { ...empty, ...answers, address: address ?? '', ...web };
}

/** A question: waiting, open, or answered and folded into one line. */
function Question(props: {
  readonly number: number;
  readonly title: string;
  readonly state: 'waiting' | 'open' | 'done';
  readonly answer?: string | undefined;
  readonly onChange?: () => void;
  readonly children: ReactNode;
}) {
  const { number, title, state, answer, onChange, children } = props;
  const { t } = useTranslation('published');
  const heading = useRef<HTMLHeadingElement>(null);
  const isDone = state === 'done';
  useEffect(() => {
    // The last two questions open together.
    if (state === 'open' && number < 4) heading.current?.focus();
  }, [state, number]);
  return (
    <li data-state={state}>
      <span className="centred quiet round published-number">
        {isDone ? <IconCheck size={16} stroke={2.5} aria-hidden /> : number}
      </span>
      <div className="stack even published-question">
        <h2 ref={heading} tabIndex={-1}>
          {isDone ? capitalize(answer ?? '') : title}
        </h2>
        {isDone && onChange && (
          <LinkButton aria-label={t('changeNamed', { question: title })} onClick={onChange}>
            {t('change')}
          </LinkButton>
        )}
        {state === 'open' && children}
      </div>
    </li>
  );
}

type Change = (change: Partial<Draft>) => void;

/** The code of an address for members. */
export function AddressCode({ address }: { readonly address: string }) {
  const { t } = useTranslation('print');
  const code = useMemo(() => makeQrCode(address), [address]);
  const name = t('subscribeCode', { address: shortAddress(address) });
  return <CodePicture className="published-code" code={code} name={name} />;
}

/** Most characters of an address that a code holds. */
const maxAddress = 2_000;

/** The code as sheets show it, with the choice to leave it off; nothing without an address. */
function SheetCode({ draft, onChange }: { readonly draft: Draft; readonly onChange: Change }) {
  const { t } = useTranslation(['published', 'print']);
  const { format, address, onSheets } = draft;
  const url = URL.parse(address.trim());
  const isShown = format !== 'json' && url?.protocol === 'https:' && url.href.length <= maxAddress;
  if (!isShown) return null;
  return (
    <div className="card beside published-sheet">
      <AddressCode address={url.href} />
      <div>
        <p>
          <strong>{t('print:subscribe')}</strong>
        </p>
        <p dir="ltr">{shortAddress(url.href)}</p>
      </div>
      <Checkbox
        size="sm"
        label={t('onSheets')}
        checked={onSheets}
        onChange={({ currentTarget }) => onChange({ onSheets: currentTarget.checked })}
      />
    </div>
  );
}

/** The events that members get, and the code; follows every answer. */
function Preview({ draft, onChange }: { readonly draft: Draft; readonly onChange: Change }) {
  const { search, types, drafts, team, since } = draft;
  const { t } = useTranslation('published');
  const formats = useFormats();
  const { club } = useDesktop();
  const args = { user: club.name, search, types: [...types], drafts, team, since };
  const { data } = useActionQuery('publish preview', args, { keepsPrevious: true });
  if (data === undefined) return null;
  return (
    <section className="stack published-preview" aria-labelledby="published-preview">
      <h2 id="published-preview">{t('preview')}</h2>
      <p role="status" className="quiet small">
        {t('count', {
          count: data.events,
          shown: formats.number(data.events),
          all: formats.number(data.all),
        })}
      </p>
      <EventList events={data.next} />
      <SheetCode draft={draft} onChange={onChange} />
    </section>
  );
}

/** The choice of a team; nothing for a club without teams. */
function TeamField({ draft, onChange }: { readonly draft: Draft; readonly onChange: Change }) {
  const { t } = useTranslation('teams');
  const teams = useTeams();
  if (teams.length === 0) return null;
  return (
    <NativeSelect
      label={t('team')}
      value={draft.team}
      data={[{ value: '', label: t('all') }, ...teams.map(({ name }) => name)]}
      onChange={({ currentTarget }) => onChange({ team: currentTarget.value })}
    />
  );
}

/** The choice of types; none is all. */
function TypeFields(props: { readonly draft: Draft; readonly onChange: Change }) {
  const { draft, onChange } = props;
  const { types } = draft;
  const { t } = useTranslation(['published', 'event']);
  return (
    <fieldset className="flow close published-types">
      <legend className="small">{t('published:types')}</legend>
      {typeFilters.map((type) => (
        <button
          key={type}
          type="button"
          className="chip"
          aria-pressed={types.includes(type)}
          onClick={() =>
            onChange({
              types: typeFilters.filter((each) => (each === type) !== types.includes(each)),
            })
          }
        >
          <TypeMark type={type === 'none' ? null : type} />
          {t(`event:${type}`)}
        </button>
      ))}
    </fieldset>
  );
}

/** The button that tests a web space, with its outcome until an answer changes. */
function WebTest({ draft, id }: { readonly draft: Draft; readonly id: number | undefined }) {
  const { t } = useTranslation('published');
  const { url, account, password } = draft;
  const testing = useTask(() =>
    perform('publish try', {
      url: url.trim(),
      account,
      ...(id !== undefined && { id }),
      ...((password !== '' || id === undefined) && { password }),
    }),
  );
  const { reset } = testing;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer needs another test
  useEffect(() => reset(), [url, account, password, reset]);
  return (
    <>
      <div className="cluster published-buttons">
        <RowButton
          size="sm"
          loading={testing.isRunning}
          disabled={url.trim() === ''}
          onClick={() => void testing.run()}
        >
          {t('test')}
        </RowButton>
        <p role="status" className="good-icon published-works">
          {testing.result !== undefined && (
            <>
              <IconCheck size={18} aria-hidden />
              <span>
                <strong>{t('works')}</strong> {t('worksHelp')}
              </span>
            </>
          )}
        </p>
      </div>
      <ErrorNotice error={testing.error} />
    </>
  );
}

type PlaceProps = {
  readonly draft: Draft;
  readonly onChange: Change;
  /** The file that is changed; undefined for a new one. */
  readonly present: PublishedFile | undefined;
};

/** The place: a file that a dialog chose, or an address with an account. */
function PlaceFields({ draft, onChange, present }: PlaceProps) {
  const { t } = useTranslation('published');
  const { club, state } = useDesktop();
  const { format = 'ics', place, file, url, account, password } = draft;
  const shownFile =
    file?.name ?? (present?.target.kind === 'folder' ? present.target.path : undefined);
  const choosing = useTask(async () => {
    const name = `${fileNameOf(club.name)}.${format}`;
    const chosen = await unwrap(requireBridge().chooseOutput({ name }));
    // The dialog has asked about a file that is there.
    if (chosen !== null) onChange({ file: chosen, replace: chosen.size !== null });
  });
  const kinds = [
    { value: 'folder', Icon: IconFolder, label: t('folder'), help: t('folderHelp') },
    { value: 'web', Icon: IconCloud, label: t('web'), help: t('webHelp') },
  ] as const;
  return (
    <>
      <OptionCards
        name="published-place"
        value={place}
        options={kinds}
        onChange={(value) => onChange({ place: value, replace: false })}
      />
      {place === 'folder' ? (
        <div className="cluster published-buttons">
          <RowButton size="sm" onClick={() => void choosing.run()}>
            {t(shownFile === undefined ? 'choose' : 'chooseOther')}
          </RowButton>
          {shownFile !== undefined && <strong dir="auto">{shownFile}</strong>}
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
              {...(present?.target.kind === 'web' && { placeholder: t('unchanged') })}
              value={password}
              onChange={({ currentTarget }) => onChange({ password: currentTarget.value })}
            />
          </div>
          <p className="quiet small">
            {t(state.keyStore === 'run' ? 'passwordForRun' : 'passwordHelp')}
          </p>
          <WebTest draft={draft} id={present?.target.kind === 'web' ? present.id : undefined} />
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
  const { types, team, since, onSheets } = draft;
  const choice = { format, search, types: [...types], drafts, team, since, onSheets };
  const common = { user, ...choice, language, address, replace };
  if (place === 'folder') return file && { ...common, output: file.token };
  return url.trim() === '' ? undefined : { ...common, url: url.trim(), account, password };
}

/** Returns the arguments that change a file; undefined while an answer is missing. */
function changeOf(draft: Draft, present: PublishedFile): ActionInput<'publish change'> | undefined {
  const { search, types, drafts, place, file, url, account, password, address, replace } = draft;
  const { id, target } = present;
  // An address that stays needs no question.
  const isMoved = address.trim() !== (present.address ?? '');
  const { team, since, onSheets } = draft;
  const choice = { search, types: [...types], drafts, team, since, onSheets };
  const common = { id, ...choice, replace, ...(isMoved && { address }) };
  if (place === 'folder') {
    if (file !== undefined) return { ...common, output: file.token };
    return target.kind === 'folder' ? common : undefined;
  }
  if (url.trim() === '') return undefined;
  const isSame = target.kind === 'web' && target.url === url.trim() && target.account === account;
  const moved = isSame ? {} : { url: url.trim(), account };
  return { ...common, ...moved, ...(password !== '' && { password }) };
}

type AddProps = {
  /** The file to change; undefined for a new one. */
  readonly present?: PublishedFile | undefined;
  readonly onDone: (text?: string) => void;
};

/** Four questions about a file that stays up to date; nothing is written before the last button. */
export function AddPublished({ present, onDone }: AddProps) {
  const { t, i18n } = useTranslation(['published', 'event']);
  const { club } = useDesktop();
  const [step, setStep] = useState(present === undefined ? 1 : 3);
  const [draft, setDraft] = useState(() => (present === undefined ? empty : draftOf(present)));
  const change: Change = (changed) => setDraft((before) => ({ ...before, ...changed }));
  const { format, search, types, drafts, address, replace } = draft;
  const addition =
    present === undefined ? requestOf(draft, club.name, regionalTag(i18n.language)) : undefined;
  const changed = present === undefined ? undefined : changeOf(draft, present);
  const adding = useTask(async () => {
    const { result } =
      changed !== undefined
        ? await performChange('publish change', changed)
        : addition !== undefined
          ? await performChange('publish add', addition)
          : { result: undefined };
    if (result === undefined) return;
    onDone(t('added', { count: result.events, shown: String(result.events) }));
  });
  const { error } = adding;
  const isThere = error instanceof BridgeError && error.code === 'publish_file_exists';
  const pick = (chosen: Format) => {
    // A copy for another computer has everything.
    const since = chosen === 'json' ? 'all' : 'season';
    change({ format: chosen, drafts: chosen === 'json', since, file: undefined });
    setStep(2);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step === 2) setStep(3);
    else if (step > 2) void adding.run();
  };
  const choices = [
    ...(draft.team === '' ? [] : [draft.team]),
    ...(search.trim() === '' ? [] : [t('only', { words: search.trim() })]),
    ...types.map((type) => t(`event:${type}`)),
  ];
  const words = choices.length === 0 ? t('everything') : choices.join(', ');
  const stateOf = (number: number) =>
    number === Math.min(step, 3) || (number === 4 && step > 2)
      ? 'open'
      : number < step
        ? 'done'
        : 'waiting';
  const answer = drafts ? `${words}, ${t('withDrafts')}` : words;
  return (
    <section
      className="published-add"
      aria-label={t(present === undefined ? 'addTitle' : 'changeTitle')}
    >
      <form noValidate onSubmit={submit}>
        {present === undefined && <p className="quiet">{t('addIntro')}</p>}
        <ol className="ruled published-questions">
          <Question
            number={1}
            title={t('what')}
            state={stateOf(1)}
            answer={format && t(fileKinds[format].name)}
            // Another format would need another name.
            {...(present === undefined && { onChange: () => setStep(1) })}
          >
            <div className="option-cards">
              {formats.map((each) => {
                const { Icon, name, help } = fileKinds[each];
                return (
                  <button
                    key={each}
                    type="button"
                    className="brand-icon option-card"
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
            <TeamField draft={draft} onChange={change} />
            <TypeFields draft={draft} onChange={change} />
            {format !== undefined && format !== 'json' && (
              <PeriodField choice={{ ...draft, format }} onChange={(since) => change({ since })} />
            )}
            <Switch
              label={t('drafts')}
              checked={drafts}
              onChange={({ currentTarget }) => change({ drafts: currentTarget.checked })}
            />
          </Question>
          <Question number={3} title={t('where')} state={stateOf(3)}>
            <PlaceFields draft={draft} onChange={change} present={present} />
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
        <ErrorNotice error={error} />
        {isThere && (
          <Switch
            label={t('replaceExisting')}
            checked={replace}
            onChange={({ currentTarget }) => change({ replace: currentTarget.checked })}
          />
        )}
        <div className="flow loose published-foot">
          <Button variant="default" onClick={() => onDone()}>
            {t('cancel')}
          </Button>
          {step === 2 && <Button type="submit">{t('continue')}</Button>}
          {step > 2 && (
            <Button
              type="submit"
              loading={adding.isRunning}
              disabled={(addition ?? changed) === undefined}
            >
              {t(present === undefined ? 'keep' : 'save')}
            </Button>
          )}
        </div>
      </form>
      <Preview draft={draft} onChange={change} />
    </section>
  );
}
