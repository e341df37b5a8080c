/** One measured figure, and what it has to be where that was asked. */
export type Figure = {
  readonly what: string;
  readonly value: number;
  readonly unit: 'times' | 'of L0' | 'ms' | 'MB' | 'µs' | '/s' | '';
  readonly atLeast?: number;
  readonly atMost?: number;
};

/** A thing that is measured. Each is a file of its own in `trials/`. */
export type Trial = {
  readonly title: string;
  /** Throws when something cannot be measured, or an answer is wrong. */
  readonly measure: () => Promise<readonly Figure[]>;
};

/** Whether a figure is as it was asked for; one that is no number never is. */
export function holds({ value, atLeast = -Infinity, atMost = Infinity }: Figure): boolean {
  return value >= atLeast && value <= atMost;
}

function showNumber(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function showAsked({ atLeast, atMost }: Figure): string {
  if (atLeast !== undefined) return `at least ${atLeast}`;
  return atMost === undefined ? '' : `at most ${atMost}`;
}

/** The figures of a trial as rows of a Markdown table. */
export function showFigures({ title }: Trial, figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const asked = showAsked(figure);
    const verdict = asked === '' ? '' : holds(figure) ? 'yes' : 'NO';
    return `| ${figure.what} | ${showNumber(figure.value)} ${figure.unit} | ${asked} | ${verdict} |`;
  });
  return [`| **${title}** | | | |`, ...rows].join('\n');
}
