import { defineTexts } from '../server/ui/i18n/text.ts';

/** Problems with the settings file and the start at login. */
export const settingsTexts = defineTexts({
  en: {
    unreadable:
      'Your settings could not be read, so the standard ones hold. When you change one, the old file is kept as {{aside}}.',
    wrongValues:
      'Some of your settings could not be understood ({{names}}), so the standard ones hold for these. When you change one, the old file is kept as {{aside}}.',
    unsaved: 'Your settings could not be saved and hold until the program ends: {{reason}}',
    autostart: 'Starting at login could not be updated: {{reason}}',
    loginRefused:
      'Your system did not allow Club Events to start at login. Allow it in the settings of the system, under the apps that start at login, and try again.',
  },
  de: {
    unreadable:
      'Ihre Einstellungen konnten nicht gelesen werden; es gelten die üblichen. Sobald Sie eine ändern, bleibt die alte Datei als {{aside}} erhalten.',
    wrongValues:
      'Einige Ihrer Einstellungen waren nicht zu verstehen ({{names}}); für diese gelten die üblichen. Sobald Sie eine ändern, bleibt die alte Datei als {{aside}} erhalten.',
    unsaved:
      'Ihre Einstellungen konnten nicht gespeichert werden und gelten, bis das Programm endet: {{reason}}',
    autostart: 'Der Start bei der Anmeldung konnte nicht aktualisiert werden: {{reason}}',
    loginRefused:
      'Ihr System hat nicht erlaubt, dass Club Events bei der Anmeldung startet. Erlauben Sie es in den Systemeinstellungen bei den Autostart-Programmen und versuchen Sie es noch einmal.',
  },
  fr: {
    unreadable:
      'Vos réglages n’ont pas pu être lus ; les réglages habituels s’appliquent. Dès que vous en changerez un, l’ancien fichier sera gardé sous le nom {{aside}}.',
    wrongValues:
      'Certains de vos réglages n’ont pas été compris ({{names}}) ; les réglages habituels s’appliquent à leur place. Dès que vous en changerez un, l’ancien fichier sera gardé sous le nom {{aside}}.',
    unsaved:
      'Vos réglages n’ont pas pu être enregistrés et valent jusqu’à la fin du programme : {{reason}}',
    autostart: 'L’ouverture à la connexion n’a pas pu être mise à jour : {{reason}}',
    loginRefused:
      'Votre système n’a pas autorisé Club Events à s’ouvrir à la connexion. Autorisez-le dans les réglages du système, parmi les applications ouvertes à la connexion, puis réessayez.',
  },
  nl: {
    unreadable:
      'Uw instellingen konden niet worden gelezen; de gewone gelden. Zodra u er een wijzigt, blijft het oude bestand bewaard als {{aside}}.',
    wrongValues:
      'Sommige van uw instellingen waren niet te begrijpen ({{names}}); daarvoor gelden de gewone. Zodra u er een wijzigt, blijft het oude bestand bewaard als {{aside}}.',
    unsaved:
      'Uw instellingen konden niet worden opgeslagen en gelden tot het programma stopt: {{reason}}',
    autostart: 'Het starten bij aanmelden kon niet worden bijgewerkt: {{reason}}',
    loginRefused:
      'Uw systeem stond niet toe dat Club Events bij het aanmelden start. Sta dit toe in de instellingen van het systeem, bij de opstart-apps, en probeer het opnieuw.',
  },
});
