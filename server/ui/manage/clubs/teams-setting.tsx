import './teams-setting.css';
import { Button, CloseButton, NativeSelect, Radio, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FilterType, filterTypes } from '../../../../db/model.ts';
import { type Team, teamColours } from '../../../../db/team-filter.ts';
import type { ActionInput, ActionResult } from '../../../actions/bridge.ts';
import { lettersOf } from '../../../event/views.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { useFormats } from '../../base/format.ts';
import { TeamMark, useTeamWords } from '../../base/team.tsx';
import { performChange, useActionQuery, useTask } from '../parts/action-hooks.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { ErrorNotice, Saved } from '../parts/parts.tsx';

type Values = Pick<Team, 'name' | 'words' | 'without' | 'place' | 'eventType' | 'letters'> & {
  /** Undefined for a new team, which gets one that few others have. */
  readonly colour: (typeof teamColours)[number] | undefined;
};

const empty: Values = {
  ...{ name: '', words: '', without: '', place: '', letters: '' },
  ...{ eventType: null, colour: undefined },
};

const valuesOf = ({ name, words, without, place, eventType, letters, colour }: Team): Values => ({
  ...{ name, words, without, place, eventType, letters },
  colour: teamColours.find((one) => one === colour),
});

type Change = 'wasAdded' | 'wasChanged' | 'wasRemoved';

/** The fields of a new team, or of one to change. */
function TeamForm(props: {
  readonly team: Team | null;
  readonly onDone: (change: Change, result: ActionResult<'team add'>) => void;
  readonly onCancel: () => void;
}) {
  const { team, onDone, onCancel } = props;
  const { t } = useTranslation(['teams', 'event', 'filter']);
  const { club } = useDesktop();
  const [values, setValues] = useState<Values>(team ? valuesOf(team) : empty);
  const change = (changed: Partial<Values>) => setValues((before) => ({ ...before, ...changed }));
  const saving = useTask(async () => {
    const { name, letters, colour, ...conditions } = values;
    const user = club.name;
    // Letters that nobody chose follow the name.
    const isOwn = letters.trim() !== '' && letters !== team?.letters;
    const filter = { ...conditions, ...(colour && { colour }), ...(isOwn && { letters }) };
    if (team === null) {
      const { result } = await performChange('team add', { user, name, ...filter });
      return onDone('wasAdded', result);
    }
    const renamed: Partial<ActionInput<'team change'>> =
      name === team.name ? {} : { newName: name };
    const args = { user, name: team.name, ...filter, ...renamed };
    onDone('wasChanged', (await performChange('team change', args)).result);
  });
  // Without a letter, a mark would have no height.
  const shownLetters = values.letters || lettersOf(values.name) || '\u200b';
  const field = (name: 'name' | 'words' | 'without' | 'place' | 'letters', help?: string) => (
    <TextInput
      label={t(name)}
      description={help}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      autoComplete="off"
      value={values[name]}
      maxLength={name === 'name' ? 40 : name === 'letters' ? 3 : 1_000}
      data-autofocus={name === 'name' || undefined}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
    />
  );
  return (
    <form
      noValidate
      className="stack card team-form"
      aria-label={team === null ? t('add') : t('change', { team: team.name })}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void saving.run();
      }}
      onKeyDown={({ key }) => key === 'Escape' && onCancel()}
    >
      {field('name')}
      {field('words', t('wordsHelp'))}
      {field('without')}
      {field('place')}
      <NativeSelect
        label={t('filter:type')}
        value={values.eventType ?? ''}
        data={[
          { value: '', label: t('anyType') },
          ...filterTypes.map((type) => ({ value: type, label: t(`event:${type}`) })),
        ]}
        onChange={({ currentTarget }) =>
          change({ eventType: (currentTarget.value || null) as FilterType | null })
        }
      />
      {field('letters')}
      <Radio.Group
        label={t('colour')}
        value={String(values.colour ?? '')}
        onChange={(chosen) =>
          change({ colour: teamColours.find((colour) => String(colour) === chosen) })
        }
      >
        <div className="flow team-colours">
          {teamColours.map((colour) => (
            <Radio
              key={colour}
              value={String(colour)}
              label={
                <>
                  <TeamMark team={{ letters: shownLetters, colour }} />
                  <span className="only-spoken">{t(`colour${colour}`)}</span>
                </>
              }
            />
          ))}
        </div>
      </Radio.Group>
      <ErrorNotice error={saving.error} />
      <div className="flow">
        <Button type="submit" loading={saving.isRunning}>
          {t('save')}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  );
}

/** The teams of the club as lines, each with its conditions and its number of events. */
export function TeamsSetting() {
  const { t } = useTranslation(['teams', 'event']);
  const { number } = useFormats();
  const { club } = useDesktop();
  const describe = useTeamWords();
  const user = club.name;
  const { data } = useActionQuery('team list', { user });
  /** The name of the team whose form is open; empty for a new one. */
  const [open, setOpen] = useState<string | null>(null);
  const [last, setLast] = useState<{ text: string; batch: number } | undefined>();
  const note = (change: Change, { team, batch }: ActionResult<'team add'>) => {
    setOpen(null);
    setLast(batch === undefined ? undefined : { text: t(change, { team: team.name }), batch });
  };
  const removing = useTask(async (name: string) => {
    note('wasRemoved', (await performChange('team remove', { user, name })).result);
  });
  const undoing = useTask(async (batch: number) => {
    await performChange('undo', { id: batch });
    setLast(undefined);
  });
  return (
    <div className="stack">
      <ul className="ruled team-lines">
        {(data?.teams ?? []).map((team) => (
          <li key={team.name}>
            <div className="row">
              <TeamMark team={team} />
              <span className="team-about">
                <LinkButton
                  aria-label={t('change', { team: team.name })}
                  onClick={() => setOpen(team.name)}
                >
                  <strong dir="auto">{team.name}</strong>
                </LinkButton>
                <span className="small quiet">
                  {describe(team)} ·{' '}
                  {t('event:number', { count: team.events, shown: number(team.events) })}
                </span>
              </span>
              <CloseButton
                aria-label={t('remove', { team: team.name })}
                disabled={removing.isRunning}
                onClick={() => void removing.run(team.name)}
              />
            </div>
            {open === team.name && (
              <TeamForm team={team} onDone={note} onCancel={() => setOpen(null)} />
            )}
          </li>
        ))}
      </ul>
      <ErrorNotice error={removing.error ?? undoing.error} />
      {open === '' ? (
        <TeamForm team={null} onDone={note} onCancel={() => setOpen(null)} />
      ) : (
        <div>
          <Button variant="default" onClick={() => setOpen('')}>
            {t('add')}
          </Button>
        </div>
      )}
      <Saved was={last?.text} onUndo={() => last !== undefined && void undoing.run(last.batch)} />
    </div>
  );
}
