import { defineTexts } from '../../i18n/text.ts';

export const welcomeTexts = defineTexts({
  en: {
    title: 'Welcome to Club Events',
    intro: 'Your club’s events on this computer, for you and for your scripts, online or not.',
    name: 'Name of your club',
    import: 'Import a file…',
    importHelp:
      'A spreadsheet saved as CSV, a calendar (ICS) or JSON. You see what is in it first.',
    waiting: '{{file}} is waiting to be imported. Which club does it belong to?',
    importWaiting: 'Look at the import',
    empty: 'Start with an empty club',
    or: 'or',
    demo: 'Look around the demo club',
    demoHelp: 'A made-up club with a season around today. It can be removed at any time.',
    systemLanguage: 'Language of the system',
  },
  de: {
    title: 'Willkommen bei Club Events',
    intro:
      'Die Termine Ihres Vereins auf diesem Rechner, für Sie und für Ihre Skripte, mit und ohne Internet.',
    name: 'Name Ihres Vereins',
    import: 'Datei importieren…',
    importHelp:
      'Eine als CSV gespeicherte Tabelle, ein Kalender (ICS) oder JSON. Sie sehen zuerst, was darin ist.',
    waiting: '{{file}} wartet darauf, importiert zu werden. Zu welchem Verein gehört die Datei?',
    importWaiting: 'Import ansehen',
    empty: 'Mit einem leeren Verein beginnen',
    or: 'oder',
    demo: 'Im Beispielverein umsehen',
    demoHelp:
      'Ein erfundener Verein mit einer Saison um den heutigen Tag. Er lässt sich jederzeit entfernen.',
    systemLanguage: 'Sprache des Systems',
  },
  fr: {
    title: 'Bienvenue dans Club Events',
    intro:
      'Les événements de votre club sur cet ordinateur, pour vous et vos scripts, avec ou sans réseau.',
    name: 'Nom de votre club',
    import: 'Importer un fichier…',
    importHelp:
      'Un tableur enregistré en CSV, un calendrier (ICS) ou JSON. Vous voyez d’abord ce qu’il contient.',
    waiting: '{{file}} attend d’être importé. À quel club appartient-il ?',
    importWaiting: 'Voir l’importation',
    empty: 'Commencer avec un club vide',
    or: 'ou',
    demo: 'Visiter le club d’exemple',
    demoHelp:
      'Un club inventé, avec une saison autour d’aujourd’hui. On peut le retirer à tout moment.',
    systemLanguage: 'Langue du système',
  },
  nl: {
    title: 'Welkom bij Club Events',
    intro:
      'De evenementen van uw club op deze computer, voor u en uw scripts, met en zonder internet.',
    name: 'Naam van uw club',
    import: 'Bestand importeren…',
    importHelp:
      'Een spreadsheet die als CSV is opgeslagen, een kalender (ICS) of JSON. U ziet eerst wat erin staat.',
    waiting: '{{file}} wacht om geïmporteerd te worden. Bij welke club hoort het bestand?',
    importWaiting: 'Import bekijken',
    empty: 'Met een lege club beginnen',
    or: 'of',
    demo: 'Rondkijken in de voorbeeldclub',
    demoHelp:
      'Een verzonnen club met een seizoen rond vandaag. Hij is op elk moment te verwijderen.',
    systemLanguage: 'Taal van het systeem',
  },
});
