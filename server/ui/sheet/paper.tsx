import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNamedFilters } from '../filter/named-filters.ts';
import { usePlace } from '../place/use-place.ts';
import { useFormats } from '../time/format.ts';

/** The filters and the search in words; empty when there are none. */
export function useFilterWords(): string {
  const { t } = useTranslation('sheet');
  const { words } = usePlace();
  const names = useNamedFilters().map(([name]) => name);
  const search = words.trim();
  return [...names, ...(search === '' ? [] : [t('search', { words: search })])].join(' · ');
}

/** Puts a text at the foot of every page but the first, which has it at its head. */
function useFoot(text: string): void {
  useEffect(() => {
    const { style } = document.documentElement;
    // A string of CSS escapes quotes and backslashes as JSON does.
    style.setProperty('--sheet-foot', JSON.stringify(text));
    return () => void style.removeProperty('--sheet-foot');
  }, [text]);
}

/** Browsers offer the title as the name of a PDF. */
function useTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = title.slice(0, 100);
    return () => {
      document.title = before;
    };
  }, [title]);
}

/** A sheet of paper: its title, what it is a list of, and as of when. */
export function Paper(props: {
  readonly kind: 'list' | 'month' | 'event';
  readonly title: string;
  readonly subtitle: string;
  readonly asOf: Date;
  readonly children: ReactNode;
}) {
  const { kind, title, subtitle, asOf, children } = props;
  const { t } = useTranslation('shell');
  const formats = useFormats();
  const stamp = t('asOf', { when: formats.at('moment', asOf) });
  useFoot(kind === 'event' ? stamp : `${title} · ${stamp}`);
  useTitle(title);
  return (
    <article className={`sheet-paper sheet-${kind}`}>
      <header className="sheet-head">
        <h2 dir="auto" data-length={lengthOf(title)}>
          {title}
        </h2>
        <p className="sheet-stamp">{stamp}</p>
        {subtitle !== '' && <p className="sheet-subtitle">{subtitle}</p>}
      </header>
      {children}
    </article>
  );
}

/** How long a title is, of which its size on paper follows. */
function lengthOf({ length }: string): 'short' | 'medium' | 'long' | 'endless' {
  if (length <= 40) return 'short';
  if (length <= 100) return 'medium';
  return length <= 300 ? 'long' : 'endless';
}
