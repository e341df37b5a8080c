import { Button, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../http/contract.ts';
import { type Column, columns } from '../../base/address.ts';
import { useClock } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { IconColumns3 } from '../../base/icons.ts';
import { goTo, useCurrent } from '../../base/navigation.ts';
import { TypeName } from '../../base/type-mark.tsx';
import { NoticeMarks, ProposalMark, RowText, StateMark } from '../event/marks.tsx';

/** The menu that shows and hides columns, except the name. */
export function ColumnMenu() {
  const { t } = useTranslation('table');
  const hidden = useCurrent('hidden');
  const toggle = (column: Column) =>
    goTo({ hidden: columns.filter((other) => hidden.includes(other) !== (other === column)) });
  return (
    <Menu
      closeOnItemClick={false}
      position="bottom-end"
      withinPortal={false}
      // The placeholder is not a valid child of role=menu.
      withInitialFocusPlaceholder={false}
      shadow="md"
    >
      <Menu.Target>
        <Button
          className="table-columns"
          variant="default"
          size="compact-sm"
          leftSection={<IconColumns3 size={16} aria-hidden />}
        >
          {t('columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns
          .filter((column) => column !== 'name')
          .map((column) => (
            <Menu.CheckboxItem
              key={column}
              checked={!hidden.includes(column)}
              onChange={() => toggle(column)}
            >
              {t(column)}
            </Menu.CheckboxItem>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Minimum width of each column in rem without its time of day, and its share of the remaining width. */
const widths: Readonly<Record<Column, readonly [minWidth: number, share: number]>> = {
  date: [9.5, 0],
  name: [11, 3],
  location: [8, 2],
  status: [6.5, 0],
  type: [7, 0],
  created: [8, 0],
  id: [6, 0],
};
/** Width in rem of a character of a time of day. */
const digit = 0.6;
/** Width of the column of checkboxes, gap between two columns, and sum of both margins, in rem. */
const checkbox = 1.5;
const gap = 0.75;
const margins = 1;

/** Options of a table that change the widths of its columns. */
type TableForm = {
  readonly hasCheckbox: boolean;
  /** Characters of a time of day: "07:00 PM" has more than "19:00". */
  readonly timeLength: number;
};

const minWidthOf = (column: Column, { timeLength }: TableForm): number =>
  widths[column][0] + (column === 'date' ? digit * timeLength : 0);

/** Returns the CSS grid tracks of columns. */
export function tracksOf(columns: readonly Column[], form: TableForm): string {
  const tracks = columns.map((column) => {
    const [minWidth, share] = [minWidthOf(column, form), widths[column][1]];
    // Wide text spacing, which a reader may set, needs more room than a column has.
    return `minmax(${minWidth}rem, ${share === 0 ? 'max-content' : `${share}fr`})`;
  });
  return [...(form.hasCheckbox ? [`${checkbox}rem`] : []), ...tracks].join(' ');
}

/** Returns the minimum width of a table with these columns side by side, in rem. */
export function widthOf(columns: readonly Column[], form: TableForm): number {
  const start = margins + (form.hasCheckbox ? checkbox + gap : 0);
  return columns.reduce((sum, column) => sum + minWidthOf(column, form) + gap, start);
}

type CellProps = {
  readonly event: Event;
  /** The event after a change that is shown, but not made; otherwise the same. */
  readonly next: Event;
  readonly searched: readonly string[];
  /** True if the status has no column of its own. */
  readonly showsState: boolean;
};

function DateCell({ event, next }: CellProps) {
  const clock = useClock();
  const formats = useFormats();
  const { date } = next;
  const isMoved = clock.dayOf(date) !== clock.dayOf(event.date);
  const isLater = formats.time(date) !== formats.time(event.date);
  return (
    <>
      <span className="table-weekday">{formats.at('weekday', date)}</span>{' '}
      {isMoved && <s>{formats.at('shortDayInYear', event.date)}</s>}{' '}
      {formats.at(isMoved ? 'shortDayInYear' : 'shortDay', date)}{' '}
      <span className="table-time">
        {isLater && <s>{formats.time(event.date)}</s>} {formats.time(date)}
      </span>
    </>
  );
}

function NameCell({ event, next, searched, showsState }: CellProps) {
  return (
    <>
      <strong>
        <RowText old={event.name} now={next.name} searched={searched} />
      </strong>
      <span className="inline marks">
        <ProposalMark event={event} />
        <NoticeMarks event={event} />
        {showsState && <StateMark event={next} />}
      </span>
    </>
  );
}

function LocationCell({ event, next, searched }: CellProps) {
  return <RowText old={event.location} now={next.location} searched={searched} />;
}

function TypeCell({ event }: CellProps) {
  return event.eventType && <TypeName type={event.eventType} />;
}

function CreatedCell({ event }: CellProps) {
  const formats = useFormats();
  return formats.at('shortDay', event.createdAt);
}

export const cells: Readonly<Record<Column, (props: CellProps) => ReactNode>> = {
  date: DateCell,
  name: NameCell,
  location: LocationCell,
  status: ({ next }) => <StateMark event={next} />,
  type: TypeCell,
  created: CreatedCell,
  id: ({ event }) => event.id,
};
