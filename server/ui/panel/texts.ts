import { defineTexts } from '../i18n/text.ts';

export const panelTexts = defineTexts({
  en: {},
  de: {},
  fr: {},
  nl: {},
});
