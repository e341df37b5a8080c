import { defineTexts } from '../i18n/text.ts';

export const calendarTexts = defineTexts({
  en: {},
  de: {},
  fr: {},
  nl: {},
});
