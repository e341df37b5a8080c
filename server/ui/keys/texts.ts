import { defineTexts } from '../i18n/text.ts';

export const keysTexts = defineTexts({
  en: {},
  de: {},
  fr: {},
  nl: {},
});
