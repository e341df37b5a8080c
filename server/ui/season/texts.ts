import { defineTexts } from '../i18n/text.ts';

export const seasonTexts = defineTexts({
  en: {},
  de: {},
  fr: {},
  nl: {},
});
