import { defineTexts } from '../server/ui/i18n/text.ts';

/** Reasons why the service is not running, each with a remedy. */
export const serviceTexts = defineTexts({
  en: {
    taken:
      'None of the ports {{port}} to {{lastPort}} is free; choose another port in the settings.',
    readOnly: '{{home}} is on a read-only disk; choose another folder for the data.',
    forbidden: 'This account may not use {{home}}; check the permissions or choose another folder.',
    full: 'The disk that holds {{home}} is full; free some space.',
    missing: '{{home}} is not there; connect its disk or choose another folder.',
    noFolder: '{{home}} cannot be a folder: a part of it is a file. Choose another folder.',
    newer:
      'The events in {{home}} were made by a newer version of Club Events; install that version to use them.',
    foreign:
      'The file events.sqlite in {{home}} is not from Club Events; move it away or choose another folder.',
    damaged:
      'The events in {{home}} are damaged; leave them as they are and restore them from a backup.',
    busy: 'Another program holds the events in {{home}}; close that program.',
    unresponsive:
      '{{home}} does not answer; connect its disk or network, or choose another folder.',
    fault: 'The service ended unexpectedly; the log tells what happened.',
  },
  de: {
    taken:
      'Keiner der Ports {{port}} bis {{lastPort}} ist frei; wählen Sie in den Einstellungen einen anderen Port.',
    readOnly:
      '{{home}} liegt auf einem schreibgeschützten Datenträger; wählen Sie einen anderen Ordner für die Daten.',
    forbidden:
      'Dieses Konto darf {{home}} nicht benutzen; prüfen Sie die Berechtigungen oder wählen Sie einen anderen Ordner.',
    full: 'Der Datenträger mit {{home}} ist voll; schaffen Sie etwas Platz.',
    missing:
      '{{home}} ist nicht da; schließen Sie den Datenträger an oder wählen Sie einen anderen Ordner.',
    noFolder:
      '{{home}} kann kein Ordner sein: Ein Teil davon ist eine Datei. Wählen Sie einen anderen Ordner.',
    newer:
      'Die Termine in {{home}} stammen von einer neueren Version von Club Events; installieren Sie diese Version.',
    foreign:
      'Die Datei events.sqlite in {{home}} ist nicht von Club Events; legen Sie sie woanders ab oder wählen Sie einen anderen Ordner.',
    damaged:
      'Die Termine in {{home}} sind beschädigt; lassen Sie sie, wie sie sind, und stellen Sie sie aus einer Sicherung wieder her.',
    busy: 'Ein anderes Programm hält die Termine in {{home}} fest; schließen Sie dieses Programm.',
    unresponsive:
      '{{home}} antwortet nicht; verbinden Sie den Datenträger oder das Netzwerk, oder wählen Sie einen anderen Ordner.',
    fault: 'Der Dienst hat unerwartet aufgehört; das Protokoll sagt, was geschehen ist.',
  },
  fr: {
    taken:
      'Aucun des ports {{port}} à {{lastPort}} n’est libre ; choisissez un autre port dans les réglages.',
    readOnly:
      '{{home}} est sur un disque en lecture seule ; choisissez un autre dossier pour les données.',
    forbidden:
      'Ce compte ne peut pas utiliser {{home}} ; vérifiez les droits ou choisissez un autre dossier.',
    full: 'Le disque qui contient {{home}} est plein ; libérez de la place.',
    missing: '{{home}} n’est pas là ; branchez son disque ou choisissez un autre dossier.',
    noFolder:
      '{{home}} ne peut pas être un dossier : une partie du chemin est un fichier. Choisissez un autre dossier.',
    newer:
      'Les événements de {{home}} viennent d’une version plus récente de Club Events ; installez cette version pour les utiliser.',
    foreign:
      'Le fichier events.sqlite de {{home}} ne vient pas de Club Events ; déplacez-le ou choisissez un autre dossier.',
    damaged:
      'Les événements de {{home}} sont endommagés ; n’y touchez pas et restaurez-les depuis une sauvegarde.',
    busy: 'Un autre programme retient les événements de {{home}} ; fermez ce programme.',
    unresponsive:
      '{{home}} ne répond pas ; connectez son disque ou le réseau, ou choisissez un autre dossier.',
    fault: 'Le service s’est arrêté de façon inattendue ; le journal dit ce qui s’est passé.',
  },
  nl: {
    taken:
      'Geen van de poorten {{port}} tot en met {{lastPort}} is vrij; kies een andere poort in de instellingen.',
    readOnly:
      '{{home}} staat op een schijf die alleen gelezen kan worden; kies een andere map voor de gegevens.',
    forbidden:
      'Dit account mag {{home}} niet gebruiken; controleer de rechten of kies een andere map.',
    full: 'De schijf met {{home}} is vol; maak ruimte vrij.',
    missing: '{{home}} is er niet; sluit de schijf aan of kies een andere map.',
    noFolder: '{{home}} kan geen map zijn: een deel ervan is een bestand. Kies een andere map.',
    newer:
      'De evenementen in {{home}} komen van een nieuwere versie van Club Events; installeer die versie om ze te gebruiken.',
    foreign:
      'Het bestand events.sqlite in {{home}} is niet van Club Events; verplaats het of kies een andere map.',
    damaged:
      'De evenementen in {{home}} zijn beschadigd; laat ze zoals ze zijn en zet ze terug uit een back-up.',
    busy: 'Een ander programma houdt de evenementen in {{home}} vast; sluit dat programma.',
    unresponsive:
      '{{home}} reageert niet; sluit de schijf of het netwerk aan of kies een andere map.',
    fault: 'De dienst is onverwacht gestopt; het logboek zegt wat er is gebeurd.',
  },
});

export type ServiceText = keyof (typeof serviceTexts)['en'];
