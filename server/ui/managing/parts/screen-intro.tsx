import './parts.css';
import type { ReactNode } from 'react';

/** What a screen is for, in a sentence or two below its heading. */
export function ScreenIntro({ children }: { readonly children: ReactNode }) {
  return <p className="managing-intro">{children}</p>;
}
