import './parts.css';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** The placeholder for an empty list: the reason and the next step. */
export function EmptyState({
  icon: StateIcon,
  title,
  next,
  children,
}: {
  readonly icon: Icon;
  readonly title: string;
  readonly next: string;
  /** Buttons for the next step. */
  readonly children?: ReactNode;
}) {
  return (
    <div className="managing-empty">
      <StateIcon size={32} stroke={1.5} aria-hidden />
      <h2>{title}</h2>
      <p>{next}</p>
      {children}
    </div>
  );
}
