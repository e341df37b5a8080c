import i18next from 'i18next';
import { catalogues, type Language, supportedLanguage } from '../../messages/messages.ts';

function elementOf(name: string, ...content: readonly (string | Node)[]): HTMLElement {
  const element = document.createElement(name);
  element.append(...content);
  return element;
}

/** Logs an uncaught error and shows a message instead of the page. */
export function showFatalError(container: HTMLElement, error: unknown): void {
  reportError(error);
  const language = i18next.isInitialized
    ? (i18next.language as Language)
    : supportedLanguage(navigator.languages);
  document.documentElement.lang = language;
  const texts = catalogues[language].shell;
  // Not with React, which may itself have failed.
  const message = elementOf('div', elementOf('h1', texts.fatal), elementOf('p', texts.fatalNext));
  message.role = 'alert';
  const reload = elementOf('button', texts.reload);
  reload.addEventListener('click', () => location.reload());
  const page = elementOf('main', message, reload);
  page.className = 'stack page-state';
  container.replaceChildren(page);
}
