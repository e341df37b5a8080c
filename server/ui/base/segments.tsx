import './segments.css';
import { type ReactNode, useId } from 'react';

/**
 * A choice among a few things side by side. Unlike Mantine's, it measures nothing: a choice would
 * otherwise lay out the whole page again before its paint.
 */
export function Segments<Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, label: ReactNode])[];
  readonly onChange: (value: Value) => void;
  readonly className?: string;
}) {
  const { label, value, options, onChange, className = '' } = props;
  const id = useId();
  return (
    <div role="radiogroup" className={`segments ${className}`.trim()} aria-label={label}>
      {options.map(([option, words]) => (
        <div key={option} className="segment">
          <input
            type="radio"
            id={`${id} ${option}`}
            name={id}
            value={option}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          <label htmlFor={`${id} ${option}`} className="segment-label">
            {words}
          </label>
        </div>
      ))}
    </div>
  );
}
