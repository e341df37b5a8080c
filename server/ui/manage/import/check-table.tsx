import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { Fragment, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { remInPixels } from '../../base/browser.ts';
import { inputId } from './bad-cell.tsx';
import { RowCells } from './check-row.tsx';
import { type CheckRow, nextToCorrect, rowState } from './check-rows.ts';
import type { ImportWork } from './choices.ts';
import { useClubImport } from './import-state.ts';
import { isFocusLost } from './step.tsx';

/** An empty row in place of the rows outside the window. */
function Gap({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row takes no focus
    <tr aria-hidden="true" className="import-gap" style={{ height }}>
      <td colSpan={5} />
    </tr>
  );
}

/** Estimated height of a row before it is measured, in rem. */
const estimatedHeight = 2.5;

/** The rows of the report; only those on screen and the one with the focus are in the document. */
export function CheckTable(props: {
  readonly rows: readonly CheckRow[];
  /** True if the table has rows of several files. */
  readonly hasFiles: boolean;
  readonly work: ImportWork;
}) {
  const { rows, hasFiles, work } = props;
  const { t } = useTranslation(['importReport', 'importColumns']);
  const { checkCorrections } = useClubImport();
  const body = useRef<HTMLTableSectionElement>(null);
  const [margin, setMargin] = useState(0);
  const [activeKey, setActiveKey] = useState<string | undefined>();
  /** The row whose bad cell takes the focus as soon as it is rendered. */
  const wanted = useRef<string | undefined>(undefined);
  const active = useMemo(() => rows.findIndex(({ key }) => key === activeKey), [rows, activeKey]);
  // Read once, because reading a style for each row is slow.
  const [rowHeight] = useState(() => estimatedHeight * remInPixels());
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.key ?? index,
    scrollMargin: margin,
    overscan: 8,
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range);
      if (active === -1 || visible.includes(active)) return visible;
      return [...visible, active].toSorted((one, other) => one - other);
    },
  });

  useLayoutEffect(() => {
    if (!body.current) return;
    setMargin(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
  });

  // Runs after every render, because the virtualizer decides when the row is there.
  useEffect(() => {
    if (wanted.current === undefined) return;
    const field = rows.find(({ key }) => key === wanted.current)?.bad?.correctable?.field;
    const input = field && document.getElementById(inputId(wanted.current, field));
    if (!input) return;
    wanted.current = undefined;
    input.focus();
  });

  const focusRow = (index: number) => {
    wanted.current = rows[index]?.key;
    setActiveKey(wanted.current);
  };

  const arrive = () => {
    const first = nextToCorrect(rows, work, -1);
    const isAtTitle = document.activeElement?.matches('.import-title') === true;
    if (first !== undefined && (isFocusLost() || isAtTitle)) focusRow(first);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the table appears
  useEffect(arrive, []);

  const goToNext = async (key: string) => {
    const next = nextToCorrect(
      rows,
      work,
      rows.findIndex((row) => row.key === key),
    );
    if (next !== undefined) {
      focusRow(next);
      void checkCorrections();
      return;
    }
    const left = await checkCorrections();
    const isRight = left.every((row) => row.key !== key || row.reason === null);
    if (isRight) document.querySelector<HTMLElement>('.work-foot [data-strong]')?.focus();
  };

  let end = margin;
  return (
    <div className="card card-flush">
      <table className="tbl import-check" aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{t('row')}</th>
            <th scope="col">{t('importColumns:name')}</th>
            <th scope="col">{t('dateAndTime')}</th>
            <th scope="col">{t('importColumns:location')}</th>
            <th scope="col">{t('onImport')}</th>
          </tr>
        </thead>
        <tbody ref={body}>
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            const gap = item.start - end;
            end = item.end;
            return (
              <Fragment key={row.key}>
                <Gap height={gap} />
                <tr
                  ref={virtualizer.measureElement}
                  data-index={item.index}
                  data-state={rowState(row, work)}
                  aria-rowindex={item.index + 2}
                  onFocus={() => setActiveKey(row.key)}
                >
                  <RowCells
                    row={row}
                    work={work}
                    file={hasFiles ? (work.files[row.file]?.name ?? null) : null}
                    isActive={row.key === activeKey}
                    onNext={(key) => void goToNext(key)}
                  />
                </tr>
              </Fragment>
            );
          })}
          <Gap height={virtualizer.getTotalSize() + margin - end} />
        </tbody>
      </table>
    </div>
  );
}
