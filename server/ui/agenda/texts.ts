import { defineTexts } from '../i18n/text.ts';

export const agendaTexts = defineTexts({
  en: {
    list: 'Events by month',
    today: 'Jump to today',
    todayMark: 'Today',
    noMore: 'Nothing after this',
  },
  de: {
    list: 'Termine nach Monaten',
    today: 'Zu heute springen',
    todayMark: 'Heute',
    noMore: 'Danach nichts mehr',
  },
  fr: {
    list: 'Événements par mois',
    today: 'Aller à aujourd’hui',
    todayMark: 'Aujourd’hui',
    noMore: 'Rien après ceci',
  },
  nl: {
    list: 'Evenementen per maand',
    today: 'Naar vandaag',
    todayMark: 'Vandaag',
    noMore: 'Hierna niets meer',
  },
});
