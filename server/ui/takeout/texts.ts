import { defineTexts } from '../i18n/text.ts';

export const takeOutTexts = defineTexts({
  en: {},
  de: {},
  fr: {},
  nl: {},
});
