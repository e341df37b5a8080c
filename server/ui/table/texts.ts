import { defineTexts } from '../i18n/text.ts';

export const tableTexts = defineTexts({
  en: {},
  de: {},
  fr: {},
  nl: {},
});
