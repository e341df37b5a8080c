import { defineTexts } from '../i18n/text.ts';

export const changesTexts = defineTexts({
  en: {},
  de: {},
  fr: {},
  nl: {},
});
