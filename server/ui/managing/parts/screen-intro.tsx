import './parts.css';
import type { ReactNode } from 'react';

/** The introduction below the heading of a screen. */
export function ScreenIntro({ children }: { readonly children: ReactNode }) {
  return <p className="managing-intro">{children}</p>;
}
