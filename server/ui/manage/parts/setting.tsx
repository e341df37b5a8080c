import './setting.css';
import { type ReactNode, useId } from 'react';
import type { ManagingScreen } from '../../../actions/bridge.ts';
import { ErrorNotice } from './parts.tsx';

type Described = { readonly 'aria-describedby': string };

/** Attributes that link a control to the name and the description of its setting. */
type SettingIds = {
  readonly described: Described;
  /** Attributes of a field, whose label is the name of the setting. */
  readonly field: Described & { readonly id: string };
};

export function SettingGroup(props: {
  readonly title: string;
  /** The address of the group, which then takes the focus. */
  readonly address?: ManagingScreen;
  readonly children: ReactNode;
}) {
  const { title, address, children } = props;
  const ownId = useId();
  const id = address === undefined ? ownId : `section-${address}`;
  return (
    <section className="settings-group" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}

type SettingProps = {
  readonly name: string;
  readonly help: ReactNode;
  readonly error?: Error | undefined;
  /** True if the control is a field that uses `ids.field`. */
  readonly hasField?: boolean;
  /** The control beside the text. */
  readonly control?: (ids: SettingIds) => ReactNode;
  /** A wide control, below the text. */
  readonly below?: (ids: SettingIds) => ReactNode;
};

export function Setting({ name, help, error, hasField = false, control, below }: SettingProps) {
  const id = useId();
  const described = { 'aria-describedby': `${id}-help` };
  const field = { id: `${id}-field`, ...described };
  const ids: SettingIds = { described, field };
  return (
    <div className="setting">
      <div className="setting-words">
        {hasField ? (
          <label htmlFor={field.id} className="setting-name">
            {name}
          </label>
        ) : (
          <span className="setting-name">{name}</span>
        )}
        <span id={described['aria-describedby']} className="quiet">
          {help}
        </span>
      </div>
      {control && <div className="optional setting-control">{control(ids)}</div>}
      {below && <div className="optional setting-more">{below(ids)}</div>}
      {error && (
        <div className="optional setting-more">
          <ErrorNotice error={error} />
        </div>
      )}
    </div>
  );
}
