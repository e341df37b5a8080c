/** Text as a program has it, in a box that scrolls. */
export function CodeBlock(props: {
  readonly label: string;
  /** Whether long lines go on below: for what is a single line. */
  readonly isWrapped?: boolean;
  readonly text: string;
}) {
  const { label, isWrapped, text } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: no group of a form
    <pre
      className="access-code"
      data-wrapped={isWrapped || undefined}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys too
      tabIndex={0}
    >
      {text}
    </pre>
  );
}
