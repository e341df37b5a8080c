import './setting.css';
import { type ReactNode, useId } from 'react';
import { ErrorNotice } from './error-notice.tsx';

type Described = { readonly 'aria-describedby': string };

/** What ties a control to the description of its setting, and to its name. */
export type SettingIds = {
  readonly described: Described;
  /** For a field, whose label the name is. */
  readonly field: Described & { readonly id: string };
  /** For a group of choices. */
  readonly group: Described & { readonly 'aria-labelledby': string };
};

/** A group of settings that belong together. */
export function SettingGroup({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className="settings-group" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

type SettingProps = {
  readonly name: string;
  readonly help: ReactNode;
  readonly error?: Error | undefined;
  /** Whether the control is a field, which takes `ids.field`. */
  readonly hasField?: boolean;
  /** The control beside the words. */
  readonly control?: (ids: SettingIds) => ReactNode;
  /** A control that needs more room than there is beside them. */
  readonly below?: (ids: SettingIds) => ReactNode;
};

/** One setting: its name, what it does, its control, and why it could not be changed. */
export function Setting({ name, help, error, hasField = false, control, below }: SettingProps) {
  const id = useId();
  const described = { 'aria-describedby': `${id}-help` };
  const field = { id: `${id}-field`, ...described };
  const ids: SettingIds = { described, field, group: { 'aria-labelledby': id, ...described } };
  return (
    <div className="setting">
      <div className="setting-words">
        {hasField ? (
          <label htmlFor={field.id} className="setting-name">
            {name}
          </label>
        ) : (
          <span id={id} className="setting-name">
            {name}
          </span>
        )}
        <span id={described['aria-describedby']} className="setting-help">
          {help}
        </span>
      </div>
      {control && <div className="setting-control">{control(ids)}</div>}
      {below && <div className="setting-more">{below(ids)}</div>}
      {error && (
        <div className="setting-more">
          <ErrorNotice error={error} />
        </div>
      )}
    </div>
  );
}
