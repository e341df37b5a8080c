import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentProps } from 'react';

/** A button in a text, which looks like a link. */
export function LinkButton({ className = '', ...others }: ComponentProps<'button'>) {
  return <button type="button" className={`link-button ${className}`.trim()} {...others} />;
}

type Props = ButtonProps & Omit<ComponentProps<'button'>, keyof ButtonProps>;

/** A small button beside what it is about, as in the row of a list. */
export function RowButton(props: Props) {
  return <Button size="compact-sm" fw={500} variant="default" {...props} />;
}
