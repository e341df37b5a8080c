import { Checkbox, TextInput } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { typesByReach } from '../../../../db/model.ts';
import { typeFilters } from '../../base/address.ts';
import { TypeMark } from '../../base/type-mark.tsx';
import { LogoField } from './logo-field.tsx';
import {
  type Choices,
  type Includable,
  type Layout,
  layouts,
  maxTitleLength,
  paperNames,
  papers,
} from './print-choices.ts';

type ChoicesProps = {
  readonly choices: Choices;
  readonly onChange: (change: Partial<Choices>) => void;
};

/** A set of controls with a name. */
function Group({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <fieldset>
      <legend className="studio-label">{name}</legend>
      <div className="flow close studio-chips">{children}</div>
    </fieldset>
  );
}

/** Radio buttons that look like chips. */
function Options<T extends string>(props: {
  readonly name: string;
  readonly options: readonly (readonly [value: T, name: string])[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}) {
  const { name, options, value, onChange } = props;
  const group = useId();
  return (
    <Group name={name}>
      {options.map(([option, label]) => (
        <label key={option} className="choice">
          <input
            type="radio"
            name={group}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          <span className="chip" data-chosen={option === value || undefined}>
            {label}
          </span>
        </label>
      ))}
    </Group>
  );
}

export function TitleField(props: {
  readonly title: string;
  readonly onTitle: (title: string) => void;
}) {
  const { t } = useTranslation('print');
  return (
    <TextInput
      label={t('title')}
      value={props.title}
      maxLength={maxTitleLength}
      autoComplete="off"
      dir="auto"
      onChange={({ currentTarget }) => props.onTitle(currentTarget.value)}
    />
  );
}

export function ChosenLogo(
  props: ChoicesProps & { readonly image: HTMLImageElement | null | undefined },
) {
  const { choices, onChange, image } = props;
  return (
    <LogoField
      image={image}
      hasLogo={choices.logo !== null}
      onLogo={(logo) => onChange({ logo })}
    />
  );
}

export function LayoutOptions(props: {
  readonly layout: Layout;
  readonly onLayout: (layout: Layout) => void;
}) {
  const { t } = useTranslation('print');
  return (
    <Options
      name={t('layout')}
      options={layouts.map((layout) => [layout, t(layout)] as const)}
      value={props.layout}
      onChange={props.onLayout}
    />
  );
}

const includeNames = {
  places: 'places',
  cancelled: 'cancelled',
  notes: 'notes',
  monthNotes: 'notes',
  drafts: 'drafts',
  daysOff: 'daysOff',
} as const satisfies Record<Includable, string>;

export function IncludeOptions(
  props: ChoicesProps & { readonly options: readonly Includable[]; readonly children?: ReactNode },
) {
  const { choices, onChange, options, children } = props;
  const { t } = useTranslation('print');
  return (
    <fieldset>
      <legend className="studio-label">{t('include')}</legend>
      <div className="halves studio-include">
        {options.map((option) => (
          <Checkbox
            key={option}
            label={t(includeNames[option])}
            checked={choices[option]}
            onChange={({ currentTarget }) => onChange({ [option]: currentTarget.checked })}
          />
        ))}
        {children}
      </div>
    </fieldset>
  );
}

/** Toggles for the types; all of them is the same as none. */
export function TypeOptions({ choices, onChange }: ChoicesProps) {
  const { t } = useTranslation(['print', 'event']);
  const chosen = new Set(choices.types);
  return (
    <Group name={t('types')}>
      <button
        type="button"
        className="chip"
        aria-pressed={chosen.size === 0}
        onClick={() => onChange({ types: [] })}
      >
        {t('allTypes')}
      </button>
      {[...typesByReach, 'none' as const].map((type) => (
        <button
          key={type}
          type="button"
          className="chip"
          aria-pressed={chosen.has(type)}
          onClick={() => {
            const next = typeFilters.filter((one) => (one === type) !== chosen.has(one));
            onChange({ types: next.length === typeFilters.length ? [] : next });
          }}
        >
          <TypeMark type={type === 'none' ? null : type} />
          {t(`event:${type}`)}
        </button>
      ))}
    </Group>
  );
}

export function PaperOptions({ choices, onChange }: ChoicesProps) {
  const { t } = useTranslation('print');
  return (
    <Options
      name={t('paper')}
      options={paperNames.map((paper) => [paper, papers[paper].name] as const)}
      value={choices.paper}
      onChange={(paper) => onChange({ paper })}
    />
  );
}
