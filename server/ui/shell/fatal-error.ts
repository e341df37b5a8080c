import i18next from 'i18next';
import { browserLanguage } from '../i18n/browser-language.ts';
import type { Language } from '../i18n/text.ts';
import { shellTexts } from './texts.ts';

function elementOf(name: string, ...content: readonly (string | Node)[]): HTMLElement {
  const element = document.createElement(name);
  element.append(...content);
  return element;
}

/** Logs an error that nothing else has caught, and shows a sentence instead of the page. */
export function showFatalError(place: HTMLElement, error: unknown): void {
  reportError(error);
  const language = i18next.isInitialized ? (i18next.language as Language) : browserLanguage();
  document.documentElement.lang = language;
  const texts = shellTexts[language];
  // Without React, which may be what failed.
  const message = elementOf('div', elementOf('h1', texts.fatal), elementOf('p', texts.fatalNext));
  message.role = 'alert';
  const reload = elementOf('button', texts.reload);
  reload.addEventListener('click', () => location.reload());
  const page = elementOf('main', message, reload);
  page.className = 'page-state';
  place.replaceChildren(page);
}
