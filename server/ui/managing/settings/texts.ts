import { defineTexts } from '../../i18n/text.ts';

export const settingsTexts = defineTexts({
  en: {
    intro: 'Each change is saved at once.',
    appearance: 'Appearance and language',
    languageHelp: 'The words of this window and of its menus.',
    themeHelp: 'Light, dark, or whichever the system has.',
    program: 'Program',
    closeToTray: 'Keep running when the window is closed',
    closeToTrayHelp:
      'Scripts go on reading your events. The icon in the tray opens the window again, or quits.',
    startAtLogin: 'Start when you log in',
    startAtLoginHelp: 'Without a window, so that scripts always find your events.',
    checkForUpdates: 'Look for updates once a week',
    checkForUpdatesHelp: 'Quietly. An update is installed only when you say so.',
    noUpdates: 'This copy of Club Events was made without a place to look for updates.',
    forScripts: 'For scripts',
    port: 'Port',
    portHelp: 'The number in the address at which scripts find your events.',
    portNow:
      'Scripts find your events at {{address}}. After a change, they need the new number in their address.',
    portTaken:
      'Another program has port {{wanted}}, so the service has taken port {{port}}. Scripts find your events at {{address}} until port {{wanted}} is free again, or you choose another.',
    portWrong: 'Type a number from {{lowest}} to {{highest}}.',
    usePort: 'Use this port',
    data: 'Your data',
    folder: 'Folder',
    folderHelp:
      'All clubs, events and keys are in this folder. You can choose another, empty or with the clubs of earlier. Nothing is moved: what is here stays here.',
    folderFixed:
      'All clubs, events and keys are in this folder. It was set when the program was started (CLUB_EVENTS_HOME), so it cannot be changed here.',
    openFolder: 'Open folder',
    chooseFolder: 'Choose another folder…',
  },
  de: {
    intro: 'Jede Änderung wird sofort gespeichert.',
    appearance: 'Darstellung und Sprache',
    languageHelp: 'Die Wörter dieses Fensters und seiner Menüs.',
    themeHelp: 'Hell, dunkel oder so, wie es das System hält.',
    program: 'Programm',
    closeToTray: 'Weiterlaufen, wenn das Fenster geschlossen wird',
    closeToTrayHelp:
      'Skripte lesen Ihre Termine weiter. Das Symbol im Infobereich öffnet das Fenster wieder oder beendet das Programm.',
    startAtLogin: 'Beim Anmelden starten',
    startAtLoginHelp: 'Ohne Fenster, damit Skripte Ihre Termine immer finden.',
    checkForUpdates: 'Einmal in der Woche nach Aktualisierungen sehen',
    checkForUpdatesHelp: 'Im Stillen. Eine Aktualisierung wird nur installiert, wenn Sie es sagen.',
    noUpdates:
      'Diese Ausgabe von Club Events wurde ohne einen Ort gemacht, an dem sie nach Aktualisierungen sehen kann.',
    forScripts: 'Für Skripte',
    port: 'Port',
    portHelp: 'Die Zahl in der Adresse, unter der Skripte Ihre Termine finden.',
    portNow:
      'Skripte finden Ihre Termine unter {{address}}. Nach einer Änderung brauchen sie die neue Zahl in ihrer Adresse.',
    portTaken:
      'Ein anderes Programm hat den Port {{wanted}}, deshalb hat der Dienst den Port {{port}} genommen. Skripte finden Ihre Termine unter {{address}}, bis Port {{wanted}} wieder frei ist oder Sie einen anderen wählen.',
    portWrong: 'Geben Sie eine Zahl von {{lowest}} bis {{highest}} ein.',
    usePort: 'Diesen Port verwenden',
    data: 'Ihre Daten',
    folder: 'Ordner',
    folderHelp:
      'Alle Vereine, Termine und Schlüssel liegen in diesem Ordner. Sie können einen anderen wählen, leer oder mit Vereinen von früher. Verschoben wird nichts: Was hier ist, bleibt hier.',
    folderFixed:
      'Alle Vereine, Termine und Schlüssel liegen in diesem Ordner. Er wurde beim Start des Programms festgelegt (CLUB_EVENTS_HOME) und lässt sich deshalb hier nicht ändern.',
    openFolder: 'Ordner öffnen',
    chooseFolder: 'Anderen Ordner wählen…',
  },
  fr: {
    intro: 'Chaque changement est enregistré aussitôt.',
    appearance: 'Apparence et langue',
    languageHelp: 'Les mots de cette fenêtre et de ses menus.',
    themeHelp: 'Clair, sombre, ou comme le système.',
    program: 'Programme',
    closeToTray: 'Continuer quand la fenêtre est fermée',
    closeToTrayHelp:
      'Les scripts continuent de lire vos événements. L’icône de la zone de notification rouvre la fenêtre, ou quitte.',
    startAtLogin: 'Démarrer à l’ouverture de session',
    startAtLoginHelp: 'Sans fenêtre, pour que les scripts trouvent toujours vos événements.',
    checkForUpdates: 'Chercher des mises à jour une fois par semaine',
    checkForUpdatesHelp: 'Sans bruit. Une mise à jour n’est installée que si vous le demandez.',
    noUpdates: 'Cette copie de Club Events a été faite sans endroit où chercher des mises à jour.',
    forScripts: 'Pour les scripts',
    port: 'Port',
    portHelp: 'Le numéro dans l’adresse où les scripts trouvent vos événements.',
    portNow:
      'Les scripts trouvent vos événements à l’adresse {{address}}. Après un changement, il leur faut le nouveau numéro.',
    portTaken:
      'Un autre programme occupe le port {{wanted}}, le service a donc pris le port {{port}}. Les scripts trouvent vos événements à l’adresse {{address}} jusqu’à ce que le port {{wanted}} soit libre, ou que vous en choisissiez un autre.',
    portWrong: 'Tapez un nombre de {{lowest}} à {{highest}}.',
    usePort: 'Utiliser ce port',
    data: 'Vos données',
    folder: 'Dossier',
    folderHelp:
      'Tous les clubs, événements et clés sont dans ce dossier. Vous pouvez en choisir un autre, vide ou avec des clubs d’avant. Rien n’est déplacé : ce qui est ici reste ici.',
    folderFixed:
      'Tous les clubs, événements et clés sont dans ce dossier. Il a été fixé au démarrage du programme (CLUB_EVENTS_HOME) et ne peut donc pas être changé ici.',
    openFolder: 'Ouvrir le dossier',
    chooseFolder: 'Choisir un autre dossier…',
  },
  nl: {
    intro: 'Elke wijziging wordt meteen bewaard.',
    appearance: 'Uiterlijk en taal',
    languageHelp: 'De woorden van dit venster en zijn menu’s.',
    themeHelp: 'Licht, donker, of zoals het systeem.',
    program: 'Programma',
    closeToTray: 'Doorgaan als het venster wordt gesloten',
    closeToTrayHelp:
      'Scripts blijven uw evenementen lezen. Het pictogram in het systeemvak opent het venster weer, of stopt het programma.',
    startAtLogin: 'Starten als u zich aanmeldt',
    startAtLoginHelp: 'Zonder venster, zodat scripts uw evenementen altijd vinden.',
    checkForUpdates: 'Eens per week naar updates kijken',
    checkForUpdatesHelp: 'In stilte. Een update wordt alleen geïnstalleerd als u dat zegt.',
    noUpdates: 'Deze uitgave van Club Events is gemaakt zonder een plek om naar updates te kijken.',
    forScripts: 'Voor scripts',
    port: 'Poort',
    portHelp: 'Het getal in het adres waarop scripts uw evenementen vinden.',
    portNow:
      'Scripts vinden uw evenementen op {{address}}. Na een wijziging hebben ze het nieuwe getal in hun adres nodig.',
    portTaken:
      'Een ander programma heeft poort {{wanted}}, daarom heeft de dienst poort {{port}} genomen. Scripts vinden uw evenementen op {{address}} tot poort {{wanted}} weer vrij is, of u een andere kiest.',
    portWrong: 'Typ een getal van {{lowest}} tot en met {{highest}}.',
    usePort: 'Deze poort gebruiken',
    data: 'Uw gegevens',
    folder: 'Map',
    folderHelp:
      'Alle clubs, evenementen en sleutels staan in deze map. U kunt een andere kiezen, leeg of met clubs van eerder. Er wordt niets verplaatst: wat hier is, blijft hier.',
    folderFixed:
      'Alle clubs, evenementen en sleutels staan in deze map. Die is bij de start van het programma vastgelegd (CLUB_EVENTS_HOME) en is hier dus niet te wijzigen.',
    openFolder: 'Map openen',
    chooseFolder: 'Andere map kiezen…',
  },
});
