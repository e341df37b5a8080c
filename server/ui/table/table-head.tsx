import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../place/place.ts';
import { goTo, usePlace } from '../place/use-place.ts';

const directions = { asc: 'ascending', desc: 'descending' } as const;

function Heading({ column }: { readonly column: Column }) {
  const { t } = useTranslation('table');
  const { sort, order } = usePlace();
  const isSorted = sort === column;
  const Arrow = order === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    // biome-ignore lint/a11y/useSemanticElements: virtualised rows cannot be in a table element
    // biome-ignore lint/a11y/useFocusableInteractive: its button is focusable
    <div role="columnheader" aria-sort={isSorted ? directions[order] : 'none'}>
      <button
        type="button"
        className="table-sort"
        onClick={() => goTo({ sort: column, order: isSorted && order === 'asc' ? 'desc' : 'asc' })}
      >
        {t(column)}
        {isSorted && <Arrow size={16} aria-hidden />}
      </button>
    </div>
  );
}

export function TableHead({ shown }: { readonly shown: readonly Column[] }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: same as its headings
    // biome-ignore lint/a11y/useFocusableInteractive: same as its headings
    <div role="row" className="table-head" aria-rowindex={1}>
      {shown.map((column) => (
        <Heading key={column} column={column} />
      ))}
    </div>
  );
}
