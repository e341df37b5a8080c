import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { startTexts } from './i18n/i18n.ts';

/** Shows the page; `fail` gets every error that no boundary inside it catches. */
export function startPage(place: HTMLElement, fail: (error: unknown) => void): void {
  startTexts();
  createRoot(place, { onUncaughtError: fail }).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
