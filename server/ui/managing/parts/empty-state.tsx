import './parts.css';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Where a list has nothing to show yet: why, and what to do about it. */
export function EmptyState({
  icon: Sign,
  title,
  next,
  children,
}: {
  readonly icon: Icon;
  readonly title: string;
  readonly next: string;
  /** The buttons that lead on. */
  readonly children?: ReactNode;
}) {
  return (
    <div className="managing-empty">
      <Sign size={32} stroke={1.5} aria-hidden />
      <h2>{title}</h2>
      <p>{next}</p>
      {children}
    </div>
  );
}
