import type { ComponentProps } from 'react';

/** A button in a text, which looks like a link. */
export function LinkButton({ className = '', ...others }: ComponentProps<'button'>) {
  return <button type="button" className={`link-button ${className}`.trim()} {...others} />;
}
