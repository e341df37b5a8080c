import { type ReactNode, useId } from 'react';

export function Step({
  title,
  help,
  children,
}: {
  readonly title: string;
  readonly help?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className="import-step" aria-labelledby={id}>
      <div className="import-step-head">
        <h2 id={id}>{title}</h2>
        {help && <p className="import-help">{help}</p>}
      </div>
      {children}
    </section>
  );
}
