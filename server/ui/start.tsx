import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { startTexts } from './i18n/i18n.ts';

/** Shows the page; `fail` gets every error that no boundary inside it catches. */
export function startPage(container: HTMLElement, fail: (error: unknown) => void): void {
  startTexts();
  createRoot(container, { onUncaughtError: fail }).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
