import './parts.css';
import type { ReactNode } from 'react';

export function ScreenIntro({ children }: { readonly children: ReactNode }) {
  return <p className="managing-intro">{children}</p>;
}
