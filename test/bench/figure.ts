/** A measured value and its target. */
type Measured = {
  readonly what: string;
  readonly value: number;
  readonly unit: 'times' | 'ms';
} & ({ readonly atLeast: number } | { readonly atMost: number });

/** A row of the table: a measured value, or the reason why there is none. */
export type Figure = Measured | { readonly what: string; readonly leftOut: string };

/** Returns false for a missed target, and for a value that is not a number. */
export function isReached(figure: Figure): boolean {
  if ('leftOut' in figure) return true;
  return 'atLeast' in figure ? figure.value >= figure.atLeast : figure.value <= figure.atMost;
}

export const tableHead = '| what | target | measured | reached |\n|---|---|---|---|';

/** Returns a figure as a row of a Markdown table. */
export function tableRow(figure: Figure): string {
  if ('leftOut' in figure) return `| ${figure.what} | | left out: ${figure.leftOut} | |`;
  const { what, value, unit } = figure;
  const target = 'atLeast' in figure ? `at least ${figure.atLeast}` : `at most ${figure.atMost}`;
  const measured = value.toFixed(value >= 10 ? 1 : 2);
  return `| ${what} | ${target} ${unit} | ${measured} ${unit} | ${isReached(figure) ? 'yes' : 'NO'} |`;
}
