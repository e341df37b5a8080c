import { ActionIcon, Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconPrinter } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Sheet } from '../../base/address.ts';
import { addMonths, type Day, monthOf, partsOf } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { adjustPlace, goTo } from '../../base/navigation.ts';

export function closeSheet(): void {
  goTo({ sheet: null });
}

function canBeShown(day: Day): boolean {
  const { year } = partsOf(day);
  return year >= 1 && year <= 9999;
}

/** Buttons for the previous and the next month, and the name of the month. */
function Months({ day }: { readonly day: Day }) {
  const { t } = useTranslation('print');
  const formats = useFormats();
  const steps = [
    [t('previousMonth'), addMonths(day, -1), IconChevronLeft],
    [t('nextMonth'), addMonths(day, 1), IconChevronRight],
  ] as const;
  return (
    <>
      {steps.map(([name, month, Icon]) => (
        <ActionIcon
          key={name}
          variant="default"
          size="lg"
          aria-label={name}
          // Not `disabled`, which would lose the focus at the last month.
          aria-disabled={!canBeShown(month)}
          onClick={() => canBeShown(month) && adjustPlace({ day: month })}
        >
          <Icon size={18} aria-hidden />
        </ActionIcon>
      ))}
      <span role="status" className="sheet-bar-month">
        {formats.on('month', monthOf(day))}
      </span>
    </>
  );
}

/** The toolbar of the print preview; it is not printed. */
export function SheetBar(props: {
  readonly sheet: Sheet;
  readonly day: Day;
  /** Reason why the sheet cannot be printed yet; empty when it is ready. */
  readonly wait: string;
}) {
  const { sheet, day, wait } = props;
  const { t } = useTranslation(['print', 'panel']);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <header className="sheet-bar">
      <h1 ref={heading} tabIndex={-1}>
        {t(sheet)}
      </h1>
      {sheet === 'month' && <Months day={day} />}
      <span role="status" className="sheet-bar-wait">
        {wait}
      </span>
      <div className="sheet-bar-ends">
        <Button
          leftSection={<IconPrinter size={18} aria-hidden />}
          aria-disabled={wait !== ''}
          onClick={() => wait === '' && window.print()}
        >
          {t('print')}
        </Button>
        <Button variant="default" onClick={closeSheet}>
          {t('panel:close')}
        </Button>
      </div>
    </header>
  );
}
