/** Prints a figure that a test has measured. */
export function printFigure(text: string): void {
  process.stdout.write(`${text}\n`);
}
