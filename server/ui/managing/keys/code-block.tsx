/** Source code in a box that scrolls. */
export function CodeBlock(props: {
  readonly label: string;
  /** True if long lines wrap; for code of a single line. */
  readonly isWrapped?: boolean;
  readonly text: string;
}) {
  const { label, isWrapped, text } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a group of form fields
    <pre
      className="access-code"
      data-wrapped={isWrapped || undefined}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
      tabIndex={0}
    >
      {text}
    </pre>
  );
}
