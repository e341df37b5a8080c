import { defineTexts } from '../../i18n/text.ts';

export const exportTexts = defineTexts({
  en: {
    intro: 'Saves every event of {{club}} as one file, past ones included.',
    csv: 'Spreadsheet (CSV)',
    csvWhy: 'For Excel, Numbers or LibreOffice: to print, to count, to send to the board.',
    json: 'Everything, exactly (JSON)',
    jsonWhy:
      'To keep, or to move to another computer: the import there makes the same events of it.',
    ics: 'Calendar (ICS)',
    icsWhy:
      'For Outlook, Google Calendar, Apple Calendar and telephones. The next file updates the same entries.',
    save: 'Save …',
    saveCsv: 'Save as CSV …',
    saveJson: 'Save as JSON …',
    saveIcs: 'Save as ICS …',
    saved_one: 'One event saved as {{file}}.',
    saved_other: '{{shown}} events saved as {{file}}.',
    view: 'To save only some of the events, choose them with search and filters, then “Save or print” above the list.',
  },
  de: {
    intro: 'Speichert alle Termine von {{club}} als eine Datei, auch die vergangenen.',
    csv: 'Tabelle (CSV)',
    csvWhy: 'Für Excel, Numbers oder LibreOffice: zum Drucken, Zählen oder für den Vorstand.',
    json: 'Alles, ganz genau (JSON)',
    jsonWhy:
      'Zum Aufbewahren oder für einen anderen Rechner: Der Import dort macht daraus dieselben Termine.',
    ics: 'Kalender (ICS)',
    icsWhy:
      'Für Outlook, Google Kalender, Apple Kalender und Telefone. Die nächste Datei erneuert dieselben Einträge.',
    save: 'Speichern …',
    saveCsv: 'Als CSV speichern …',
    saveJson: 'Als JSON speichern …',
    saveIcs: 'Als ICS speichern …',
    saved_one: 'Ein Termin als {{file}} gespeichert.',
    saved_other: '{{shown}} Termine als {{file}} gespeichert.',
    view: 'Um nur einige Termine zu speichern, wählen Sie sie mit Suche und Filtern aus, dann „Speichern oder drucken“ über der Liste.',
  },
  fr: {
    intro: 'Enregistre tous les événements de {{club}} dans un seul fichier, y compris les passés.',
    csv: 'Tableur (CSV)',
    csvWhy: 'Pour Excel, Numbers ou LibreOffice : imprimer, compter, envoyer au comité.',
    json: 'Tout, exactement (JSON)',
    jsonWhy:
      'Pour conserver, ou passer sur un autre ordinateur : l’importation y refait les mêmes événements.',
    ics: 'Calendrier (ICS)',
    icsWhy:
      'Pour Outlook, Google Agenda, Calendrier d’Apple et les téléphones. Le fichier suivant met à jour les mêmes entrées.',
    save: 'Enregistrer …',
    saveCsv: 'Enregistrer en CSV …',
    saveJson: 'Enregistrer en JSON …',
    saveIcs: 'Enregistrer en ICS …',
    saved_one: 'Un événement enregistré dans {{file}}.',
    saved_other: '{{shown}} événements enregistrés dans {{file}}.',
    view: 'Pour n’enregistrer qu’une partie des événements, choisissez-les par la recherche et les filtres, puis « Enregistrer ou imprimer » au-dessus de la liste.',
  },
  nl: {
    intro: 'Slaat alle evenementen van {{club}} op in één bestand, ook de voorbije.',
    csv: 'Rekenblad (CSV)',
    csvWhy:
      'Voor Excel, Numbers of LibreOffice: om af te drukken, te tellen of naar het bestuur te sturen.',
    json: 'Alles, precies (JSON)',
    jsonWhy:
      'Om te bewaren, of voor een andere computer: het importeren daar maakt er dezelfde evenementen van.',
    ics: 'Kalender (ICS)',
    icsWhy:
      'Voor Outlook, Google Agenda, Apple Agenda en telefoons. Het volgende bestand werkt dezelfde items bij.',
    save: 'Opslaan …',
    saveCsv: 'Opslaan als CSV …',
    saveJson: 'Opslaan als JSON …',
    saveIcs: 'Opslaan als ICS …',
    saved_one: 'Eén evenement opgeslagen als {{file}}.',
    saved_other: '{{shown}} evenementen opgeslagen als {{file}}.',
    view: 'Om alleen een deel op te slaan, kiest u evenementen met zoeken en filters, en dan “Opslaan of afdrukken” boven de lijst.',
  },
});
