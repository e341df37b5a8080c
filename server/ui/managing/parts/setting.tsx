import './setting.css';
import { type ReactNode, useId } from 'react';
import { ErrorNotice } from './error-notice.tsx';

/** What ties a control to the name and the description of its setting. */
export type SettingIds = {
  readonly 'aria-labelledby': string;
  readonly 'aria-describedby': string;
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

/** One setting: its name, what it does, the control beside it, and why it could not be changed. */
export function Setting({
  name,
  help,
  error,
  control,
  children,
}: {
  readonly name: string;
  readonly help: ReactNode;
  readonly error?: Error | undefined;
  readonly control?: (ids: SettingIds) => ReactNode;
  /** What needs more room than there is beside the name. */
  readonly children?: ReactNode;
}) {
  const id = useId();
  const ids = { 'aria-labelledby': id, 'aria-describedby': `${id}-help` };
  return (
    <div className="setting">
      <div className="setting-words">
        <span id={id} className="setting-name">
          {name}
        </span>
        <span id={ids['aria-describedby']} className="setting-help">
          {help}
        </span>
      </div>
      {control && <div className="setting-control">{control(ids)}</div>}
      {children && <div className="setting-more">{children}</div>}
      {error && (
        <div className="setting-more">
          <ErrorNotice error={error} />
        </div>
      )}
    </div>
  );
}
