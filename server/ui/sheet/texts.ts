import { defineTexts } from '../i18n/text.ts';

export const sheetTexts = defineTexts({
  en: {},
  de: {},
  fr: {},
  nl: {},
});
