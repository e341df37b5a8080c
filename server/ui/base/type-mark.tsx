import './type-mark.css';
import type { EventType } from '../../../db/model.ts';
import { useTexts } from './i18n.ts';

const shapes: Readonly<Record<EventType | 'none', string>> = {
  // A circle, a square, a triangle, a diamond and a ring, in a box of 12 by 12.
  club: 'M6 1.4a4.6 4.6 0 1 0 0 9.2a4.6 4.6 0 1 0 0-9.2z',
  regional:
    'M2.8 1.6h6.4a1.2 1.2 0 0 1 1.2 1.2v6.4a1.2 1.2 0 0 1-1.2 1.2H2.8a1.2 1.2 0 0 1-1.2-1.2V2.8a1.2 1.2 0 0 1 1.2-1.2z',
  national: 'M6 1.2 11.2 10.6H.8z',
  international: 'M6 .4 11.6 6 6 11.6.4 6z',
  none: 'M6 1.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9zm0 1.6a2.9 2.9 0 1 1 0 5.8a2.9 2.9 0 1 1 0-5.8z',
};

/** Returns the class that sets the colours of an event type: `--type`, `--tint`, `--type-line`. */
export function typeClass(type: EventType | null): string {
  return `type-${type ?? 'none'}`;
}

/** The shape of an event type, in its colour. */
export function TypeMark({ type }: { readonly type: EventType | null }) {
  return (
    <svg
      className={`type-mark ${typeClass(type)}`}
      viewBox="0 0 12 12"
      strokeWidth={0}
      fillRule="evenodd"
      aria-hidden
    >
      <path d={shapes[type ?? 'none']} />
    </svg>
  );
}

/** The shape and the name of an event type. */
export function TypeName({ type }: { readonly type: EventType | null }) {
  const { t } = useTexts('event');
  return (
    <span className={`type-name ${typeClass(type)}`}>
      <TypeMark type={type} />
      <span className="type-word">{t(type ?? 'none')}</span>
    </span>
  );
}
